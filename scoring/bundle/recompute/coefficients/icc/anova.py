"""Intraclass correlations from mean squares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from ...arrays import Array, Row
from ...drawing import FEWEST_UNITS, Drawing, get_tail_probabilities
from ...ratings import Ratings, make_figure, make_undefined_figure
from ..patterns import Patterns
from .cautions import FEW_RATERS, ITEMS_OF_F, find_icc_cautions
from .jackknife import compute_jackknife_limits, is_skewed

PIVOTS = 20_000


def step_up_reliability(single: float, k: float) -> float:
    """Compute the reliability of a mean of k ratings from that of one (Spearman–Brown)."""
    rest = 1 + (k - 1) * single
    return k * single / rest if rest > 0 else -math.inf


def make_icc_row(
    ratings: Ratings,
    key: str,
    path: str,
    k: float,
    found: tuple[float, float, float],
    path_of_limits: str | None = None,
) -> Row:
    """Make the row of an ICC; undefined if the items have no variance."""
    variant = f"{path}, k={k:.4g}" if key.endswith("k") else path
    if not math.isfinite(found[0]):
        return make_undefined_figure(ratings, key, variant)
    limits = keep_in_range(found, find_least_icc(key, int(ratings.sizes.max()), k))
    row = make_figure(ratings, key, variant, found[0], limits)
    return row | {"cautions": find_icc_cautions(ratings, key, path_of_limits or path)}


def compute_item_df(ratings: Ratings) -> float:
    """Compute the degrees of freedom of the items' means, by Satterthwaite where items belong to groups."""
    n = ratings.n_items
    if ratings.group is None:
        return n - 1.0
    frame = pd.DataFrame(
        {"group": ratings.group, "mean": np.bincount(ratings.item, ratings.value) / ratings.sizes}
    )
    of_group, count = frame.groupby("group")["mean"].transform("mean"), int(ratings.group.max()) + 1
    between = float(((of_group - frame["mean"].mean()) ** 2).sum())
    within = float(((frame["mean"] - of_group) ** 2).sum())
    if between + within == 0 or count in {1, n}:
        return n - 1.0
    return (between + within) ** 2 / (between**2 / (count - 1) + within**2 / (n - count))


def has_enough_groups(ratings: Ratings) -> bool:
    """Whether there are groups enough for an interval, or none."""
    return ratings.group is None or int(ratings.group.max()) + 1 >= FEWEST_UNITS


def find_least_icc(key: str, most: int, k: float) -> float:
    """Find the lower end of an ICC, where the mean of the most ratings of an item has no variance."""
    least = -1 / (most - 1)
    if not key.endswith("k"):
        return least
    # As an average of k: of as many ratings as an item can have there is no lower end.
    return step_up_reliability(least, k) if k < most else -math.inf


def keep_in_range(found: tuple[float, float, float], least: float) -> tuple[float, float]:
    """Keep limits between the lower end and 1; NaN if the estimate or the whole interval is outside."""
    estimate, low, high = found
    low, high = float(np.maximum(low, least)), float(np.minimum(high, 1.0))
    slack = 1e-9 * max(1.0, abs(least)) if math.isfinite(least) else 0.0
    outside = not least - slack <= estimate <= 1 + 1e-9
    if outside or not np.isfinite([low, high]).all() or low > high:
        return math.nan, math.nan
    return low, high


@dataclass(frozen=True)
class Squares:
    """Mean squares of n items with k ratings each (Shrout & Fleiss 1979, table 1)."""

    n: int
    k: int
    rows: float
    columns: float
    error: float
    within: float
    row_df: float

    @classmethod
    def of(cls, ratings: Ratings) -> Squares:
        """Compute the mean squares of a rectangular table; rounding errors of zero are zero."""
        n, k = ratings.n_items, int(ratings.sizes[0])
        x = ratings.value.reshape(n, k) - ratings.value.mean()
        total = float((x**2).sum())

        def settle(square: float) -> float:
            return 0.0 if square < 1e-13 * total else square

        rows = k * float((x.mean(axis=1) ** 2).sum())
        columns = n * float((x.mean(axis=0) ** 2).sum())
        within = settle(total - rows)
        error = settle(within - columns)
        return cls(
            n,
            k,
            settle(rows) / (n - 1),
            columns / (k - 1),
            error / ((n - 1) * (k - 1)),
            within / (n * (k - 1)),
            compute_item_df(ratings),
        )

    def coefficient(self, key: str) -> float:
        """Compute an ICC (Shrout & Fleiss 1979; McGraw & Wong 1996, table 4)."""
        n, k, msr, msc, mse, msw = self.n, self.k, self.rows, self.columns, self.error, self.within
        signal, noise = {
            "icc1": (msr - msw, msr + (k - 1) * msw),
            "icc1k": (msr - msw, msr),
            "icc2": (msr - mse, msr + (k - 1) * mse + k * (msc - mse) / n),
            "icc2k": (msr - mse, msr + (msc - mse) / n),
            "icc3": (msr - mse, msr + (k - 1) * mse),
            "icc3k": (msr - mse, msr),
        }[key]
        return signal / noise if noise > 1e-13 * (msr + msw) else math.nan

    def limits(self, key: str) -> tuple[float, float]:
        """Compute F limits (Shrout & Fleiss); for ICC2 by Satterthwaite (McGraw & Wong, table 7)."""
        single = key.removesuffix("k")
        low, high = self.agreement_limits() if single == "icc2" else self.ratio_limits(single)
        if single == "icc2" and not low <= self.coefficient(single) <= high:
            return math.nan, math.nan
        return (
            (step_up_reliability(low, self.k), step_up_reliability(high, self.k))
            if key.endswith("k")
            else (low, high)
        )

    def ratio_limits(self, key: str) -> tuple[float, float]:
        """Compute the limits of ICC1 or ICC3, whose ratio of mean squares follows F."""
        n, k = self.n, self.k
        noise, df = (self.within, n * (k - 1)) if key == "icc1" else (self.error, (n - 1) * (k - 1))
        if noise == 0:
            return 1.0, 1.0
        f = self.rows / noise / np.asarray(stats.f.ppf(get_tail_probabilities()[::-1], self.row_df, df))
        return float((f[0] - 1) / (f[0] + k - 1)), float((f[1] - 1) / (f[1] + k - 1))

    def agreement_limits(self) -> tuple[float, float]:
        """Compute the limits of ICC2."""
        n, k, icc = self.n, self.k, self.coefficient("icc2")
        if icc == 1:
            return 1.0, 1.0
        a = k * icc / (n * (1 - icc)) * self.columns
        b = (1 + k * icc * (n - 1) / (n * (1 - icc))) * self.error
        weight = a**2 / (k - 1) + b**2 / ((n - 1) * (k - 1))
        v = (a + b) ** 2 / weight if weight > 0 else (n - 1) * (k - 1)
        spread = k * self.columns + (k * n - k - n) * self.error
        below, above = (
            stats.f.ppf(get_tail_probabilities()[1], self.row_df, v),
            stats.f.ppf(get_tail_probabilities()[1], v, self.row_df),
        )
        low = n * (self.rows - below * self.error) / (below * spread + n * self.rows)
        return float(low), float(n * (above * self.rows - self.error) / (spread + n * above * self.rows))

    def pivotal_limits(self, key: str, generator: np.random.Generator) -> tuple[float, float]:
        """Draw ICC2 or ICC2k from χ² distributions of the mean squares (Weerahandi 1993)."""
        df = (self.n - 1) * (self.k - 1)
        residual = df * self.error / generator.chisquare(df, PIVOTS)
        rows = self.row_df * self.rows / generator.chisquare(self.row_df, PIVOTS)
        columns = (self.k - 1) * self.columns / generator.chisquare(self.k - 1, PIVOTS)
        item, rater = (rows - residual) / self.k, (columns - residual) / self.n
        total = item + (rater + residual) / (self.k if key.endswith("k") else 1)
        ratios = np.where(total > 0, item / np.where(total > 0, total, 1.0), -math.inf)
        low, high = np.quantile(ratios, get_tail_probabilities(), method="lower")
        return float(low), float(high)


def compute_from_mean_squares(
    ratings: Ratings, keys: Sequence[str], path: str, drawing: Drawing
) -> list[Row]:
    """Compute the ICCs of a rectangular table."""
    ms = Squares.of(ratings)
    one_way = path.startswith("one")
    by_jackknife = not one_way and is_skewed(ratings)
    rows = []
    for key in keys:
        found, path_of_limits = (ms.coefficient(key), math.nan, math.nan), path
        if not ratings.spread_within.any():
            found = (1.0, 1.0, 1.0)
        elif ms.rows == 0 and not one_way and ms.error == 0:
            found = (math.nan, math.nan, math.nan)
        elif ms.rows > 0 and math.isfinite(found[0]) and has_enough_groups(ratings):
            jackknifed = compute_jackknife_limits(ratings, key) if by_jackknife else None
            by_pivots = key.startswith("icc2") and ms.k < FEW_RATERS and ms.n > ITEMS_OF_F
            generator = drawing.stream(ratings.name, "two-way")
            limits = ms.pivotal_limits(key, generator) if by_pivots else ms.limits(key)
            found = (found[0], *(jackknifed or limits))
            path_of_limits = "jackknife" if jackknifed else path
        rows.append(make_icc_row(ratings, key, path, ms.k, found, path_of_limits))
    return rows


def compute_unbalanced(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """Compute ICC1 with k₀ = (N − Σm²/N)/(n − 1), and ICC1k for the harmonic mean of the numbers."""
    patterns, path = Patterns.of(ratings), "unbalanced one-way ANOVA"
    values, m = ratings.categories - ratings.value.mean(), patterns.sizes
    sums, squares = patterns.counts @ values, patterns.counts @ values**2
    features = np.column_stack([np.ones_like(m), m, m**2, sums, squares, sums**2 / m])

    def estimates(weights: Array) -> Array:
        n, total, sizes_squared, all_sums, all_squares, between = (weights @ features).T
        with np.errstate(divide="ignore", invalid="ignore"):
            k0 = np.where(n > 1, (total - sizes_squared / total) / (n - 1), np.nan)
            within = np.where(total > n, (all_squares - between) / (total - n), np.nan)
            within = np.where(within < 1e-13 * all_squares / total, 0.0, within)
            rows = np.where(n > 1, (between - all_sums**2 / total) / (n - 1), np.nan)
            noise = rows + (k0 - 1) * within
            return np.where(noise > 0, (rows - within) / noise, np.nan)

    estimate, k = float(estimates(patterns.frequency[None, :])[0]), ratings.harmonic_size
    if not ratings.spread_within.any():
        return [make_icc_row(ratings, key, path, k, (1.0, 1.0, 1.0)) for key in keys]
    replicates = patterns.replicates(drawing, (ratings.name, "icc1"), estimates)
    low, high = drawing.limits(replicates, patterns.n_units)
    averaged = (
        step_up_reliability(estimate, k),
        step_up_reliability(low, k),
        step_up_reliability(high, k),
    )
    if math.isnan(low):
        averaged = (averaged[0], math.nan, math.nan)
    return [
        make_icc_row(ratings, key, path, k, averaged if key == "icc1k" else (estimate, low, high))
        for key in keys
    ]
