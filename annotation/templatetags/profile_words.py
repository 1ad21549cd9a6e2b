"""Words for the indicators of a rater’s profile."""

from __future__ import annotations

from dataclasses import replace

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.quality.careless_responding import Indicator, Limits, Profile, flags
from annotation.domain.quality.reviewed_flags import (
    FEWEST_CHECKS_MORE,
    FEWEST_MORE,
    LEAST_CORRELATION,
    LEAST_SHARE,
)
from annotation.selectors.people.silent_raters import SILENT_DAYS
from annotation.selectors.quality.rater_evidence import RaterEvidence
from annotation.selectors.quality.raters_to_review import Sign
from annotation.templatetags.components import minus

register = template.Library()


@register.filter
def indicator_name(indicator: Indicator) -> str:
    """What an indicator measures."""
    return indicator_title(indicator.key)


def indicator_title(key: str) -> str:
    """The name of the indicator with a key."""
    names = {
        "too_fast": _("Pages answered faster than reading speed"),
        "under_minimum": _("Pages below the minimum page time"),
        "long_string": _("Longest run of the same value on one criterion"),
        "flat_pages": _("Pages with the same value on every criterion"),
        "spread": _("Spread of values (share of the scale)"),
        "correlation": _("Held-out correlation with the other raters"),
        "checks": _("Attention checks passed"),
        "pasted": _("Pasted texts"),
        "tab_away": _("Times the rater left the page"),
    }
    return names.get(key, key)


@register.filter
def indicator_evidence(indicator: Indicator) -> str:
    """What a flagged indicator was computed from, in numbers, as a sentence; it names no cause.

    Chance is computed from the rater's own shares of values, so it is uninformative for a rater with one
    value throughout.
    """
    expected = float(str(indicator.detail.get("expected", 0))) * int(str(indicator.detail.get("n", 0)))
    sentences = {
        "too_fast": _(
            "Faster than reading speed on %(below)d of %(n)d pages: median %(median_seconds).1f s, "
            "reading takes at least %(median_least).1f s."
        ),
        "under_minimum": _("Below the minimum page time on %(below)d of %(n)d pages."),
        "long_string": _("The same value on %(value)d pages in a row; about %(expected).0f by chance."),
        "flat_pages": _(
            "The same value on every criterion on %(flat)d of %(n)d pages; about %(by_chance).0f by chance."
        )
        if expected < int(str(indicator.detail.get("flat", 0)))
        else _("The same value on every criterion on %(flat)d of %(n)d pages."),
        "spread": _(
            "Almost the same value throughout: the standard deviation is %(percent).0f%% of the scale."
        ),
        "correlation": _("Held-out correlation with the other raters: %(correlation)s over %(n)d items."),
        "checks": _(
            "Passed %(passed)d of %(n)d attention checks; at least as many by chance with a probability of "
            "%(p).2f."
        )
        if indicator.detail.get("passed")
        else _("Passed %(passed)d of %(n)d attention checks."),
    }
    if indicator.key not in sentences or indicator.value is None:
        return f"{indicator_name(indicator)}: {indicator_value(indicator)}"
    values = {
        **indicator.detail,
        "value": indicator.value,
        "percent": 100 * indicator.value,
        "correlation": minus(f"{indicator.value:.2f}"),
        "by_chance": expected,
    }
    return sentences[indicator.key] % values


@register.filter
def usual_value(sign: Sign) -> str:
    """The median of an indicator over the raters examined, in the unit of its evidence; empty without one."""
    if sign.usual is None:
        return ""
    if sign.indicator.key == "spread":
        return f"{100 * sign.usual:.0f}%"
    return indicator_value(replace(sign.indicator, value=sign.usual))


@register.simple_tag
def review_thresholds() -> list[str]:
    """The thresholds beyond which raters are listed, each as a sentence."""
    limits = Limits()
    pages = {"n": limits.fewest}
    timed = {
        "n": limits.fewest_timed,
        "fast": 100 * limits.share_too_fast,
        "under": 100 * limits.share_under_minimum,
    }
    inactive = ngettext(
        "Inactive: began, has not finished, and saved nothing for more than %(n)d day.",
        "Inactive: began, has not finished, and saved nothing for more than %(n)d days.",
        SILENT_DAYS,
    )
    return [
        _(
            "Reading speed: more than %(fast).0f%% of the timed pages are faster than twice the usual speed "
            "(from %(n)d pages)."
        )
        % timed,
        _("Minimum page time: more than %(under).0f%% of the timed pages are below it (from %(n)d pages).")
        % timed,
        _("Attention checks: random answers would pass as many with a probability of at least %(p).2f.")
        % {"p": limits.by_chance},
        _(
            "Same value on every criterion: on more than %(share).0f%% of the pages "
            "(from %(n)d pages and %(k)d criteria)."
        )
        % {**pages, "share": 100 * limits.share_flat, "k": limits.fewest_criteria},
        _("Same value in a row: a run with a probability of at most %(p).3f by chance (from %(n)d pages).")
        % {**pages, "p": limits.rare},
        _("Spread: a standard deviation below %(share).0f%% of the scale (from %(n)d pages).")
        % {**pages, "share": 100 * limits.spread},
        _("Agreement: a held-out correlation below %(r).2f (from %(n)d items that others rated too).")
        % {**pages, "r": limits.correlation},
        _listed_again(),
        inactive % {"n": SILENT_DAYS},
    ]


def _listed_again() -> str:
    """When a retained rater is listed again, as a sentence."""
    sentence = _(
        "Kept raters: another flag, or one that is clearly worse than at the decision. A share (pages, "
        "checks) has then grown by half, or by half of what was missing to 100%%, by at least %(points).0f "
        "percentage points, and concerns %(more)d more pages or %(checks)d more checks; a run has grown by "
        "half and by %(more)d pages; the spread has halved or the correlation has fallen by %(r).1f, over "
        "%(more)d more pages."
    )
    return sentence % {
        "points": 100 * LEAST_SHARE,
        "more": FEWEST_MORE,
        "checks": FEWEST_CHECKS_MORE,
        "r": LEAST_CORRELATION,
    }


@register.filter
def percentage(share: float) -> str:
    """A share as raters’ pages write it, as in “8%”."""
    return f"{100 * share:.0f}%"


@register.filter
def indicator_value(indicator: Indicator) -> str:
    """The value as a percentage, a count or a number; a dash if there is none."""
    if indicator.value is None:
        return "–"
    if indicator.key in {"too_fast", "under_minimum", "flat_pages", "checks"}:
        return percentage(indicator.value)
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
        "no_ends": _("the numbers have no lowest and highest value"),
        "too_few_answers": _("too few answers"),
        "constant_answers": _("same value throughout"),
        "constant_reference": _("no variance among the other raters"),
    }
    return reasons.get(indicator.reason, indicator.reason)


@register.filter
def flags_of_profile(made: Profile) -> tuple[Indicator, ...]:
    """The indicators of a profile that ask for a review."""
    return flags(made)


@register.filter
def in_favour(found: RaterEvidence) -> list[str]:
    """What speaks for a rater, in numbers, each as a sentence."""
    known = {one.key: one for one in found.profile.indicators if one.value is not None}
    sentences = []
    checks, fast, agreement = known.get("checks"), known.get("too_fast"), known.get("correlation")
    if checks and checks.detail["passed"]:
        sentences.append(_("Passed %(passed)d of %(n)d attention checks.") % checks.detail)
    if fast and not fast.value:
        sentences.append(_("No page was faster than reading speed."))
    if agreement and not agreement.flagged:
        sentences.append(indicator_evidence(agreement))
    if found.values_used > 1:
        sentences.append(_("Used %(n)d different values.") % {"n": found.values_used})
    if found.n_comments:
        comments = ngettext("Wrote %(n)d comment.", "Wrote %(n)d comments.", found.n_comments)
        sentences.append(comments % {"n": found.n_comments})
    if "tab_away" in known and not known["tab_away"].value:
        sentences.append(_("Never left the page while rating."))
    return sentences
