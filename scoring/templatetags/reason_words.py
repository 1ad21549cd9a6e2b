"""Why a figure is not there, in the few words that a cell of a table holds."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()


WORDS = {
    "constant_ratings": _("ratings do not vary"),
    "no_item_variance": _("items do not differ"),
    "no_overlap": _("no item has two ratings"),
    "too_few_raters": _("too few raters"),
    "too_few_items": _("too few items"),
    "too_few_groups": _("too few groups"),
    "too_few_systems": _("too few systems"),
    "too_few_pairs": _("too few pairs"),
    "too_many_items": _("too many items"),
    "too_many_raters": _("too many raters"),
    "anonymous_raters": _("raters are not identified"),
    "undefined_replicates": _("undefined in too many draws"),
    "biased_replicates": _("no bound by resampling"),
    "no_limits_in_range": _("no limits within the range"),
    "not_connected": _("pairs are not connected"),
    "not_converged": _("not found in many steps"),
    "continuous_scale": _("scale has no categories"),
    "incomplete_design": _("not every rater rated every item"),
    "negative_values": _("ratings below zero"),
    "options_differ": _("options differ by item"),
    "not_located": _("not located"),
    "nothing_marked": _("nothing marked"),
    "constant_scores": _("scores do not vary"),
    "constant_means": _("means do not vary"),
    "no_groups": _("no groups"),
    "no_systems": _("no systems"),
    "no_defined_group": _("undefined in every group"),
    "negative_reliability": _("reliability below nought"),
    "negative_radicand": _("no test: root of a negative number"),
    "undefined_correlation": _("a correlation is undefined"),
    "not_asked": _("not asked for"),
}
STATUS_WORDS = {
    "reproduces": _("reproduced"),
    "last-digit": _("off in the last digit"),
    "differs": _("different"),
    "not-computable": _("not computable"),
    "no-paper-figure": _("not printed in the paper"),
}


@register.filter
def reason_words(reason: str) -> str:
    """`too_few_items` → “too few items”; a reason without words of its own is unchanged."""
    return str(WORDS.get(reason, reason))


@register.filter
def status_words(status: str) -> str:
    """How a recomputed figure compares with the printed one: `last-digit` → “off in the last digit”."""
    return str(STATUS_WORDS.get(status, status))
