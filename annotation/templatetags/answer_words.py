"""Reasons that raters give, in words: why an item could not be rated, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.translation import gettext as _

from annotation.domain.base.states import ProblemReason

register = template.Library()


@register.filter
def cannot_rate_words(reason: str) -> str:
    """Words for a reason code; a reason from an imported file stays as it is."""
    return {"lacks_context": _("not enough context"), "other": _("another reason")}.get(reason, reason)


@register.filter
def component_words(parts: Iterable[str]) -> list[str]:
    """The names of marked components; a name of a researcher’s own stays as it is."""
    words = {"topic": _("topic"), "vehicle": _("vehicle"), "event": _("event"), "property": _("property")}
    return [words.get(part, part) for part in parts]


@register.filter
def problem_words(reason: str) -> str:
    """Words for what a rater reports about an item."""
    return {
        ProblemReason.TEXT_MISSING: _("A word or sentence is missing"),
        ProblemReason.WRONG_MARK: _("The wrong words are marked"),
        ProblemReason.UPSETTING: _("It upsets or offends me"),
        ProblemReason.PAGE_BROKEN: _("Something on the page does not work"),
        ProblemReason.OTHER: _("Something else"),
        ProblemReason.COMMENT: _("Comment"),
    }[ProblemReason(reason)]
