"""Words for attention checks and their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.domain.quality.checks import CheckKind
from annotation.models import Check, CheckVerdict
from config.formats.enumeration import joined

register = template.Library()
Settings = Mapping[str, Any]
Names = Mapping[str, str]


@register.filter
def passes_when(check: Check, names: Mapping[tuple[int, str], str] | None = None) -> str:
    """What a rater must do to pass the check; completes “Passed if the rater”.

    A criterion without a name in `names`, by form and key, appears under its key.
    """
    of_form = {key: name for (form, key), name in (names or {}).items() if form == check.form_id}
    return SENTENCES[CheckKind(check.kind)](check.settings, of_form)


@register.filter
def verdict_words(verdict: CheckVerdict) -> str:
    """The reason for a result, shown after “passed”, “failed” or “cannot tell”."""
    words = {
        "as_told": _("followed the instruction"),
        "not_as_told": _("did not follow the instruction"),
        "within_tolerance": _("within the tolerance"),
        "outside_tolerance": _("outside the tolerance"),
        "twin_lower": _("rated below its original"),
        "twin_not_lower": _("not rated below its original"),
        "accepted": _("accepted answer"),
        "not_accepted": _("answer not accepted"),
        "right": _("correct option"),
        "wrong": _("wrong option"),
        "not_answered": _("not answered"),
        "no_earlier_answer": _("no earlier answer to compare"),
        "waiting_for_original": _("original not rated yet"),
        "original_at_bottom": _("original already has the lowest values"),
    }
    return words.get(verdict.reason, verdict.reason)


def _instructed(settings: Settings, names: Names) -> str:
    values = joined(f"{names.get(key, key)} {value}" for key, value in settings["told"].items())
    return _("follows the instruction: %(values)s") % {"values": values}


def _gold(settings: Settings, names: Names) -> str:
    bands = joined(
        f"{names.get(key, key)} {_reference(reference)} ± {settings['tolerance'].get(key, 0):g}"
        for key, reference in settings["reference"].items()
    )
    return _("answers within the tolerance: %(bands)s") % {"bands": bands}


def _reference(reference: float | Sequence[Sequence[int]]) -> str:
    if isinstance(reference, float | int):
        return f"{reference:g}"
    return ", ".join(f"{start}–{end}" for start, end in reference) or _("no error")


def _repeat(settings: Settings, names: Names) -> str:
    given = {"criteria": _named_in(settings, names), "band": f"{settings['tolerance']:g}"}
    return _("repeats the first rating, ± %(band)s: %(criteria)s") % given


def _twin(settings: Settings, names: Names) -> str:
    given = {"criteria": _named_in(settings, names)}
    return _("rates the item lower than its original: %(criteria)s") % given


def _named_in(settings: Settings, names: Names) -> str:
    return joined(names.get(key, key) for key in settings["criteria"])


def _comprehension(settings: Settings, names: Names) -> str:
    accepted = _("” or “").join(settings["accepted"])
    return _("answers %(criterion)s with “%(accepted)s”") % {
        "criterion": names.get(settings["criterion"], settings["criterion"]),
        "accepted": accepted,
    }


def _knowledge(settings: Settings, names: Names) -> str:
    criterion = names.get(settings["criterion"], settings["criterion"])
    return _("answers %(criterion)s with “%(right)s”") % {**settings, "criterion": criterion}


SENTENCES: dict[CheckKind, Callable[[Settings, Names], str]] = {
    CheckKind.INSTRUCTED: _instructed,
    CheckKind.GOLD: _gold,
    CheckKind.REPEAT: _repeat,
    CheckKind.TWIN: _twin,
    CheckKind.COMPREHENSION: _comprehension,
    CheckKind.KNOWLEDGE: _knowledge,
}


@register.filter
def check_kind(kind: str) -> str:
    """The name of a kind of check."""
    return {
        CheckKind.INSTRUCTED: _("instructed response"),
        CheckKind.GOLD: _("gold item"),
        CheckKind.REPEAT: _("repeated item"),
        CheckKind.TWIN: _("degraded twin"),
        CheckKind.COMPREHENSION: _("comprehension question"),
        CheckKind.KNOWLEDGE: _("knowledge question"),
    }[CheckKind(kind)]


@register.filter
def check_result(result: str) -> str:
    """What a rater did on one check, in a cell of a table."""
    return {
        "passed": _("passed"),
        "failed": _("failed"),
        "undecided": _("no result"),
        "not_reached": _("not reached"),
    }[result]
