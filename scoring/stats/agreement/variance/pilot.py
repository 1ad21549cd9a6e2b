"""Variance components of a pilot, with the uncertainty that planning must include."""

import math
from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement.variance.anova import mean_squares
from scoring.stats.agreement.variance.crossed import Components, Crossed
from scoring.stats.agreement.variance.icc import estimate_components, one_way_figures, two_way_figures
from scoring.stats.agreement.variance.planning import ComponentRanges, Range
from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.table import Ratings

# A single-rating reliability this near to one leaves no noise to plan with.
NEARLY_ONE = 1 - 1e-9


class PilotError(CodedError):
    """A pilot without components; the code is the reason of the missing reliability figure."""


@dataclass(frozen=True)
class Pilot:
    """Variance components of a pilot."""

    estimate: Components  # The components; negative variances of items or raters are not set to 0 here
    # What to plan with: the item variance runs over the interval of the single-rating reliability with
    # the noise held at its estimate; negative variances are 0
    ranges: ComponentRanges
    assumptions: tuple[str, ...]  # In words


def pilot_components(ratings: Ratings, resampling: Resampling) -> Pilot:
    """Estimate the variance components of a pilot.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    resampling
        Seed and confidence of the interval.

    Returns
    -------
    Pilot
        Two-way for identified raters who share items; otherwise one-way, where the rater variance is part of
        the residual.

    Raises
    ------
    PilotError
        With the reason code of the reliability, such as `too_few_raters` or `no_overlap`.

    References
    ----------
    McGraw & Wong (1996), table 4: expected mean squares.
    """
    figures = two_way_figures(ratings, resampling) if ratings.identified else []
    single = next((one for one in figures if one.coefficient == "icc2"), None)
    if single is None or single.reason:
        single = one_way_figures(ratings, resampling)[0]
        _refuse(single)
        components, path = _one_way(ratings, single.estimate), "one-way"
    else:
        components, path = _two_way(ratings, resampling), "two-way"
    known = Components(
        *(max(value, 0.0) for value in (components.item, components.rater, components.residual))
    )
    noise = known.rater + known.residual
    ranges = ComponentRanges(
        _item_range(single, known.item, noise), Range.at(known.rater), Range.at(known.residual)
    )
    return Pilot(components, ranges, _assumptions(ratings, single, components, path))


def _assumptions(ratings: Ratings, single: Figure, components: Components, path: str) -> tuple[str, ...]:
    """What a plan from these components assumes."""
    assumptions = (
        (
            f"Variances from a {path} analysis of {ratings.n_items} items and {ratings.n_ratings} ratings of"
            f" {ratings.criterion} ({single.variant})."
        ),
        (
            f"The item variance covers the CI of {single.coefficient.upper()} ({single.low:.3f} to"
            f" {single.high:.3f}, confidence {single.confidence:.0%}). The other variances are fixed at their"
            " estimates."
        ),
    )
    if min(components.item, components.rater) < 0:
        return (*assumptions, "A negative variance is replaced by 0.")
    return assumptions


def _refuse(figure: Figure) -> None:
    if figure.reason:
        raise PilotError(
            figure.reason,
            f"no variance components of {figure.criterion}: {figure.reason}; the pilot needs at least two"
            " items with two ratings each that are not all the same",
        )


def _one_way(ratings: Ratings, icc1: float) -> Components:
    sums = np.bincount(ratings.item, ratings.value)
    means = sums / ratings.sizes
    within = float(((ratings.value - means[ratings.item]) ** 2).sum()) / (ratings.n_ratings - ratings.n_items)
    if icc1 >= NEARLY_ONE:
        return Components(float(means.var(ddof=1)), 0.0, 0.0)
    return Components(icc1 / (1 - icc1) * within, 0.0, within)


def _two_way(ratings: Ratings, resampling: Resampling) -> Components:
    if not ratings.is_complete:
        return estimate_components(Crossed.of(ratings), resampling)[0]
    ms = mean_squares(ratings)
    return Components((ms.rows - ms.error) / ms.k, (ms.columns - ms.error) / ms.n, ms.error)


def _item_range(single: Figure, item: float, noise: float) -> Range:
    """Item variances that the interval of the single-rating reliability leaves possible."""
    if math.isnan(single.low) or noise == 0:
        return Range.at(item)
    low, high = (noise * limit / (1 - limit) for limit in np.clip((single.low, single.high), 0.0, NEARLY_ONE))
    return Range(min(float(low), item), max(float(high), item))
