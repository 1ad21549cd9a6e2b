"""Limits and p of correlations over systems, for these systems and for new ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from ..arrays import Array
from ..coefficients.correlation import correlate_columns
from ..drawing import FEWEST_UNITS, Drawing, get_tail_probabilities
from .rated_items import RatedItems
from .significance import compute_tail_p

FEWEST_SYSTEMS = {"these": 3, "new": 6}
# Rank correlations of more systems need as many groups or items.
SYSTEMS_TO_RANK, UNITS_TO_RANK = 10, 96
LEAST_SHARE, LEAST_WEIGHT, SMALLEST_NOISE = 0.1, 0.01, 1e-9
NOTHING = (math.nan, math.nan, math.nan)
Limits = tuple[float, float, float]


@dataclass(frozen=True)
class Column:
    """Means of the systems on one column, with the deviation of each unit from them."""

    means: Array
    deviations: Array
    n_units: Array

    @classmethod
    def of(cls, items: RatedItems, values: Array) -> Column:
        """Average the values of each system; the squared deviations of the units sum to a variance."""
        shape = (items.n_units, len(items.systems))
        means, deviations, n_units = np.full(shape[1], np.nan), np.zeros(shape), np.zeros(shape[1])
        for system in range(shape[1]):
            inside = (items.system == system) & np.isfinite(values)
            if not inside.any():
                continue
            means[system] = values[inside].mean()
            n_units[system] = k = len(np.unique(items.units[inside]))
            sums = np.bincount(items.units[inside], values[inside] - means[system], items.n_units)
            deviations[:, system] = sums / inside.sum() * math.sqrt(k / max(k - 1, 1))
        return cls(means, deviations, n_units)


@dataclass(frozen=True)
class Means:
    """Both means of the systems that have them, centred, their noise and what varies between systems."""

    centred: Array
    deviations: Array
    raw: Array
    n_units: Array

    @classmethod
    def of(cls, sides: tuple[Column, Column]) -> Means:
        """Combine a metric and a criterion."""
        raw = np.stack([side.means for side in sides], axis=1)
        both = np.isfinite(raw).all(axis=1)
        deviations = np.stack([side.deviations[:, both] for side in sides], axis=2)
        return cls(
            raw[both] - raw[both].mean(axis=0),
            deviations - deviations.mean(axis=1)[:, None],
            raw[both],
            np.stack([side.n_units[both] for side in sides], axis=1),
        )

    @property
    def observed(self) -> Array:
        """Covariance matrix of the means over the systems."""
        return np.asarray(np.cov(self.centred.T))

    @property
    def noise(self) -> Array:
        """Covariance matrix of the means' noise."""
        return np.asarray(np.einsum("usi,usj->ij", self.deviations, self.deviations)) / (
            len(self.centred) - 1
        )

    def free(self, r: float) -> float:
        """Remove the noise from a Pearson correlation of the means (Spearman 1904)."""
        observed, noise = self.observed, self.noise
        variance = np.maximum(np.diag(observed - noise), LEAST_SHARE * np.diag(observed))
        covariance = r * math.sqrt(observed[0, 0] * observed[1, 1]) - noise[0, 1]
        return float(np.clip(covariance / math.sqrt(variance[0] * variance[1]), -1, 1))

    def get_r_of_noise(self) -> float:
        """Return the Pearson correlation of the means if only the noise correlates."""
        observed = self.observed
        return float(np.clip(self.noise[0, 1] / math.sqrt(observed[0, 0] * observed[1, 1]), -1, 1))


def convert(r: float, coefficient: str, *, to_pearson: bool) -> float:
    """Convert between Pearson's r of normal values and their rank correlation."""
    if coefficient == "pearson":
        return r
    if coefficient == "spearman":
        return 2 * math.sin(math.pi * r / 6) if to_pearson else 6 / math.pi * math.asin(r / 2)
    return math.sin(math.pi * r / 2) if to_pearson else 2 / math.pi * math.asin(r)


def infer_for_new_systems(means: Means, estimate: float, coefficient: str) -> Limits:
    """Compute limits and p by Fisher's z over systems."""
    n = len(means.centred)
    if n < FEWEST_SYSTEMS["new"]:
        return NOTHING
    variance = {
        "pearson": 1 / (n - 3),
        "spearman": (1 + estimate**2 / 2) / (n - 3),
        "kendall": 0.437 / (n - 4),
    }[coefficient]
    most = 1.0 if coefficient == "pearson" else 1 - 1 / n**2
    z, step = (
        transform(float(np.clip(estimate, -most, most))),
        float(stats.norm.ppf(get_tail_probabilities()[1])),
    )
    limits = [
        convert(
            means.free(
                convert(math.tanh(z + side * step * math.sqrt(variance)), coefficient, to_pearson=True)
            ),
            coefficient,
            to_pearson=False,
        )
        for side in (-1, 1)
    ]
    middle = transform(convert(means.get_r_of_noise(), coefficient, to_pearson=False))
    p = 0.0 if math.isinf(z) else float(2 * stats.norm.sf(abs(z - middle) / math.sqrt(variance)))
    return limits[0], limits[1], p


def transform(r: float) -> float:
    """Compute Fisher's z; infinite for ±1."""
    return math.copysign(math.inf, r) if abs(r) >= 1 else math.atanh(r)


def infer_for_these_systems(means: Means, r: float, df: int) -> Limits:
    """Compute limits and p of Pearson's r by Student's t over units, with the delta method."""
    scale = means.centred.std(axis=0, ddof=1)
    x, y = (means.centred / scale).T
    dx, dy = (y - r * x) / scale[0], (x - r * y) / scale[1]
    changes = (means.deviations[..., 0] @ dx + means.deviations[..., 1] @ dy) / (len(x) - 1)
    error = 0.0 if abs(r) >= 1 else math.sqrt(float((changes**2).sum())) / (1 - r**2)
    if error == 0 or abs(r) == 1:
        return r, r, float(r == 0)
    step = float(stats.t.ppf(get_tail_probabilities()[1], df)) * error
    z = transform(r)
    p = float(2 * stats.t.sf(abs(z - transform(means.get_r_of_noise())) / error, df))
    return means.free(math.tanh(z - step)), means.free(math.tanh(z + step)), p


def infer_ranks_of_these_systems(
    means: Means, drawn: Array, coefficient: str, drawing: Drawing, n_units: int
) -> Limits:
    """Compute limits and p of a rank correlation from draws of the systems' true means."""
    if not means.deviations.any():
        r = float(correlate_columns(means.centred[:, :1], means.centred[:, 1:], coefficient)[0, 0])
        return r, r, float(r == 0)
    true = draw_true_means(means, drawn, drawing.stream("true means", str(len(means.centred))))
    found = correlate_columns(true[..., :1], true[..., 1:], coefficient)[:, 0, 0]
    low, high = drawing.limits(found, n_units)
    return low, high, compute_tail_p(found) if math.isfinite(low) else math.nan


def draw_true_means(means: Means, drawn: Array, generator: np.random.Generator) -> Array:
    """Draw true means: an inverse Wishart covariance says how far the means shrink."""
    n = len(means.centred)
    noise = means.noise + SMALLEST_NOISE * np.diag(np.diag(means.observed))
    values, vectors = np.linalg.eigh(noise)
    root = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    inverse = np.linalg.inv(root)
    away = (drawn - means.raw) * np.sqrt(means.n_units / (means.n_units - 1))
    away = (away - away.mean(axis=1, keepdims=True)) @ inverse
    centred = means.centred @ inverse
    squares = centred.T @ centred
    squares = squares + SMALLEST_NOISE * squares.trace() * np.eye(2)
    lower = np.linalg.cholesky(np.linalg.inv(squares))
    normal = generator.normal(size=(len(drawn), n - 1, 2)) @ lower.T
    precision = np.einsum("bki,bkj->bij", normal, normal)
    share, axes = np.linalg.eigh(precision)
    weight = np.maximum(1 - share, LEAST_WEIGHT)
    by_weight = np.einsum("bik,bk,bjk->bij", axes, weight, axes)
    by_root = np.einsum("bik,bk,bjk->bij", axes, np.sqrt(weight), axes)
    return np.asarray((centred @ by_weight + away @ by_root) @ root)


def hold_estimate(limits: Limits, estimate: float) -> Limits:
    """Extend the limits to the estimate; nothing where they would then hold 0 against the p."""
    low, high, p = limits
    if math.isnan(low):
        return limits
    wide = min(low, estimate), max(high, estimate)
    return NOTHING if wide[0] <= 0 <= wide[1] and not low <= 0 <= high else (*wide, p)


def scale_by_powers_of_two(values: Array) -> Array:
    """Scale columns to about 1, without a change of their digits, so that squares are ordinary numbers."""
    greatest = np.nanmax(np.abs(np.vstack([values, np.zeros(values.shape[1])])), axis=0)
    return np.asarray(np.ldexp(values, -np.frexp(greatest)[1]))


class SystemInference:
    """Limits and p for every metric and criterion over the systems."""

    def __init__(self, items: RatedItems, coefficient: str, drawing: Drawing) -> None:
        self.coefficient, self.drawing = coefficient, drawing
        scaled = scale_by_powers_of_two(items.scores), scale_by_powers_of_two(items.human)
        self.items = items = replace(items, scores=scaled[0], human=scaled[1])
        self.columns = [
            [Column.of(items, column) for column in side.T] for side in (items.scores, items.human)
        ]

    def infer(self, cell: tuple[int, int], estimate: float) -> tuple[Limits, Limits]:
        """Infer for these systems, and for new ones."""
        means = Means.of((self.columns[0][cell[0]], self.columns[1][cell[1]]))
        new = hold_estimate(infer_for_new_systems(means, estimate, self.coefficient), estimate)
        few = len(means.centred) < FEWEST_SYSTEMS["these"] or means.n_units.min() < 2
        if few or self.items.n_units < FEWEST_UNITS:
            return NOTHING, new
        if self.coefficient == "pearson":
            over_items = int(means.n_units.sum(axis=0).min()) - len(means.centred)
            df = over_items if self.items.group is None else self.items.n_units - 1
            return hold_estimate(infer_for_these_systems(means, estimate, df), estimate), new
        drawn = np.concatenate(list(self.draw(cell)))
        found = infer_ranks_of_these_systems(means, drawn, self.coefficient, self.drawing, self.items.n_units)
        return hold_estimate(found, estimate), new

    def find_cautions(self, cell: tuple[int, int], few: list[str]) -> list[str]:
        """Find the cautions of the interval for these systems, `few` being that of few groups or items."""
        if self.coefficient == "pearson":
            return few
        means = Means.of((self.columns[0][cell[0]], self.columns[1][cell[1]]))
        if not means.deviations.any():
            return []
        of_ranks = len(means.centred) > SYSTEMS_TO_RANK and self.items.n_units < UNITS_TO_RANK
        return [*few, "few_for_ranks"] if of_ranks else few

    def draw(self, cell: tuple[int, int]) -> Iterator[Array]:
        """Yield both means of the systems that have them in each replicate."""
        values = np.stack([self.items.scores[:, cell[0]], self.items.human[:, cell[1]]], axis=1)
        raw = np.stack([side[place].means for side, place in zip(self.columns, cell, strict=True)], axis=1)
        both = np.isfinite(raw).all(axis=1)
        known, filled = np.isfinite(values).astype(float), np.nan_to_num(values)
        for weights in self.drawing.unit_weights(self.items.n_units, len(self.items.items)):
            of_items = weights[:, self.items.units]
            sides = []
            for system in np.flatnonzero(both):
                inside = self.items.system == system
                number = of_items[:, inside] @ known[inside]
                total = of_items[:, inside] @ filled[inside]
                sides.append(np.where(number > 0, total / np.where(number > 0, number, 1.0), np.nan))
            yield np.stack(sides, axis=1)
