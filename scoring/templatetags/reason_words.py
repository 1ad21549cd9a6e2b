"""Short words for the reasons of missing estimates, and other names stored in reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

from annotation.templatetags.rater_words import named
from scoring.stats.base.cautions import cautions_of

register = template.Library()


WORDS = {
    "constant_ratings": _("ratings do not vary"),
    "no_item_variance": _("items do not differ"),
    "no_overlap": _("no item has two ratings"),
    "too_few_raters": _("too few raters"),
    "too_few_items": _("too few items"),
    "too_few_sets": _("too few sets"),
    "too_few_groups": _("too few groups"),
    "too_few_systems": _("too few systems"),
    "no_unrated_items": _("every scored item is rated"),
    "too_few_pairs": _("too few pairs"),
    "too_many_items": _("too many items"),
    "too_many_raters": _("too many raters"),
    "anonymous_raters": _("raters are not identified"),
    "undefined_replicates": _("undefined in too many bootstrap samples"),
    "biased_replicates": _("no limits by resampling"),
    "no_limits_in_range": _("no limits within the range"),
    "not_connected": _("pairs are not connected"),
    "not_converged": _("estimation did not converge"),
    "tied_ranks": _("options share a rank"),
    "continuous_scale": _("scale has no categories"),
    "no_rater_variance": _("variance of raters estimated as 0"),
    "confounded": _("effects cannot be separated"),
    "no_residual_variance": _("nothing is left over for an error"),
    "unsuitable_unit": _("unit of the ratings is too large or too small"),
    "unbounded_scale": _("raters agree too closely, or a category is too rare"),
    "too_many_systems": _("too many systems"),
    "not_identified": _("an estimate has no bound"),
    "unused_value": _("a rater never gives one of the values"),
    "too_many_thresholds": _("too many thresholds"),
    "incomplete_design": _("not every rater rated every item"),
    "too_few_tests": _("only one test"),
    "other_scale": _("the two scales differ"),
    "negative_values": _("ratings below 0"),
    "options_differ": _("options differ between items"),
    "not_located": _("not located"),
    "nothing_marked": _("nothing marked"),
    "constant_scores": _("scores do not vary"),
    "constant_means": _("means do not vary"),
    "no_groups": _("no groups"),
    "no_systems": _("no systems"),
    "no_defined_group": _("undefined in every group"),
    "negative_reliability": _("negative reliability"),
    "negative_radicand": _("test undefined: root of a negative number"),
    "undefined_correlation": _("a correlation is undefined"),
    "not_asked": _("not requested"),
    "grouped_items": _("items belong to groups"),
    "nothing_held_out": _("too few groups or items to hold any out"),
    "unknown_coverage": _("coverage not known"),
    "zero_shares": _("the judge gives an answer of raters no probability"),
    "no_order": _("options have no order"),
    "no_probabilities": _("the judge gives no probabilities"),
    "no_distribution": _("one answer per item and no probabilities"),
    # Why answers of a judge are not compared
    "not_rated": _("no rater has answered it"),
    "no_scale": _("numbers without a scale are not compared"),
    "several_options": _("several options per answer are not compared"),
    "orders": _("orders are not compared"),
    "words": _("written answers are not compared"),
    "marked_text": _("marked text is not compared"),
    # Cautions about figures that there are
    "edge_of_range": _("limit at the end of the range"),
    "few_items": _("few items"),
    "few_groups": _("few groups"),
    "few_raters": _("few raters"),
    "skewed_ratings": _("over half of the ratings at one end"),
    "few_for_ranks": _("few items or groups for ranks of more than 10 systems"),
    "zero_width": _("both limits are the same: the width of 0 is no certainty"),
    "boundary": _("component at its limit"),
}
EQUIVALENCE = {
    "equivalent": _("equivalent"),
    "beyond_margin": _("beyond the margin"),
    "undecided": _("inconclusive"),
}
STATUS_WORDS = {
    "reproduces": _("reproduced"),
    "last-digit": _("differs in the last digit"),
    "differs": _("different"),
    "not-computable": _("not computable"),
    "no-paper-figure": _("not printed in the paper"),
}
WORLDS = {
    "none": _("Nothing excluded"),
    "declared": _("All rules declared before opening"),
    "all": _("All rules together"),
    "standing": _("Active exclusions"),
}
REPORTS = {
    "reliability": _("Reliability"),
    "metrics": _("Metrics"),
    "comparison": _("Comparison of metrics"),
    "mixed_model": _("Ordinal mixed model"),
    "generalisability": _("Generalisability"),
    "new_raters": _("Agreement for new raters"),
}
FACTORS = {
    "items": _("Items"),
    "raters": _("Raters"),
    "groups": _("Groups"),
    "rest": _("Rest"),
}
EFFECTS = {
    "item": _("Items"),
    "rater": _("Raters"),
    "criterion": _("Criteria"),
    "group": _("Groups"),
    "item:rater": _("Items × raters"),
    "item:criterion": _("Items × criteria"),
    "rater:criterion": _("Raters × criteria"),
    "group:rater": _("Groups × raters"),
    "group:criterion": _("Groups × criteria"),
    "residual": _("Residual"),
}
READINGS = {
    "one_criterion": _("Coefficients"),
    "these_criteria": _("These criteria"),
    "new_criteria": _("New criteria like these"),
}
TABLES_OF_MODEL = {
    "adjusted-means": _("Adjusted means"),
    "rater-thresholds": _("Thresholds of each rater"),
    "differences": _("Pairwise differences, adjusted"),
    "severity": _("Severity of raters"),
    "variance": _("Where the variance is"),
    "components": _("Variance components"),
    "coefficients": _("Coefficients"),
    "d-study": _("Other numbers of raters"),
}
JOB_STATES = {"queued": _("waiting"), "running": _("running"), "failed": _("failed")}
EXCLUSIONS = {
    "by_hand": _("excluded manually"),
    "withdrawn": _("withdrawn raters"),
}


@register.filter
def reason_words(reason: str) -> str:
    """`too_few_items` → “too few items”; a reason without words of its own is unchanged."""
    return named(WORDS, reason)


@register.filter
def cautions(signature: str) -> tuple[str, ...]:
    """Codes of the cautions that the signature of a figure has."""
    return cautions_of(signature)


@register.filter
def equivalence_words(verdict: str) -> str:
    """Words for the outcome of a test of equivalence; anything else stays as it is."""
    return str(EQUIVALENCE.get(verdict, verdict))


@register.filter
def status_words(status: str) -> str:
    """How a recomputed value compares with the printed one: `last-digit` → “differs in the last digit”."""
    return named(STATUS_WORDS, status)


@register.filter
def world_name(world: Mapping[str, Any]) -> str:
    """The name of a set of exclusions in the multiverse table; a rule keeps the name it was given."""
    return str(WORLDS.get(world["key"], world["name"]))


@register.filter
def exclusion_words(rule: str) -> str:
    """How responses were excluded: `by_hand` → “excluded manually”; the key of a rule is unchanged."""
    return named(EXCLUSIONS, rule)


@register.filter
def factor_words(factor: str) -> str:
    """A random factor of a mixed model: `items` → “Items”."""
    return named(FACTORS, factor)


@register.filter
def effect_words(effect: str) -> str:
    """A random effect of generalisability: `item:rater` → “Items × raters”."""
    return named(EFFECTS, effect)


@register.filter
def reading_words(criteria: str) -> str:
    """How the criteria are read: `new_criteria` → “New criteria like these”."""
    return named(READINGS, criteria)


@register.filter
def model_table_words(what: str) -> str:
    """A table of a mixed model: `adjusted-means` → “Adjusted means”."""
    return named(TABLES_OF_MODEL, what)


@register.filter
def report_name(kind: str) -> str:
    """The page of a report: `reliability` → “Reliability”."""
    return named(REPORTS, kind)


@register.filter
def job_state(state: str) -> str:
    """The state of a job that has not ended well: `queued` → “waiting”."""
    return named(JOB_STATES, state)
