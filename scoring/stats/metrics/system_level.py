"""Intervals and p of correlations over systems: for these systems, and for new ones."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.base.association import Coefficient, associations
from scoring.stats.base.cautions import FEW_FOR_RANKS, FEW_GROUPS, FEW_ITEMS
from scoring.stats.base.resampling import (
    FEW_TO_RESAMPLE,
    FEWEST_UNITS,
    FloatArray,
    Resampling,
    nothing_to_draw,
    tail_p,
)
from scoring.stats.base.result import NO_LIMITS_IN_RANGE, Interval
from scoring.stats.data.bootstrap.bootstrap_draws import unit_draws
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.levels import system_means
from scoring.stats.metrics.meta_figure import NOT_ASKED, TOO_FEW_SYSTEMS
from scoring.stats.metrics.system_means import ColumnMeans, SystemPair

THESE = "delta"
NEW = "fisher-z:systems"
HIERARCHICAL = "hierarchical-bootstrap"
# With fewer, Fisher's z has next to no degrees of freedom.
FEWEST_NEW = 6
FEWEST_THESE = 3
# Intervals of rank correlations of more systems contain the true value too rarely with fewer groups or items
# than this, see `docs/statistics/coverage.md`.
SYSTEMS_TO_RANK, UNITS_TO_RANK = 10, 96
# Weight of a mean against the mean over all systems where the systems do not differ by more than noise.
LEAST_WEIGHT = 0.01
# Of the variance of the means: keeps covariances invertible where one of the means has no noise, or both are
# the same.
SMALLEST_NOISE = 1e-9


@dataclass(frozen=True)
class Inference:
    """An interval and the p of no correlation, from the same distribution, so that they never disagree."""

    interval: Interval
    p: float


def with_estimate(inference: Inference, estimate: float) -> Inference:
    """The inference with limits extended to the estimate, which includes the noise of few items.

    Parameters
    ----------
    inference
        Limits that may lie beyond the estimate.
    estimate
        The correlation of the means.

    Returns
    -------
    Inference
        Neither limits nor p where limits that contain the estimate would also contain 0 and the p disagrees.
    """
    interval = inference.interval
    if interval.reason:
        return inference
    low, high = min(interval.low, estimate), max(interval.high, estimate)
    if low <= 0 <= high and not interval.low <= 0 <= interval.high:
        return Inference(Interval.missing(NO_LIMITS_IN_RANGE, interval.method), math.nan)
    return Inference(replace(interval, low=low, high=high), inference.p)


def nothing_inferred(reason: str) -> Inference:
    """Neither an interval nor a p, for a reason."""
    return Inference(Interval.missing(reason), math.nan)


def for_new_systems(
    pair: SystemPair, estimate: float, coefficient: Coefficient, resampling: Resampling
) -> Inference:
    """Interval of a correlation over all systems of which these are a random sample.

    Parameters
    ----------
    pair
        Means of the systems, and their noise.
    estimate
        The correlation of the means.
    coefficient
        `pearson`, `spearman` or `kendall`.
    resampling
        Confidence.

    Returns
    -------
    Inference
        Limits by Fisher's z of the means that were observed, then freed of the noise of few items, see
        `SystemPair.without_noise`; those of rank correlations by way of Pearson's r of normal means. The p
        is that of the same z. None for fewer than six systems.

    References
    ----------
    Fisher (1921); Fieller, Hartley & Pearson (1957), for ranks; Bonett & Wright (2000), for Spearman's ρ;
    Kendall (1949), for the relation to Pearson's r.
    """
    n = pair.n_systems
    if n < FEWEST_NEW:
        return nothing_inferred(TOO_FEW_SYSTEMS)
    error = {
        "pearson": math.sqrt(1 / (n - 3)),
        "spearman": math.sqrt((1 + estimate**2 / 2) / (n - 3)),
        "kendall": math.sqrt(0.437 / (n - 4)),
    }[coefficient]
    # A perfect rank correlation of few systems does not show that that of all of them is perfect.
    most = 1.0 if coefficient == "pearson" else 1 - 1 / n**2
    centre, middle = _z(min(max(estimate, -most), most)), _z(_from_pearson(pair.by_noise_alone, coefficient))
    steps = [float(scipy.stats.norm.ppf(tail)) for tail in resampling.tails()]
    limits = [_freed(pair, float(np.tanh(centre + step * error)), coefficient) for step in steps]
    p = 0.0 if math.isinf(centre) else float(2 * scipy.stats.norm.sf(abs(centre - middle) / error))
    return Inference(Interval(limits[0], limits[1], NEW), p)


def for_these_systems(pair: SystemPair, estimate: float, unit: str, resampling: Resampling) -> Inference:
    """Interval of Pearson's r of these systems, for new items, or new groups of them.

    Parameters
    ----------
    pair
        Means of the systems, and their noise.
    estimate
        Pearson's r of the means.
    unit
        `groups` or `items`, over which the means vary.
    resampling
        Confidence.

    Returns
    -------
    Inference
        Limits by Student's t on Fisher's scale, with the delta method's variance over groups or items and
        their number less one, or items less systems, as degrees of freedom, then freed of the noise of few
        items: means over few items correlate less than true means do.

    References
    ----------
    Efron (1982), The jackknife, the bootstrap and other resampling plans, chapter 6.
    """
    if refusal := _too_few(pair, unit):
        return refusal
    units = len(pair.shares)
    error = _delta_error(pair, estimate)
    settings = f"units:{units}{_caution(units, unit)}"
    if error == 0 or abs(estimate) == 1:
        return Inference(Interval(estimate, estimate, f"{THESE}:{unit}", "", settings), float(estimate == 0))
    centre, middle = _z(estimate), _z(pair.by_noise_alone)
    df = pair.df(unit)
    steps = scipy.stats.t.ppf(resampling.tails(), df)
    limits = pair.without_noise(np.tanh(centre + steps * error))
    p = float(2 * scipy.stats.t.sf(abs(centre - middle) / error, df))
    return Inference(Interval(float(limits[0]), float(limits[1]), f"{THESE}:{unit}", "", settings), p)


def ranks_of_these_systems(
    pair: SystemPair, drawn: FloatArray, coefficient: Coefficient, unit: str, resampling: Resampling
) -> Inference:
    """Interval of a rank correlation of these systems, for new items, or new groups of them.

    Parameters
    ----------
    pair
        Means of the systems, and their noise.
    drawn
        Means of the systems in draws of groups or items, shape (replicates, systems, 2).
    coefficient
        `spearman` or `kendall`.
    unit
        `groups` or `items`, which were drawn.
    resampling
        Replicates, seed and confidence.

    Returns
    -------
    Inference
        Quantiles of the correlation of true means: in each replicate a covariance of the observed means is
        drawn from its inverse Wishart distribution; what the noise leaves of it says how far the means are
        drawn together, and the bootstrap's noise is added as far as it leaves the true means uncertain.

    References
    ----------
    Efron & Morris (1973), Stein's estimation rule and its competitors; Laird & Louis (1987), Empirical Bayes
    confidence intervals based on bootstrap samples.
    """
    if refusal := _too_few(pair, unit):
        return refusal
    method = f"{HIERARCHICAL}:{unit}"
    if not pair.shares.any():
        r = float(associations(pair.centred[:, :1], pair.centred[:, 1:], coefficient)[0, 0])
        return Inference(Interval(r, r, method), float(r == 0))
    true = _true_means(pair, drawn, resampling.generator("true means", str(pair.n_systems)))
    found = associations(true[..., :1], true[..., 1:], coefficient)[:, 0, 0]
    interval = replace(resampling.interval(found, unit, len(pair.shares)), method=method)
    if not interval.reason and pair.n_systems > SYSTEMS_TO_RANK and len(pair.shares) < UNITS_TO_RANK:
        interval = replace(interval, settings=f"{interval.settings}|{FEW_FOR_RANKS}")
    return Inference(interval, tail_p(found) if not interval.reason else math.nan)


def _true_means(pair: SystemPair, drawn: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Draws of the systems' true means, shape (replicates, systems, 2)."""
    n, scale = pair.n_systems, np.diag(np.diag(pair.observed))
    values, vectors = np.linalg.eigh(pair.noise + SMALLEST_NOISE * scale)
    into = (vectors / np.sqrt(values)) @ vectors.T
    back = (vectors * np.sqrt(values)) @ vectors.T
    # In units in which the noise has the covariance 1.
    means, away = pair.centred @ into, _bootstrap_noise(pair, drawn) @ into
    squares = means.T @ means
    lower = np.linalg.cholesky(np.linalg.inv(squares + SMALLEST_NOISE * np.trace(squares) * np.eye(2)))
    normal = generator.normal(size=(len(drawn), n - 1, 2))
    share, axes = np.linalg.eigh(lower @ (np.swapaxes(normal, 1, 2) @ normal) @ lower.T)
    weight = np.maximum(1 - share, LEAST_WEIGHT)[:, None, :]
    turned = (means @ axes) * weight + (away @ axes) * np.sqrt(weight)
    return np.asarray(turned @ np.swapaxes(axes, 1, 2) @ back, dtype=np.float64)


def _bootstrap_noise(pair: SystemPair, drawn: FloatArray) -> FloatArray:
    """Noise of the drawn means, as great as that of the means themselves."""
    units = np.column_stack([pair.metric.units, pair.criterion.units])
    means = np.column_stack([pair.metric.means, pair.criterion.means])
    noise = (drawn - means) * np.sqrt(units / (units - 1))
    return np.asarray(noise - noise.mean(axis=1, keepdims=True), dtype=np.float64)


def _delta_error(pair: SystemPair, r: float) -> float:
    """Standard error of Fisher's z of Pearson's r, over the units."""
    spread = np.sqrt(np.diag(pair.observed))
    x, y = (pair.centred / spread).T
    slopes = np.column_stack([(y - r * x) / spread[0], (x - r * y) / spread[1]]) / (pair.n_systems - 1)
    changes = np.einsum("usc,sc->u", pair.shares, slopes)
    return 0.0 if abs(r) >= 1 else float(np.sqrt(changes @ changes)) / (1 - r**2)


def _too_few(pair: SystemPair, unit: str) -> Inference | None:
    if pair.n_systems < FEWEST_THESE:
        return nothing_inferred(TOO_FEW_SYSTEMS)
    if len(pair.shares) < FEWEST_UNITS or pair.fewest_units < 2:
        return Inference(nothing_to_draw(unit), math.nan)
    return None


def _caution(units: int, unit: str) -> str:
    if units >= FEW_TO_RESAMPLE:
        return ""
    return f"|{FEW_GROUPS if unit == 'groups' else FEW_ITEMS}"


def _z(r: float) -> float:
    return math.copysign(math.inf, r) if abs(r) >= 1 else math.atanh(r)


def _from_pearson(r: float, coefficient: Coefficient) -> float:
    """The rank correlation of normal values whose Pearson's r is `r`."""
    return {"pearson": r, "spearman": 6 / math.pi * math.asin(r / 2), "kendall": 2 / math.pi * math.asin(r)}[
        coefficient
    ]


def _freed(pair: SystemPair, estimate: float, coefficient: Coefficient) -> float:
    """A correlation of observed means as one of true means."""
    pearson = {
        "pearson": estimate,
        "spearman": 2 * math.sin(math.pi * estimate / 6),
        "kendall": math.sin(math.pi * estimate / 2),
    }[coefficient]
    return _from_pearson(float(pair.without_noise(np.array(pearson))), coefficient)


@dataclass(frozen=True)
class SystemLevel:
    """Intervals and p of the correlations over systems, for each metric and criterion."""

    items: MeasuredItems
    coefficient: Coefficient
    resampling: Resampling | None  # None where no intervals were asked for

    def infer(self, cell: tuple[int, int], estimate: float) -> tuple[Inference, Inference]:
        """For these systems, and for new ones.

        Parameters
        ----------
        cell
            Positions of the metric and of the criterion.
        estimate
            Their correlation over the systems.
        """
        if self.resampling is None:
            return nothing_inferred(NOT_ASKED), nothing_inferred(NOT_ASKED)
        metric, criterion = cell
        pair = SystemPair.of(self._columns[0][metric], self._columns[1][criterion])
        if self.coefficient == "pearson":
            these = for_these_systems(pair, estimate, self.items.unit, self.resampling)
        else:
            these = self._by_ranks(pair, cell)
        new = for_new_systems(pair, estimate, self.coefficient, self.resampling)
        return with_estimate(these, estimate), with_estimate(new, estimate)

    def _by_ranks(self, pair: SystemPair, cell: tuple[int, int]) -> Inference:
        scores, human = (values[..., place] for values, place in zip(self._drawn, cell, strict=True))
        both = np.isfinite(self._columns[0][cell[0]].means) & np.isfinite(self._columns[1][cell[1]].means)
        drawn = np.stack([scores[:, both], human[:, both]], axis=-1)
        return ranks_of_these_systems(pair, drawn, self.coefficient, self.items.unit, self._settings)

    @property
    def _settings(self) -> Resampling:
        if self.resampling is None:
            raise ValueError("no intervals were asked for")
        return self.resampling

    @cached_property
    def _values(self) -> tuple[FloatArray, FloatArray]:
        """Scores and ratings, each column in a unit in which its squares are ordinary numbers."""
        return _in_safe_units(self.items.scores), _in_safe_units(self.items.human)

    @cached_property
    def _columns(self) -> tuple[list[ColumnMeans], list[ColumnMeans]]:
        scores, human = (
            [ColumnMeans.of(self.items, column) for column in values.T] for values in self._values
        )
        return scores, human

    @cached_property
    def _drawn(self) -> tuple[FloatArray, FloatArray]:
        """Means of the systems in each replicate, shape (replicates, systems, columns)."""
        draws = unit_draws(self.items.n_units, len(self.items.items), self._settings)
        average = [self._averages(values) for values in self._values]
        sides: tuple[list[FloatArray], list[FloatArray]] = ([], [])
        for weights in draws():
            for side, compute in zip(sides, average, strict=True):
                side.append(compute(weights))
        return np.concatenate(sides[0]), np.concatenate(sides[1])

    def _averages(self, values: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """From weights of groups or items to means of the systems, shape (replicates, systems, columns)."""
        items = self.items
        if items.group is None or items.system is None:
            return lambda weights: system_means(items, values, weights[:, items.unit_codes])
        # Groups are drawn whole, so their sums are taken once and not in every replicate.
        shape, known = (len(items.systems), values.shape[1]), np.isfinite(values)
        number, total = np.zeros((2, items.n_units, *shape))
        np.add.at(number, (items.group, items.system), known)
        np.add.at(total, (items.group, items.system), np.where(known, values, 0.0))

        def means(weights: FloatArray) -> FloatArray:
            taken, sums = (np.tensordot(weights, one, 1) for one in (number, total))
            averages = np.divide(sums, taken, out=np.full(taken.shape, np.nan), where=taken > 0)
            return np.asarray(averages, dtype=np.float64)

        return means


def _in_safe_units(values: FloatArray) -> FloatArray:
    """Columns times powers of two, which change no digit and no correlation."""
    greatest = np.abs(np.where(np.isfinite(values), values, 0.0)).max(axis=0, initial=0.0)
    return np.asarray(np.ldexp(values, -np.frexp(greatest)[1]), dtype=np.float64)
