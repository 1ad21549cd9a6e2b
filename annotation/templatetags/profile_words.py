"""Words for the indicators of a rater’s profile."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from annotation.domain.quality.careless_responding import Indicator
from annotation.templatetags.components import minus

register = template.Library()


@register.filter
def indicator_name(indicator: Indicator) -> str:
    """What an indicator measures."""
    names = {
        "too_fast": _("Pages answered faster than reading speed"),
        "under_minimum": _("Pages below the minimum page time"),
        "long_string": _("Longest run of the same value"),
        "flat_pages": _("Pages with the same value on every criterion"),
        "spread": _("Spread of values (share of the scale)"),
        "correlation": _("Held-out correlation with the other raters"),
        "checks": _("Attention checks passed"),
        "pasted": _("Pasted texts"),
        "tab_away": _("Times the rater left the page"),
    }
    return names.get(indicator.key, indicator.key)


@register.filter
def indicator_value(indicator: Indicator) -> str:
    """The value as a percentage, a count or a number; a dash if there is none."""
    if indicator.value is None:
        return "–"
    if indicator.key in {"too_fast", "under_minimum", "flat_pages", "checks"}:
        return f"{100 * indicator.value:.0f}%"
    if indicator.key in {"long_string", "pasted", "tab_away"}:
        return f"{indicator.value:.0f}"
    return minus(f"{indicator.value:.2f}")


@register.filter
def indicator_reason(indicator: Indicator) -> str:
    """The reason for a missing flag."""
    reasons = {
        "not_timed": _("no times stored"),
        "no_minimum": _("no minimum page time"),
        "too_few_criteria": _("too few criteria on a page"),
        "no_other_raters": _("no other rater of these items"),
        "others_left_out": _("all other ratings of these items are excluded or late"),
        "no_checks": _("no attention check answered"),
        "too_few_checks": _("too few checks to distinguish from chance"),
        "no_threshold": _("no threshold"),
        "not_counted": _("not counted by the browser"),
        "too_few_answers": _("too few answers"),
        "constant_answers": _("same value throughout"),
        "constant_reference": _("no variance among the other raters"),
    }
    return reasons.get(indicator.reason, indicator.reason)
