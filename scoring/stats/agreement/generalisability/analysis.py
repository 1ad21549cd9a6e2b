"""Generalisability of the ratings of a criterion, or of several on one scale, in words of the data."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
import pandas as pd

from scoring.stats.agreement.generalisability.dependability import (
    Coefficients,
    Component,
    coefficients,
    components_of,
    projected,
)
from scoring.stats.agreement.generalisability.estimation import ComponentFit, NotEstimated, fit_components
from scoring.stats.agreement.generalisability.facets import (
    CRITERION,
    GROUP,
    ITEM,
    RATER,
    RESIDUAL,
    FacetDesign,
)
from scoring.stats.agreement.generalisability.weights import planned_weights, weights_at_hand
from scoring.stats.base.resampling import FloatArray, IntArray, Tick, ignore_progress

FEWEST_GROUPS = 3
# With fewer, intervals of coefficients that count their variance contain the true value too rarely.
ENOUGH_RATERS, ENOUGH_GROUPS = 10, 10
FEW_RATERS, FEW_GROUPS = "few_raters", "few_groups"
# Squares of variances of ratings that differ by more overflow, and of less vanish.
SMALLEST_SPREAD, GREATEST_SPREAD = 1e-70, 1e70
RATERS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
# What the criteria represent: a single criterion, exactly these ones, or a sample of possible ones.
ONE, THESE, NEW = "one_criterion", "these_criteria", "new_criteria"


@dataclass(frozen=True)
class StudyRow:
    """A number of raters per item, in a D study."""

    raters: int
    same: Coefficients  # All items have the same raters
    different: Coefficients  # Each item has its own


@dataclass(frozen=True)
class Reading:
    """The coefficients for one view of what the criteria represent."""

    criteria: str  # `one_criterion`, `these_criteria` or `new_criteria`
    at_hand: Coefficients
    study: tuple[StudyRow, ...]


@dataclass(frozen=True)
class Generalisability:
    """Components and coefficients of one set of ratings."""

    criteria: tuple[str, ...]
    counts: dict[str, int]  # Levels of each facet, and `ratings`
    # raters, criteria per item: Harmonic means over the items
    raters_per_item: float
    criteria_per_item: float
    components: tuple[Component, ...]
    readings: tuple[Reading, ...]
    cautions: tuple[str, ...]  # `few_raters`, for Φ and for Eρ² with different raters, and `few_groups`
    fit: ComponentFit


def generalisability(
    frame: pd.DataFrame,
    *,
    confidence: float = 0.95,
    raters: Sequence[int] = RATERS,
    tick: Tick = ignore_progress,
) -> Generalisability:
    """Variance components of item, rater, criterion, group and their interactions, and what they mean.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns `item`, `rater`, `criterion`, `value`, and `group` if items belong to groups; one row a
        rating. Rows without a value are left out. Several criteria are a facet; they need one scale.
    confidence : float
        Coverage of each interval.
    raters : sequence of int
        Numbers of raters per item of the D study.
    tick : callable
        Called with 0 at each evaluation of the likelihood.

    Returns
    -------
    Generalisability

    Raises
    ------
    NotEstimated
        `constant_ratings`, `too_few_items`, `too_few_raters`, `too_few_groups`, `confounded`,
        `no_residual_variance`, `unsuitable_unit`, `too_many_items` or `not_converged`.

    References
    ----------
    Cronbach, Gleser, Nanda & Rajaratnam (1972), The Dependability of Behavioral Measurements; Shavelson &
    Webb (1991), Generalizability Theory: A Primer; Brennan (2001), Generalizability Theory.
    """
    rated = frame[frame["value"].notna()]
    facets = {name: _codes(rated[name]) for name in (ITEM, RATER, CRITERION, GROUP) if name in rated}
    criteria = tuple(map(str, rated[CRITERION].drop_duplicates()))
    if len(criteria) == 1:
        del facets[CRITERION]
    value = rated["value"].to_numpy(dtype=np.float64)
    counts = {name: int(codes.max(initial=-1)) + 1 for name, codes in facets.items()}
    _check(value, counts)
    design = FacetDesign.of(value, facets)
    fit = fit_components(design, tick)
    readings = (ONE,) if len(criteria) == 1 else (THESE, NEW)
    per_item = _per_item(facets)
    return Generalisability(
        criteria,
        {**counts, "ratings": len(value)},
        *per_item,
        components_of(fit, confidence),
        tuple(_reading(one, design, fit, per_item[1], raters, confidence) for one in readings),
        _cautions(counts),
        fit,
    )


def _cautions(counts: dict[str, int]) -> tuple[str, ...]:
    few = ((FEW_RATERS, counts[RATER], ENOUGH_RATERS), (FEW_GROUPS, counts.get(GROUP, inf), ENOUGH_GROUPS))
    return tuple(code for code, number, enough in few if number < enough)


def _codes(labels: pd.Series) -> IntArray:
    return np.asarray(pd.factorize(labels.astype(str), sort=True)[0], dtype=np.int64)


def _check(value: FloatArray, counts: dict[str, int]) -> None:
    for facet, fewest in ((ITEM, 2), (RATER, 2), (GROUP, FEWEST_GROUPS)):
        if counts.get(facet, fewest) < fewest:
            raise NotEstimated(
                f"too_few_{facet}s", f"{counts[facet]} {facet}: a variance needs at least {fewest}"
            )
    if value.min() == value.max():
        raise NotEstimated("constant_ratings", "all ratings are equal: there is no variance to divide")
    if not SMALLEST_SPREAD <= float(np.ptp(value)) <= GREATEST_SPREAD:
        raise NotEstimated(
            "unsuitable_unit",
            f"ratings differ by up to {float(np.ptp(value)):.3g}: their variances are no numbers that can be"
            " computed with; use another unit",
        )


def _per_item(facets: dict[str, IntArray]) -> tuple[float, float]:
    """Harmonic means of raters and of criteria per item."""
    found = []
    for name in (RATER, CRITERION):
        if name not in facets:
            found.append(1.0)
            continue
        pairs = np.unique(np.stack((facets[ITEM], facets[name])), axis=1)[0]
        found.append(1 / float((1 / np.bincount(pairs)).mean()))
    return found[0], found[1]


def _reading(
    criteria: str,
    design: FacetDesign,
    fit: ComponentFit,
    per_item: float,
    raters: Sequence[int],
    confidence: float,
) -> Reading:
    fixed = criteria == THESE
    merged = [one.name for one in fit.left_out if RESIDUAL in one.same_as]
    at_hand = coefficients(fit, weights_at_hand(design, fit.names, fixed=fixed), confidence)

    def planned(number: int, *, same_raters: bool) -> Coefficients:
        weights = planned_weights(
            fit.names, number, per_item, same_raters=same_raters, fixed=fixed, merged_in_residual=merged
        )
        return projected(at_hand, fit, weights, same_raters=same_raters)

    rows = (StudyRow(n, planned(n, same_raters=True), planned(n, same_raters=False)) for n in raters)
    return Reading(criteria, at_hand, tuple(rows))
