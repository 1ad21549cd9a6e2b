"""What a judge is asked about an item: the instructions, rubric and texts of a form version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.items.media import MEDIA_ROLES
from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.models import Criterion, FormVersion, Item, Study
from annotation.selectors.questions.counting import criterion_names
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.seen_instructions import instructions_under
from annotation.selectors.questions.shown_options import OPTIONS, SIDE, own_words
from annotation.services.questions.criteria import question_of
from scoring.judging.instrument import AskedCriterion, Instrument, Point, ShownText
from scoring.judging.prompt import Prompt, prompt_for_all, prompt_for_one

ANSWERED = (Yields.NUMBER, Yields.LABEL, Yields.PREFERENCE)


@dataclass(frozen=True)
class AskedForm:
    """The criteria of one form version that a judge answers."""

    study: Study
    version: FormVersion
    criteria: tuple[Criterion, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """The criteria as what checks their answers."""
        return tuple(question_of(criterion) for criterion in self.criteria)

    def instrument(self, item: Item) -> Instrument:
        """Make what the judge reads in addition to the texts of an item.

        Parameters
        ----------
        item : Item
            Some items say in their own words what the options of a choice are.
        """
        seen = instructions_under(self.version, self.study)
        return Instrument(
            instructions=seen.get(self.study.language) or next(iter(seen.values()), ""),
            question=self.version.question,
            criteria=tuple(self._asked(criterion, item) for criterion in self.criteria),
            cannot_rate=self.version.cannot_rate,
        )

    def texts(self, item: Item) -> list[ShownText]:
        """The texts of an item in the order of the form.

        Parameters
        ----------
        item : Item
            Item of the study.
        """
        return [
            ShownText(_label(block), str(item.fields[block["field"]]))
            for block in self.version.blocks
            if item.fields.get(block["field"]) and block.get("role") != OPTIONS
        ]

    def prompt(self, item: Item) -> Prompt:
        """The prompt that asks for all criteria of an item.

        Parameters
        ----------
        item : Item
            Item of the study.
        """
        return prompt_for_all(self.instrument(item), self.texts(item))

    def prompt_of(self, key: str, item: Item) -> Prompt:
        """The prompt that asks for one criterion of an item, so that the text that follows is its value.

        Parameters
        ----------
        key : str
            Key of the criterion.
        item : Item
            Item of the study.
        """
        instrument = self.instrument(item)
        (asked,) = (criterion for criterion in instrument.criteria if criterion.key == key)
        return prompt_for_one(instrument, asked, self.texts(item))

    def plain_text(self, item: Item) -> str:
        """The texts of an item alone, which a classifier reads.

        Parameters
        ----------
        item : Item
            Item of the study.
        """
        return "\n".join(one.text for one in self.texts(item))

    def _asked(self, criterion: Criterion, item: Item) -> AskedCriterion:
        # The texts of two sides are those of the item, each with its value.
        of_sides = criterion.question_kind.yields is Yields.PREFERENCE
        words = {} if of_sides else own_words(criterion, self.version, item)
        points = tuple(
            Point(point.value, words.get(point.value) or point.label, point.description)
            for point in criterion.points.all()
        )
        between = criterion.question_kind.continuous
        return AskedCriterion(
            criterion.key,
            criterion.name,
            criterion.question,
            points,
            criterion.minimum if between else None,
            criterion.maximum if between else None,
        )


def asked_form(study: Study, names: Sequence[str]) -> AskedForm:
    """The criteria with these names, of the newest version of their form.

    Parameters
    ----------
    study : Study
        The study.
    names : sequence of str
        As statistics call criteria: the key, or `FORM:KEY` where two forms have the same key.

    Raises
    ------
    InvalidContent
        `no_criteria`, `unknown_criterion`, `several_forms`, `not_for_judges`, `condition_left_out` or
        `media_not_sent`.
    """
    found = _by_name(form_versions(study=study))
    if not names:
        raise InvalidContent(message("Choose at least one criterion."), code="no_criteria")
    if unknown := [name for name in names if name not in found]:
        raise InvalidContent(
            message(
                "The study has no criterion “%(name)s”. It has: %(known)s.",
                name=unknown[0],
                known=", ".join(found),
            ),
            code="unknown_criterion",
        )
    chosen = [found[name] for name in dict.fromkeys(names)]
    if len({version.pk for version, _ in chosen}) > 1:
        raise InvalidContent(
            message("The criteria belong to several forms. Add a judge for each form."), code="several_forms"
        )
    version = chosen[0][0]
    keys = {one.key for _, one in chosen}
    asked = AskedForm(
        study, version, tuple(criterion for criterion in version.criteria.all() if criterion.key in keys)
    )
    _refuse_unfit(asked, keys)
    return asked


def stored_form(study: Study, criteria: Iterable[int]) -> AskedForm:
    """The criteria that a judge was created for.

    Parameters
    ----------
    study : Study
        The study of the judge.
    criteria : iterable of int
        Keys of rows, of one form version.

    Raises
    ------
    InvalidContent
        `unknown_criterion`: the form was replaced while the study was a draft.
    """
    rows = Criterion.objects.filter(pk__in=list(criteria), version__form__study=study)
    found = list(rows.select_related("version__form").prefetch_related("points"))
    if not found:
        raise InvalidContent(
            message("The form of this judge was replaced. Delete the judge and add it again."),
            code="unknown_criterion",
        )
    return AskedForm(study, found[0].version, tuple(found))


def askable_criteria(study: Study) -> dict[str, Criterion]:
    """The criteria that a model can be asked for, by the names that `asked_form` takes.

    Parameters
    ----------
    study : Study
        The study.
    """
    found = _by_name(form_versions(study=study))
    return {
        name: one for name, (version, one) in found.items() if _is_askable(one) and not _has_media(version)
    }


def _is_askable(criterion: Criterion) -> bool:
    kind = criterion.question_kind
    return kind.yields in ANSWERED and not kind.orders_ends


def _has_media(version: FormVersion) -> bool:
    return any(block.get("role") in MEDIA_ROLES for block in version.blocks)


def _by_name(versions: Sequence[FormVersion]) -> dict[str, tuple[FormVersion, Criterion]]:
    pairs = [(version, criterion) for version in versions for criterion in version.criteria.all()]
    names = criterion_names((version.form.key, one.key) for version, one in pairs)
    return {names[version.form.key, one.key]: (version, one) for version, one in pairs}


def _refuse_unfit(asked: AskedForm, keys: set[str]) -> None:
    for criterion in asked.criteria:
        if not _is_askable(criterion):
            raise InvalidContent(
                message(
                    "Judges answer scales, single choices and preferences; “%(name)s” is none.",
                    name=criterion,
                ),
                code="not_for_judges",
            )
        if criterion.asked_after and criterion.asked_after not in keys:
            raise InvalidContent(
                message(
                    "“%(name)s” is asked only after “%(first)s”. Choose both.",
                    name=criterion,
                    first=criterion.asked_after,
                ),
                code="condition_left_out",
            )
    if _has_media(asked.version):
        raise InvalidContent(
            message("The form shows pictures, recordings or videos, which judges do not get."),
            code="media_not_sent",
        )


def _label(block: Mapping[str, str]) -> str:
    label = block.get("label") or block["field"]
    return f"{label} ({block['value']})" if block.get("role") == SIDE else label
