"""The form that sets up attention checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.numbers import plain_number
from annotation.domain.base.states import DesignKind, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.error_spans.marks import NONE
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.marked_text import marked_field
from annotation.forms.base import NameField, TextField, items_between_checks, shown_text
from annotation.models import Check, Criterion, FormVersion, Study
from annotation.protocols.markup import mark, unmark
from annotation.selectors.base.item_search import item_columns
from annotation.selectors.quality.checks.proposed import (
    ProposedCheck,
    propose_check,
    propose_items_between,
)

KINDS_USING = {
    "tolerance": (CheckKind.GOLD, CheckKind.REPEAT),
    "original": (CheckKind.TWIN,),
    "question": (CheckKind.COMPREHENSION, CheckKind.KNOWLEDGE),
    "answers": (CheckKind.COMPREHENSION, CheckKind.KNOWLEDGE),
    "value": (CheckKind.INSTRUCTED, CheckKind.GOLD),
    "expected": (CheckKind.GOLD,),
    "answer": (CheckKind.INSTRUCTED,),
}
# An order of ten options with long values.
LONGEST_ANSWER = 700
# Kinds in which a text may instruct raters what to choose, or that show no text of their own.
MAY_INSTRUCT = (CheckKind.INSTRUCTED, CheckKind.REPEAT)
Named = list[tuple[str, str]]


class CheckForm(forms.Form):
    """An attention check: its kind, its texts, and the expected answer."""

    kind = forms.ChoiceField(
        label=_("Kind of check"),
        choices=[
            (CheckKind.INSTRUCTED.value, _("instructed response: the text says what to choose")),
            (CheckKind.GOLD.value, _("gold item: a known value, within a tolerance")),
            (CheckKind.REPEAT.value, _("repeat: an earlier item is shown again")),
            (CheckKind.TWIN.value, _("twin: a degraded copy that must be rated lower")),
            (CheckKind.COMPREHENSION.value, _("comprehension: a question with a free-text answer")),
            (CheckKind.KNOWLEDGE.value, _("knowledge: a question with one correct option")),
        ],
    )
    key = NameField(label=_("Short name"), max_length=40)
    tolerance = forms.FloatField(
        label=_("Tolerance (gold item, repeat)"), min_value=0, required=False, initial=1
    )
    original = forms.CharField(label=_("Item ID of the original (twin)"), max_length=120, required=False)
    question = forms.CharField(
        label=_("Question (comprehension, knowledge)"), max_length=1000, required=False
    )
    answers = TextField(
        label=_("Accepted answers, or options with the correct one first (one per line)"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(
        self, study: Study, version: FormVersion | None, data: Any = None, *, check: Check | None = None
    ) -> None:
        is_new = check is None and study.state == StudyState.DRAFT
        self.proposed = propose_check(study, version) if is_new else None
        super().__init__(data, initial=_initial(check) if check else _proposed(self.proposed))
        if check is not None:
            del self.fields["key"]
        self.study, self.version = study, version
        labels = {block["field"]: block.get("label") for block in version.blocks} if version else {}
        # A form without listed texts shows all texts of an item.
        self.shown = list(labels) or item_columns(study)[0]
        self.rated, self.answered, self.marked = _by_use(version)
        for name in self.shown:
            self.fields[f"text-{name}"] = shown_text(name, labels.get(name))
        for key, name in self.rated:
            self.fields[f"value-{key}"] = forms.FloatField(
                label=_("Value of %(name)s (instructed response, gold item)") % {"name": name}, required=False
            )
        for key, name in self.answered:
            self.fields[f"answer-{key}"] = forms.CharField(
                label=_("Answer to %(name)s (instructed response), as in files") % {"name": name},
                max_length=LONGEST_ANSWER,
                required=False,
            )
        for key, name in self.marked:
            label = _("Errors expected for %(name)s (gold item): their words, one per line, or “none”")
            self.fields[f"expected-{key}"] = TextField(
                label=label % {"name": name}, required=False, widget=forms.Textarea(attrs={"rows": 2})
            )
        if self.proposed and study.check_every is None and study.design != DesignKind.BATCHES:
            self.fields["check_every"] = items_between_checks(initial=propose_items_between(study))
        for name, value in _proposed(self.proposed).items():
            if name != "key" and name in self.fields:
                self.fields[name].widget.attrs["data-proposed"] = value

    def fields_by_kind(self) -> list[tuple[BoundField, str]]:
        """Each field with the kinds of check that use it, separated by spaces; empty if all kinds do."""
        return [(one, " ".join(self._kinds_using(one.name))) for one in self]

    @staticmethod
    def _kinds_using(name: str) -> list[str]:
        if name.startswith("text-"):
            return [kind.value for kind in CheckKind if kind is not CheckKind.REPEAT]
        return [kind.value for kind in KINDS_USING.get(name.partition("-")[0], ())]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.proposed and cleaned.get("kind") not in MAY_INSTRUCT:
            for name, text in self.proposed.texts.items():
                if cleaned.get(f"text-{name}") == text:
                    sentence = _(
                        "This text is for an instructed response. Replace it, or change the kind of check."
                    )
                    self.add_error(f"text-{name}", sentence)
        for key, _name in self.marked:
            lacking = next((words for words in self._expected(key) if words not in self._marked_text()), "")
            if lacking and cleaned.get("kind") == CheckKind.GOLD:
                problem = _("“%(words)s” is not in the text of the check.") % {"words": lacking}
                self.add_error(f"expected-{key}", problem)
        return cleaned

    def _expected(self, key: str) -> list[str]:
        """The words of expected errors; empty if the field states that there is no error."""
        lines = [line.strip() for line in self.cleaned_data.get(f"expected-{key}", "").splitlines()]
        return [line for line in lines if line and line != NONE]

    def _marked_text(self) -> str:
        """The text of the check in which errors are marked, without the signs of its components."""
        field = marked_field(self.version.blocks) if self.version else ""
        return unmark(self.cleaned_data.get(f"text-{field}", ""), field)[0]

    def _reference(self) -> dict[str, Any]:
        """Where errors are expected, by criterion."""
        text, found = self._marked_text(), {}
        for key, _name in self.marked:
            if self.cleaned_data[f"expected-{key}"].strip():
                starts = [(text.index(words), words) for words in self._expected(key)]
                found[key] = [[start, start + len(words)] for start, words in starts]
        return found

    def texts(self) -> dict[str, str]:
        """The texts of the check."""
        return {name: self.cleaned_data[f"text-{name}"] for name in self.shown}

    def lines(self) -> list[str]:
        """The answers or options."""
        return [line.strip() for line in self.cleaned_data["answers"].splitlines() if line.strip()]

    def settings(self) -> dict[str, Any]:
        """The settings of the kind, for `read_check`."""
        kind, lines = self.cleaned_data["kind"], self.lines()
        values = {key: self.cleaned_data[f"value-{key}"] for key, _ in self.rated}
        given = {key: value for key, value in values.items() if value is not None}
        tolerance = self.cleaned_data["tolerance"]
        if kind == CheckKind.INSTRUCTED:
            answers = {key: self.cleaned_data[f"answer-{key}"] for key, _ in self.answered}
            numbers = {key: plain_number(value) for key, value in given.items()}
            return {"told": numbers | {key: answer for key, answer in answers.items() if answer}}
        if kind == CheckKind.GOLD:
            return {
                "reference": given | self._reference(),
                "tolerance": 0 if tolerance is None else tolerance,
            }
        if kind == CheckKind.REPEAT:
            return {"criteria": list(values), "tolerance": 1 if tolerance is None else tolerance}
        if kind == CheckKind.TWIN:
            return {"criteria": list(values)}
        if kind == CheckKind.COMPREHENSION:
            return {"accepted": lines, "language": self.study.language}
        return {"right": lines[0] if lines else ""}


def has_more_settings(check: Check, version: FormVersion | None) -> bool:
    """Whether a check, as from a definition, has settings for which the form has no field.

    Parameters
    ----------
    check : Check
        A stored check.
    version : FormVersion or None
        The version of a form whose criteria the fields are about.
    """
    settings, tolerance = check.settings, check.settings.get("tolerance")
    rated, answered, marked = ({key for key, _name in criteria} for criteria in _by_use(version))
    shown = rated | answered | marked
    values = {**settings.get("told", {}), **settings.get("reference", {})}
    return (
        (isinstance(tolerance, dict) and len(set(tolerance.values())) > 1)
        or not values.keys() <= shown
        or not set(settings.get("criteria", rated)) >= rated
        or settings.get("language", check.study.language) != check.study.language
    )


def _proposed(check: ProposedCheck | None) -> dict[str, str]:
    """The fields of a proposed check."""
    if check is None:
        return {}
    texts = {f"text-{name}": text for name, text in check.texts.items()}
    return {"key": check.key, **texts, **{f"value-{key}": value for key, value in check.values.items()}}


def _initial(check: Check) -> dict[str, Any]:
    """The fields of a stored check as the form has them."""
    settings = check.settings
    values = settings.get("told") or settings.get("reference") or {}
    tolerance = settings.get("tolerance", 1)
    texts = check.item.fields if check.item else {}
    return {
        "kind": check.kind,
        # One number holds for all criteria; the widest where they differ.
        "tolerance": max(tolerance.values(), default=0) if isinstance(tolerance, dict) else tolerance,
        "original": check.original.key if check.original else "",
        **_own_question(check),
        **{f"{_field(value)}-{key}": value for key, value in values.items() if not isinstance(value, list)},
        **_expected_words(check),
        **{
            f"text-{name}": mark(text, name, check.item.components)
            for name, text in texts.items()
            if check.item
        },
    }


def _by_use(version: FormVersion | None) -> tuple[Named, Named, Named]:
    """Key and name of the criteria with numbers, of those with other references, and of marked errors."""
    criteria = list(version.criteria.all()) if version else []
    rated, marked = (
        [one for one in criteria if one.question_kind.yields is yields]
        for yields in (Yields.NUMBER, Yields.ERRORS)
    )
    answered = [one for one in criteria if one.question_kind.has_reference and one not in rated]
    return _named(rated), _named(answered), _named(marked)


def _named(criteria: Sequence[Criterion]) -> Named:
    return [(one.key, one.name) for one in criteria]


def _expected_words(check: Check) -> dict[str, str]:
    """The words of expected errors of a stored check, one per line."""
    version = check.form.versions.latest("number", "correction")
    text = check.item.fields.get(marked_field(version.blocks), "") if check.item else ""
    return {
        f"expected-{key}": "\n".join(text[start:end] for start, end in spans) or NONE
        for key, spans in check.settings.get("reference", {}).items()
        if isinstance(spans, list)
    }


def _field(value: float | str) -> str:
    return "answer" if isinstance(value, str) else "value"


def _own_question(check: Check) -> dict[str, str]:
    """The question that only this check asks, with its answers, the right one first."""
    if not check.form.planted:
        return {}
    criterion = Criterion.objects.filter(version__form=check.form).latest(
        "version__number", "version__correction"
    )
    right = check.settings.get("right", "")
    options = [point.value for point in criterion.points.all() if point.value != right]
    answers = [right, *options] if right else check.settings.get("accepted", [])
    return {"question": criterion.question, "answers": "\n".join(answers)}
