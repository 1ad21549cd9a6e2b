"""Intraclass correlations of one criterion: which path is taken, and the figures."""

import math
from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.agreement.variance import moments, one_way, reml
from scoring.stats.agreement.variance.anova import (
    coefficient,
    f_interval,
    has_equal_sizes,
    mean_squares,
    pivots,
    spearman_brown,
)
from scoring.stats.agreement.variance.crossed import Components, Crossed, Spectrum
from scoring.stats.agreement.variance.grouped_items import item_df, over_groups
from scoring.stats.agreement.variance.moments import from_sums_of_squares
from scoring.stats.agreement.variance.normal_ratings import is_skewed, needs_pivots, with_cautions
from scoring.stats.agreement.variance.ranges import least_value, within_range
from scoring.stats.agreement.variance.two_way_jackknife import LeftOut
from scoring.stats.base.cautions import mean_k_part
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import (
    CONSTANT_RATINGS,
    NO_ITEM_VARIANCE,
    NO_OVERLAP,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    Figure,
    Interval,
    estimated,
    refused,
)
from scoring.stats.data.refusals import Needs
from scoring.stats.data.table import Ratings

ONE_WAY = ("icc1", "icc1k")
TWO_WAY = ("icc2", "icc2k", "icc3", "icc3k")
TWO_WAY_NEEDS = Needs(identified=True)

# REML inverts a matrix of the size of the smaller factor; beyond this the moment estimator takes its place.
REML_LIMIT = 1500

BOUNDARY = "boundary"
EXACT = Interval(1.0, 1.0, "exact agreement")
# Of the components, for an interval from generalised pivots.
DRAWS = 20_000
# Times the mean square of the ratings: a smaller component is an error of rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class _Path:
    """How a coefficient is computed, and for how many raters the averages are."""

    ratings: Ratings
    name: str
    k: float
    confidence: float

    def figure(
        self, key: str, estimate: float, interval: Interval, flags: tuple[str, ...] = (), how: str = ""
    ) -> Figure:
        criterion, sample = self.ratings.criterion, self.ratings.sample
        named = (criterion, key, f"{self.name}, k={self.k:.4g}" if key.endswith("k") else self.name)
        if not math.isfinite(estimate):
            return refused(named, NO_ITEM_VARIANCE, sample, self.confidence)
        least = least_value(key, int(self.ratings.sizes.max()), self.k)
        possible = within_range(interval, estimate, least)
        return estimated(named, estimate, possible, sample, self.confidence, flags=flags, how=how)

    def without_item_variance(self, key: str, estimate: float, error: float) -> Figure:
        """The figure where all items have the same mean: its limits would fall on one point."""
        nothing_left = key in TWO_WAY and error == 0
        return self.figure(key, math.nan if nothing_left else estimate, Interval.missing(NO_ITEM_VARIANCE))


def one_way_figures(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    """ICC1 and ICC1k: raters may differ from item to item, and may be anonymous.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    resampling
        Settings of the interval where the items have different numbers of ratings.

    Returns
    -------
    list of Figure
        ICC1k is for k ratings per item. Where the numbers differ, ICC1 is estimated with k₀, and ICC1k is for
        their harmonic mean, as in `two_way_figures`.

    References
    ----------
    Shrout & Fleiss (1979); McGraw & Wong (1996).
    """
    ratings = ratings.in_safe_unit
    reason = _reason(ratings)
    if reason:
        return _all_refused(ratings, ONE_WAY, reason, resampling)
    if has_equal_sizes(ratings):
        return _from_mean_squares(ratings, ONE_WAY, "one-way ANOVA", resampling)
    estimate, k = one_way.unbalanced(ratings), _harmonic_mean(ratings)
    path = _Path(ratings, "unbalanced one-way ANOVA", k, resampling.confidence)
    if ratings.agrees_exactly:
        return [path.figure(key, 1.0, EXACT) for key in ONE_WAY]
    interval = one_way.bootstrap_interval(ratings, resampling)
    averaged = interval
    if not interval.reason:
        low, high = spearman_brown(interval.low, k), spearman_brown(interval.high, k)
        averaged = replace(interval, low=low, high=high)
    mean_k = ratings.n_ratings / ratings.n_items
    also = mean_k_part(mean_k, spearman_brown(estimate, mean_k))
    return [
        path.figure("icc1", estimate, interval),
        path.figure("icc1k", spearman_brown(estimate, k), averaged, how=also),
    ]


def two_way_figures(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    """ICC2, ICC2k, ICC3 and ICC3k of identified raters.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    resampling
        Seed and confidence of the intervals.

    Returns
    -------
    list of Figure
        By ANOVA where every rater rated every item. Otherwise from variance components, by REML or, beyond
        REML_LIMIT items and raters, by moments; averages are for the harmonic mean of the ratings per item,
        which is what holds for the items' means. ICC3k counts the severity of raters as far as it differs
        between those means, see `severity_shared`. Where the numbers of ratings differ, the signature has
        the value for their arithmetic mean too, see `at_mean_k`.

    References
    ----------
    McGraw & Wong (1996); Gao & Owen (2017).
    """
    ratings = ratings.in_safe_unit
    reason = TWO_WAY_NEEDS.refusal(ratings) or _reason(ratings)
    if reason:
        return _all_refused(ratings, TWO_WAY, reason, resampling)
    if ratings.is_complete:
        return _from_mean_squares(ratings, TWO_WAY, "two-way ANOVA", resampling)
    design = Crossed.of(ratings)
    if min(design.residual_df, design.n_rows - design.pieces, design.n_columns - design.pieces) < 1:
        return _all_refused(ratings, TWO_WAY, NO_OVERLAP, resampling)
    return _from_components(ratings, design, resampling)


def _reason(ratings: Ratings) -> str:
    if ratings.n_items < 2:
        return TOO_FEW_ITEMS
    if len(ratings.raters) < 2:
        return TOO_FEW_RATERS
    if ratings.sizes.max() < 2:
        return NO_OVERLAP
    return CONSTANT_RATINGS if ratings.is_constant else ""


def _all_refused(
    ratings: Ratings, keys: tuple[str, ...], reason: str, resampling: Resampling
) -> list[Figure]:
    return [
        refused((ratings.criterion, key, ""), reason, ratings.sample, resampling.confidence) for key in keys
    ]


def _from_mean_squares(
    ratings: Ratings, keys: tuple[str, ...], name: str, resampling: Resampling
) -> list[Figure]:
    ms = mean_squares(ratings)
    path = _Path(ratings, name, ms.k, resampling.confidence)
    if ratings.agrees_exactly:
        return [path.figure(key, 1.0, EXACT) for key in keys]
    if ms.rows == 0:
        return [path.without_item_variance(key, coefficient(key, ms), ms.error) for key in keys]
    tails, df = resampling.tails(), item_df(ratings)
    left_out = LeftOut.of(ratings) if keys == TWO_WAY and is_skewed(ratings) else None

    def interval(key: str) -> Interval:
        """By F or pivots, which suppose normal effects, or by the jackknife of skewed ratings."""
        found = left_out.interval(key, tails) if left_out else None
        if found:
            return found
        if keys == TWO_WAY and needs_pivots(key, ratings):
            draws = pivots(ms, resampling.generator(ratings.criterion, "two-way"), DRAWS, df)
            found = pivotal_interval(_ratio(key, draws, ms.k, shared=1 / ms.k), resampling)
        return with_cautions(key, over_groups(found or f_interval(key, ms, tails, df), ratings), ratings)

    return [path.figure(key, coefficient(key, ms), interval(key)) for key in keys]


def _from_components(ratings: Ratings, design: Crossed, resampling: Resampling) -> list[Figure]:
    k, mean_k = _harmonic_mean(ratings), ratings.n_ratings / ratings.n_items
    components, name, flags = estimate_components(design, resampling)
    path = _Path(ratings, name, k, resampling.confidence)
    if ratings.agrees_exactly:
        return [path.figure(key, 1.0, EXACT) for key in TWO_WAY]
    rounding = ROUNDING * float(design.value @ design.value) / len(design.value)
    if max(abs(components.item), abs(components.residual)) < rounding:
        return [path.figure(key, math.nan, Interval.missing(NO_ITEM_VARIANCE)) for key in TWO_WAY]
    generator = resampling.generator(ratings.criterion, "two-way")
    draws = component_draws(design, components, generator, item_df(ratings) / (ratings.n_items - 1))
    estimate = (np.array([components.item]), np.array([components.rater]), np.array([components.residual]))
    shared = severity_shared(ratings)
    figures = []
    for key in TWO_WAY:
        also = key.endswith("k") and not has_equal_sizes(ratings)
        interval = over_groups(pivotal_interval(_ratio(key, draws, k, shared), resampling), ratings)
        figures.append(
            path.figure(
                key,
                float(_ratio(key, estimate, k, shared)[0]),
                with_cautions(key, interval, ratings),
                flags,
                mean_k_part(mean_k, float(_ratio(key, estimate, mean_k, shared)[0])) if also else "",
            )
        )
    return figures


def estimate_components(design: Crossed, resampling: Resampling) -> tuple[Components, str, tuple[str, ...]]:
    """Variance components of incomplete crossed ratings.

    Parameters
    ----------
    design
        The crossed ratings, with at least one degree of freedom for items, raters and residual.
    resampling
        Its tick is called at each step.

    Returns
    -------
    components
        Variances of item, rater and residual.
    name
        The path that was taken.
    flags
        `boundary` where the likelihood rises up to the edge of what is possible: then the components are
        those of the adjusted sums of squares, which have no edge.
    """
    if design.n_columns > REML_LIMIT:
        return design.components(*moments.gao_owen(design)), "moments (Gao & Owen 2017)", ()
    start = moments.from_sums_of_squares(design)
    if start[2] > ROUNDING * float(design.value @ design.value) / len(design.value):
        fit = reml.fit(design, start, resampling.tick)
        if not fit.boundary:
            return design.components(*fit.variances), "REML", ()
    return design.components(*start), "moments (Henderson III)", (BOUNDARY,)


def _harmonic_mean(ratings: Ratings) -> float:
    return ratings.n_items / float((1 / ratings.sizes).sum())


def severity_shared(ratings: Ratings) -> float:
    """The share of the raters' variance that the means of two items have in common.

    The mean of an item with m ratings has a part of σ²/m from the severity of its raters. What two means
    share of it does not change their order; the rest is noise in the order of the means. They share all of it
    where every rater rates every item, and nothing where no two items have a rater in common.

    Parameters
    ----------
    ratings
        At least two items with identified raters.

    Returns
    -------
    float
        The mean, over all pairs of items, of the number of common raters over the product of the numbers of
        ratings.
    """
    weights = 1 / ratings.sizes
    by_rater = np.bincount(ratings.rater, weights[ratings.item])
    pairs = ratings.n_items * (ratings.n_items - 1)
    return float((by_rater @ by_rater - weights.sum()) / pairs)


def _ratio(
    key: str, components: tuple[FloatArray, FloatArray, FloatArray], k: float, shared: float
) -> FloatArray:
    item, rater, residual = components
    severity = {"icc2": 1.0, "icc2k": 1 / k, "icc3": 0.0, "icc3k": max(1 / k - shared, 0.0)}[key]
    total = item + severity * rater + (residual / k if key.endswith("k") else residual)
    ratios = np.full(len(item), -math.inf)
    np.divide(item, total, out=ratios, where=total > 0)
    return ratios


def component_draws(
    design: Crossed, estimate: Components, generator: np.random.Generator, share: float = 1.0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draws of the components of item, rater and residual that the sums of squares are compatible with.

    Each adjusted sum of squares is distributed as Σ (σ² + σ_factor² · weight) χ²; with drawn χ² the component
    solves a linear equation. With complete ratings these are the usual generalised confidence intervals.

    Parameters
    ----------
    design
        The crossed ratings, with at least one degree of freedom for rows, columns and residual.
    estimate
        The components that the figures are computed from. The sums of squares have components of their own,
        which differ from these where the model does not fit; the draws are moved to lie around `estimate`.
    generator
        Source of the χ² draws.
    share
        Share of the items' degrees of freedom that is left where items of a group are alike, see `item_df`.

    Returns
    -------
    item, rater, residual
        Draws, each of shape (DRAWS,).

    References
    ----------
    Weerahandi (1993); Ionan et al. (2014), Comparison of confidence interval methods for an intra-class
    correlation coefficient.
    """
    rows, columns, residual_squares = design.sums_of_squares
    residual = residual_squares / generator.chisquare(design.residual_df, DRAWS)
    of_rows, of_columns = (share, 1.0) if design.items_are_rows else (1.0, share)
    by_row = _solve(rows, residual, design.row_spectrum, generator, of_rows)
    by_column = _solve(columns, residual, design.column_spectrum, generator, of_columns)
    own = design.components(*from_sums_of_squares(design))
    item, rater = (by_row, by_column) if design.items_are_rows else (by_column, by_row)
    return (
        item + (estimate.item - own.item),
        rater + (estimate.rater - own.rater),
        residual + (estimate.residual - own.residual),
    )


def _solve(
    squares: float,
    residual: FloatArray,
    spectrum: Spectrum,
    generator: np.random.Generator,
    share: float,
) -> FloatArray:
    chi = generator.chisquare(share * spectrum.df, (DRAWS, len(spectrum.df))) / share
    return np.asarray((squares - residual * chi.sum(axis=1)) / (chi @ spectrum.weights), dtype=np.float64)


def pivotal_interval(draws: FloatArray, resampling: Resampling) -> Interval:
    """The interval between the quantiles of a coefficient's draws.

    Parameters
    ----------
    draws
        The coefficient for each draw of the components.
    resampling
        Seed and confidence.

    Returns
    -------
    Interval
        For new items and new raters: both components are drawn.
    """
    low, high = np.quantile(draws, resampling.tails(), method="lower")
    settings = f"draws:{DRAWS}|seed:{resampling.seed}"
    return Interval(float(low), float(high), "generalised pivots of the components", "", settings)
