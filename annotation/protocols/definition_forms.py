"""Forms of a study definition as plain data and as templates, and their problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.items.media import PLAYED
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.kind import Yields, outside
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.questions.option_settings import OptionSettings
from annotation.domain.questions.text_languages import form_translation_problems
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.protocols.definition_examples import example_problems, practice_problems
from annotation.protocols.definition_stages import feed_document, feed_template
from annotation.protocols.template import CriterionTemplate, FormTemplate, PairingTemplate, Point, keyboard_of

Document = dict[str, Any]
POINT = ("value", "label", "description", "keyboard")
Problems = Iterator[tuple[str, str]]


def criterion_template(one: Mapping[str, Any]) -> CriterionTemplate:
    """A criterion of a definition, complete and without problems, as a template."""
    ends = (one["minimum"], one["maximum"])
    return CriterionTemplate(
        key=one["key"],
        name=one["name"],
        question=one["question"],
        kind=KINDS[one["kind"]],
        required=one["required"],
        asked_after=one["asked_after"],
        asked_when=one["asked_when"],
        points=tuple(Point(**point) for point in one["points"]),
        bounds=None if None in ends else ends,
        settings=_settings(one["settings"]),
    )


def criterion_document(one: CriterionTemplate) -> Document:
    """A criterion of a template in the shape of a definition."""
    points = [{name: point[name] for name in POINT} for point in one.stored_points()]
    settings = vars(OptionSettings.of(one.settings)).copy()
    for kind in KINDS.values():
        settings |= kind.complete_settings(one.settings)
    return {**one.stored(), "points": points, "settings": settings}


def _settings(given: Mapping[str, Any]) -> Document:
    """The settings of a criterion for storage: only those that are set."""
    found = OptionSettings.of(given).stored()
    for kind in KINDS.values():
        found |= kind.stored_settings(given)
    return found


def form_template(form: Mapping[str, Any]) -> FormTemplate:
    """A form of a definition, complete and without problems, as a template."""
    return FormTemplate(
        key=form["key"],
        title=form["title"],
        question=form["question"],
        cannot_rate=form["cannot_rate"],
        blocks=[_without_empty(block) for block in form["blocks"]],
        criteria=[criterion_template(one) for one in form["criteria"]],
        fed_by=feed_template(form["fed_by"]),
        pairing=None if form["pairing"] is None else PairingTemplate(**form["pairing"]),
        examples=form["examples"],
        practice=form["practice"],
        translations=form["translations"],
    )


def form_document(form: FormTemplate, *, overlap: int, per_rater: int | None) -> Document:
    """A form of a template in the shape of a definition."""
    return {
        "key": form.key,
        "title": form.title,
        "overlap": overlap,
        "per_rater": per_rater,
        "question": form.question,
        "cannot_rate": form.cannot_rate,
        "blocks": [dict(block) for block in form.blocks],
        "criteria": [criterion_document(one) for one in form.criteria],
        "examples": [dict(one) for one in form.examples],
        "practice": [dict(one) for one in form.practice],
        # Old translations lack the lists of examples and practice items.
        "translations": {
            language: {"examples": [], "practice": [], **texts}
            for language, texts in form.translations.items()
        },
        "fed_by": feed_document(form.fed_by),
        "pairing": None if form.pairing is None else dict(vars(form.pairing)),
    }


def _without_empty(block: Mapping[str, Any]) -> Document:
    """A block without its empty settings."""
    return {name: value for name, value in block.items() if value or name in {"field", "label", "mark"}}


def completed_form(form: Document) -> Document:
    """A form completed with the ends of its scales and its keyboard shortcuts."""
    return {**form, "criteria": [_completed(one) for one in form["criteria"]]}


def _completed(one: Document) -> Document:
    points = [
        {**point, "keyboard": keyboard_of(Point(**point), place)} for place, point in enumerate(one["points"])
    ]
    values = [point["value"] for point in points]
    low, high = KINDS[one["kind"]].ends(one["minimum"], one["maximum"], values)
    return {**one, "minimum": low, "maximum": high, "points": points}


def form_problems(form: Mapping[str, Any]) -> Problems:
    """Find the problems of a form, as (path within the form, sentence).

    Parameters
    ----------
    form : mapping
        A completed form in the shape of the schema.
    """
    seen: dict[str, Mapping[str, Any]] = {}
    for place, one in enumerate(form["criteria"]):
        path = f"criteria[{place}]"
        if one["key"] in seen:
            yield (
                f"{path}.key",
                message("Another criterion of this form has the name “%(key)s”. Rename one.", key=one["key"]),
            )
        for inside, sentence in KINDS[one["kind"]].problems(one):
            yield f"{path}.{inside}", sentence
        for inside, sentence in [
            *_condition_problems(one, seen),
            *_settings_problems(one),
            *_own_settings_problems(one),
        ]:
            yield f"{path}.{inside}", sentence
        seen.setdefault(one["key"], one)
    yield from _marking_problems(form["criteria"])
    yield from _pairing_problems(form.get("pairing"), seen)
    for place, block in enumerate(form["blocks"]):
        yield from _block_problems(f"blocks[{place}]", block, seen)
    yield from example_problems(form["examples"], seen)
    yield from practice_problems(form["practice"], form["blocks"])
    yield from form_translation_problems(form)


def _pairing_problems(pairing: Document | None, asked: Mapping[str, Mapping[str, Any]]) -> Problems:
    compared = pairing and asked.get(pairing["criterion"])
    if pairing and not (compared and KINDS[compared["kind"]].yields is Yields.PREFERENCE):
        sentence = message("Choose a question of the form that compares two texts.")
        yield "pairing.criterion", sentence


def _condition_problems(one: Mapping[str, Any], earlier: Mapping[str, Mapping[str, Any]]) -> Problems:
    after, when = one["asked_after"], one["asked_when"]
    if not after:
        if when:
            yield "asked_after", message("Select the earlier criterion, or remove the answer (asked_when).")
        return
    if after not in earlier:
        yield "asked_after", message("This form has no earlier criterion “%(key)s”.", key=after)
        return
    governing = earlier[after]
    condition = Condition.read(when)
    is_number = KINDS[governing["kind"]].yields is Yields.NUMBER
    if is_number and condition.comparison is not Comparison.EXACTLY:
        yield from _bound_problems(condition, governing)
        return
    points = governing["points"]
    offered = (value for value, _words in KINDS[governing["kind"]].conditions(points))
    options = {point["value"] for point in points}.union(offered)
    if when.startswith(("<=", ">=")) and when not in options:
        sentence = message(
            "Only answers that are numbers can be compared. Choose an answer to “%(key)s”.", key=after
        )
        yield "asked_when", sentence
        return
    if not when or (options and when not in options):
        yield "asked_when", _choose_answer(when, after, options)


def _bound_problems(condition: Condition, governing: Mapping[str, Any]) -> Problems:
    low, high = governing["minimum"], governing["maximum"]
    if low is not None and high is not None and not low <= condition.bound <= high:
        yield "asked_when", outside(condition.value, low, high)


def _choose_answer(answer: str, criterion: str, options: set[str]) -> str:
    return message(
        "“%(answer)s” is not an answer to “%(criterion)s”. Choose one of these: %(options)s.",
        answer=answer,
        criterion=criterion,
        options=", ".join(sorted(options)),
    )


def _settings_problems(one: Mapping[str, Any]) -> Problems:
    unsure, values = one["settings"]["unsure"], {point["value"] for point in one["points"]}
    if unsure and unsure not in values:
        yield (
            "settings.unsure",
            message(
                "“%(value)s” is not an option. Choose one of these: %(options)s.",
                value=unsure,
                options=", ".join(sorted(values)),
            ),
        )


def _own_settings_problems(one: Mapping[str, Any]) -> Problems:
    """Problems of the settings that only one kind has."""
    for key, kind in KINDS.items():
        if key == one["kind"]:
            yield from kind.settings_problems(one)
        elif kind.stored_settings(one["settings"]):
            yield (
                f"settings.{key}",
                message(
                    "Remove these settings from kind %(kind)s. Only kind %(other)s has them.",
                    kind=one["kind"],
                    other=key,
                ),
            )


def _marking_problems(criteria: Sequence[Mapping[str, Any]]) -> Problems:
    """Only one criterion of a form may use text marking."""
    marking = [place for place, one in enumerate(criteria) if _marks_text(one)]
    for place in marking[1:]:
        yield (
            f"criteria[{place}].kind",
            message(
                "Raters already mark words for “%(key)s”. Only one criterion per form can use marking.",
                key=criteria[marking[0]]["key"],
            ),
        )


def _marks_text(one: Mapping[str, Any]) -> bool:
    marked = TupleSettings.of(one["settings"]).marked
    return bool(marked) or KINDS[one["kind"]].yields is Yields.ERRORS


def _block_problems(path: str, block: Mapping[str, Any], criteria: Mapping[str, Any]) -> Problems:
    if block["role"] in {"options", "side"}:
        named = criteria.get(block["of"])
        if named is None or not named["points"]:
            yield f"{path}.of", message("Select the criterion of this form whose options the text shows.")
        elif block["role"] == "side":
            values = [point["value"] for point in named["points"]]
            if block["value"] not in values:
                sentence = message(
                    "Enter the value of the option that this text is: %(values)s.", values=", ".join(values)
                )
                yield f"{path}.value", sentence
    elif block["of"]:
        yield (
            f"{path}.of",
            message("Remove the criterion, or display the text as options or as one of the candidates."),
        )
    if block["whole"] and block["role"] not in PLAYED:
        yield f"{path}.whole", message("Only recordings and videos can be heard or seen to the end.")
