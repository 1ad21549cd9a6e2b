"""Amounts, times and reasons of the page about pay, in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()
MINUTE = 60
LONG = 120


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds up to two minutes, then minutes; a dash if nothing is known."""
    if seconds is None:
        return "–"
    if 0 < seconds < 1:
        return _("less than 1 s")
    if seconds < LONG:
        return _("%(n)d s") % {"n": round(seconds)}
    return _("%(n)d min") % {"n": round(seconds / MINUTE)}


@register.filter
def pay_reason(reason: str) -> str:
    """The reason for a missing statistic."""
    reasons = {
        "nobody_yet": _("no completed work yet"),
        "no_time": _("no times stored"),
        "published": _("published ratings: collection has ended"),
    }
    return reasons.get(reason, reason)


@register.filter
def bonus_reason(reason: str) -> str:
    """The purpose of a line of the bonus list."""
    reasons = {
        "top_up": _("top-up"),
        "bonus": _("bonus"),
        "top_up+bonus": _("top-up and bonus"),
    }
    return reasons.get(reason, reason)
