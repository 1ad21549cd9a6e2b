"""Indicators of a rater's profile in words."""

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
        "too_fast": _("Pages answered faster than they can be read"),
        "under_minimum": _("Pages under the study’s minimum time"),
        "long_string": _("Longest run of one value"),
        "flat_pages": _("Pages with one value on every criterion"),
        "spread": _("Spread of the values, in widths of the scale"),
        "correlation": _("Correlation with the other raters, held out"),
        "checks": _("Attention checks passed"),
        "pasted": _("Texts pasted"),
        "tab_away": _("Times the page was left"),
    }
    return names.get(indicator.key, indicator.key)


@register.filter
def indicator_value(indicator: Indicator) -> str:
    """Its value as a share, a count or a number; a dash where there is none."""
    if indicator.value is None:
        return "–"
    if indicator.key in {"too_fast", "under_minimum", "flat_pages", "checks"}:
        return f"{100 * indicator.value:.0f} %"
    if indicator.key in {"long_string", "pasted", "tab_away"}:
        return f"{indicator.value:.0f}"
    return minus(f"{indicator.value:.2f}")


@register.filter
def indicator_reason(indicator: Indicator) -> str:
    """Why nothing can be said."""
    reasons = {
        "not_timed": _("no times are stored"),
        "no_minimum": _("the study has no minimum time"),
        "too_few_criteria": _("too few criteria on a page"),
        "no_other_raters": _("no other rater has rated these items"),
        "others_left_out": _("all other raters of these items, or their ratings, are excluded or late"),
        "no_checks": _("no check was answered"),
        "too_few_checks": _("too few checks to tell from chance"),
        "no_threshold": _("counted, not judged"),
        "not_counted": _("no browser counted it"),
        "too_few_answers": _("too few answers"),
        "constant_answers": _("one value throughout"),
        "constant_reference": _("the others do not differ"),
    }
    return reasons.get(indicator.reason, indicator.reason)
