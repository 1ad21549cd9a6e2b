"""Amounts, times and reasons of the page about pay, in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()
MINUTE = 60
LONG = 120


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds up to two minutes, less than one as such, then minutes; a dash where nothing is known."""
    if seconds is None:
        return "–"
    if 0 < seconds < 1:
        return _("less than 1 s")
    if seconds < LONG:
        return f"{seconds:.0f} s"
    return f"{seconds / MINUTE:.0f} min"


@register.filter
def pay_reason(reason: str) -> str:
    """Why a figure is not there."""
    reasons = {
        "nobody_yet": _("nobody has finished what is paid for yet"),
        "no_time": _("no times are stored"),
        "published": _("published ratings: nothing more is collected"),
    }
    return reasons.get(reason, reason)


@register.filter
def bonus_reason(reason: str) -> str:
    """What a line of the bonus list is for."""
    reasons = {
        "top_up": _("up to the floor"),
        "bonus": _("bonus"),
        "top_up+bonus": _("up to the floor, and bonus"),
    }
    return reasons.get(reason, reason)
