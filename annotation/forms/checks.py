"""The form that sets up attention checks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.numbers import plain_number
from annotation.domain.base.states import DesignKind, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.forms.base import NameField, TextField, items_between_checks, shown_text
from annotation.models import Check, Criterion, FormVersion, Study
from annotation.protocols.markup import mark
from annotation.selectors.base.item_search import item_columns
from annotation.selectors.quality.proposed_check import (
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
}


# Kinds for which a text that says what to choose is no mistake, or that show no text of their own.
MAY_INSTRUCT = (CheckKind.INSTRUCTED, CheckKind.REPEAT)


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
        criteria = version.criteria.filter(kind__in=keys_yielding(Yields.NUMBER)) if version else []
        self.rated = [(criterion.key, criterion.name) for criterion in criteria]
        for name in self.shown:
            self.fields[f"text-{name}"] = shown_text(name, labels.get(name))
        for key, name in self.rated:
            self.fields[f"value-{key}"] = forms.FloatField(
                label=_("Value of %(name)s (instructed response, gold item)") % {"name": name}, required=False
            )
        if self.proposed and study.check_every is None and study.design != DesignKind.BATCHES:
            self.fields["check_every"] = items_between_checks(initial=propose_items_between(study))
        for name, value in _proposed(self.proposed).items():
            if name != "key" and name in self.fields:
                self.fields[name].widget.attrs["data-proposed"] = value

    def fields_by_kind(self) -> list[tuple[BoundField, str]]:
        """Each field with the kinds of check that use it, between spaces; none where all do."""
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
        return cleaned

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
            return {"told": {key: plain_number(value) for key, value in given.items()}}
        if kind == CheckKind.GOLD:
            return {"reference": given, "tolerance": 0 if tolerance is None else tolerance}
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
    criteria = version.criteria.filter(kind__in=keys_yielding(Yields.NUMBER)) if version else []
    rated = {criterion.key for criterion in criteria}
    values = {**settings.get("told", {}), **settings.get("reference", {})}
    return (
        (isinstance(tolerance, dict) and len(set(tolerance.values())) > 1)
        or not values.keys() <= rated
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
        **{f"value-{key}": value for key, value in values.items()},
        **{
            f"text-{name}": mark(text, name, check.item.components)
            for name, text in texts.items()
            if check.item
        },
    }


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
