"""The ordinal mixed model of a criterion: systems, raters and variance, in words of the data."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from scoring.stats.agreement.ordinal.adjusted_means import (
    AdjustedMeans,
    Estimate,
    adjusted_means,
    expected_value,
)
from scoring.stats.agreement.ordinal.crossed_effects import Factors
from scoring.stats.agreement.ordinal.facets import Separation, item_locations, mean_squares, separation
from scoring.stats.agreement.ordinal.few_levels import FewLevels
from scoring.stats.agreement.ordinal.fit import NotFitted, OrdinalFit, fit
from scoring.stats.agreement.ordinal.laplace import OrdinalDesign
from scoring.stats.base.resampling import FloatArray, IntArray, Tick, ignore_progress
from scoring.stats.data.table import MOST_CATEGORIES

ITEMS, RATERS, GROUPS = "items", "raters", "groups"
FEWEST_LEVELS = 3
# All differences of more systems, and their draws, take minutes and megabytes.
MOST_SYSTEMS = 60
# Of the largest factor by all others, 8 bytes each, several times.
MOST_CELLS = 30_000_000
NO_RATER_VARIANCE = "no_rater_variance"
# Variance of the standard logistic distribution, the rest of a rating on the logit scale.
RESIDUAL = np.pi**2 / 3


@dataclass(frozen=True)
class RaterSeverity:
    """How much lower a rater rates than the average rater."""

    rater: str
    severity: Estimate | None  # In points of the scale, for the average item; positive is severe
    logits: Estimate | None
    ratings: int
    infit: float  # Mean squared residuals, 1 as the model expects; larger is less predictable
    outfit: float
    fair_average: float | None = None  # Expected rating of the average item by this rater
    reason: str = ""  # Why there is no severity: `no_rater_variance`, where the variance is estimated as 0


@dataclass(frozen=True)
class VarianceShare:
    """Variance of one factor on the logit scale."""

    factor: str  # `items`, `raters`, `groups` or `rest`
    variance: float
    share: float  # Of the sum of all


@dataclass(frozen=True)
class OrdinalModel:
    """The results of the model for one criterion."""

    criterion: str
    values: FloatArray  # The values that occur, in order
    systems: tuple[str, ...]
    plain: FloatArray  # Mean of the ratings of each system
    counts: IntArray  # Ratings of each system
    adjusted: AdjustedMeans
    raters: tuple[RaterSeverity, ...]  # The most severe first
    variances: tuple[VarianceShare, ...]
    separations: tuple[Separation, ...]  # Of items, raters and groups
    locations: FloatArray  # Of each item on the logit scale, shape (items,)
    items: IntArray  # Items of each system
    has_systems: bool  # Otherwise the only system has the name of the criterion
    fit: OrdinalFit


def ordinal_model(
    frame: pd.DataFrame, *, confidence: float = 0.95, seed: int = 0, tick: Tick = ignore_progress
) -> OrdinalModel:
    """Fit ratings of one criterion: systems are fixed; items, raters and groups are random.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns `item`, `rater`, `criterion`, `value`, and `system` and `group` where there are any; rows
        without a value are left out.
    confidence : float
        Coverage of each interval, and of all intervals of differences together.
    seed : int
        Of the simultaneous critical value.
    tick : callable
        Called with 0 at each evaluation of the likelihood.

    Returns
    -------
    OrdinalModel

    Raises
    ------
    NotFitted
        `constant_ratings`, `continuous_scale`, `too_few_items`, `too_few_raters`, `too_few_groups`,
        `too_many_systems`, `too_many_items`, `not_identified`, `unbounded_scale` or `not_converged`.
    """
    rated = frame[frame["value"].notna()]
    values, category = np.unique(rated["value"].to_numpy(dtype=np.float64), return_inverse=True)
    systems, system = level_codes(rated["system"] if "system" in rated else rated["criterion"])
    codes = {ITEMS: level_codes(rated["item"])[1], RATERS: level_codes(rated["rater"])[1]}
    if "group" in rated:
        codes[GROUPS] = level_codes(rated["group"])[1]
    check_levels(values, codes)
    check_systems(systems, system, category, len(values))
    design = OrdinalDesign(category, len(values), np.eye(len(systems))[system][:, 1:], Factors.of(codes))
    fitted = fit(design, tick)
    levels = FewLevels.of(design.factors, fitted.parameters.scales, system)
    return OrdinalModel(
        str(rated["criterion"].iloc[0]),
        values,
        systems,
        np.bincount(system, weights=values[category]) / np.bincount(system),
        np.bincount(system),
        adjusted_means(fitted, values, levels, confidence=confidence, seed=seed),
        _severities(fitted, design, values, level_codes(rated["rater"])[0], confidence),
        _shares(fitted, design.factors),
        tuple(
            separation(fitted, name, float(scale))
            for name, scale in zip(design.factors.names, fitted.parameters.scales, strict=True)
        ),
        item_locations(design, fitted, ITEMS, RATERS),
        _items_of_systems(system, codes[ITEMS], len(systems)),
        "system" in rated,
        fitted,
    )


def _items_of_systems(system: IntArray, item: IntArray, systems: int) -> IntArray:
    pairs = np.unique(np.stack((system, item)), axis=1)
    return np.bincount(pairs[0], minlength=systems)


def level_codes(labels: pd.Series) -> tuple[tuple[str, ...], IntArray]:
    codes, names = pd.factorize(labels.astype(str), sort=True)
    return tuple(map(str, names)), np.asarray(codes, dtype=np.int64)


def check_levels(values: FloatArray, codes: dict[str, IntArray]) -> None:
    if len(values) < 2:
        raise NotFitted("constant_ratings", "all ratings are equal: there is nothing to explain")
    if len(values) > MOST_CATEGORIES:
        raise NotFitted(
            "continuous_scale",
            f"{len(values)} different values: the model is for at most {MOST_CATEGORIES} points",
        )
    counts = {factor: int(code.max()) + 1 for factor, code in codes.items()}
    for factor, count in counts.items():
        if count < FEWEST_LEVELS:
            raise NotFitted(
                f"too_few_{factor}", f"{count} {factor}: a variance needs at least {FEWEST_LEVELS}"
            )
    most = max(counts.values())
    if most * (sum(counts.values()) - most) > MOST_CELLS:
        raise NotFitted(
            "too_many_items",
            f"{counts[ITEMS]} items, {counts[RATERS]} raters, {counts.get(GROUPS, 0)} groups: the model would"
            " take too much memory",
        )
    for factor in (ITEMS, RATERS):
        if GROUPS in codes and counts[GROUPS] == counts[factor] == _pairs(codes[GROUPS], codes[factor]):
            raise NotFitted("not_identified", f"groups and {factor} are the same: leave out the column group")


def _pairs(one: IntArray, other: IntArray) -> int:
    """How many pairs of levels occur."""
    return len(np.unique(np.stack((one, other)), axis=1).T)


def check_systems(systems: tuple[str, ...], system: IntArray, category: IntArray, categories: int) -> None:
    """Refuse systems whose effect would be infinite."""
    if len(systems) > MOST_SYSTEMS:
        raise NotFitted(
            "too_many_systems", f"{len(systems)} systems: the model is for at most {MOST_SYSTEMS}"
        )
    for code, name in enumerate(systems):
        found = np.unique(category[system == code])
        if len(found) == 1 and found[0] in {0, categories - 1}:
            raise NotFitted(
                "not_identified",
                f"{name} has only ratings of the lowest or the highest category: its effect has no bound",
            )


def _severities(
    fitted: OrdinalFit, design: OrdinalDesign, values: FloatArray, names: tuple[str, ...], confidence: float
) -> tuple[RaterSeverity, ...]:
    counts = np.bincount(design.factors.levels[design.factors.names.index(RATERS)])
    squares = mean_squares(design, fitted, RATERS)
    described = [
        (int(n), float(infit), float(outfit))
        for n, infit, outfit in zip(counts, squares.infit, squares.outfit, strict=True)
    ]
    if RATERS in fitted.at_zero:
        return tuple(
            RaterSeverity(name, None, None, *own, reason=NO_RATER_VARIANCE)
            for name, own in zip(names, described, strict=True)
        )
    effect, deviation = fitted.effects[RATERS], fitted.deviations[RATERS]
    reach = float(scipy.stats.norm.ppf((1 + confidence) / 2)) * deviation
    average = float(np.concatenate(([0.0], fitted.parameters.fixed)).mean())
    thresholds = fitted.parameters.thresholds

    fair = expected_value(thresholds, average + effect, values)

    def lower_by(logits: FloatArray) -> FloatArray:
        usual = expected_value(thresholds, np.array([average]), values)
        return usual - expected_value(thresholds, average + logits, values)

    points = [lower_by(effect), lower_by(effect + reach), lower_by(effect - reach)]
    found = [
        RaterSeverity(
            name,
            Estimate(*(float(part[at]) for part in points)),
            Estimate(float(-effect[at]), float(-effect[at] - reach[at]), float(-effect[at] + reach[at])),
            *described[at],
            fair_average=float(fair[at]),
        )
        for at, name in enumerate(names)
    ]
    order = np.argsort(effect, kind="stable")
    return tuple(found[at] for at in order)


def _shares(fitted: OrdinalFit, factors: Factors) -> tuple[VarianceShare, ...]:
    found = dict(zip(factors.names, fitted.parameters.scales**2, strict=True)) | {"rest": RESIDUAL}
    total = sum(found.values())
    return tuple(VarianceShare(name, float(one), float(one / total)) for name, one in found.items())
