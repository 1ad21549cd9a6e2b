"""Limits of skewed complete ratings: items (or groups) and raters are left out in turn."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from ...arrays import Array
from ...drawing import FEWEST_UNITS, get_tail_probabilities
from ...ratings import Ratings

FEWEST_RATERS = 3
# What is less than this part of the squares is an error of rounding.
ROUNDING = 1e-12


def is_skewed(ratings: Ratings) -> bool:
    """Whether more than half of the ratings have the lowest, or the highest, value given."""
    ends = ratings.value.min(), ratings.value.max()
    return max(float(np.mean(ratings.value == end)) for end in ends) > 0.5


def compute_jackknife_limits(ratings: Ratings, key: str) -> tuple[float, float] | None:
    """Compute limits on the scale −log(1 − ρ) of an average of all raters; None if there are none."""
    n, k = ratings.n_items, len(ratings.raters)
    unit = np.arange(n) if ratings.group is None else ratings.group
    n_units = int(unit.max()) + 1
    if n_units < FEWEST_UNITS or k < FEWEST_RATERS:
        return None
    x = ratings.value.reshape(n, k) - ratings.value.mean()
    consistency = key.startswith("icc3")
    estimate, without_unit = leave_out_units(x, unit, k, consistency=consistency)
    fewer = [
        leave_out_units(x[:, np.arange(k) != rater], unit, k, consistency=consistency) for rater in range(k)
    ]
    without_rater, without_both = np.array([one[0] for one in fewer]), np.array([one[1] for one in fewer])
    of_units, of_raters = ((len(one) - 1) * float(np.var(one)) for one in (without_unit, without_rater))
    joint = without_both - without_unit - without_rater[:, None] + estimate
    shared = float((joint**2).sum()) * (n_units - 1) * (k - 1) / (n_units * k)
    variance = of_units + max(of_raters - shared, 0.0)
    if not (math.isfinite(variance) and variance > 0):
        return None
    df = (of_units + of_raters) ** 2 / (of_units**2 / (n_units - 1) + of_raters**2 / (k - 1))
    half = float(stats.t.ppf(get_tail_probabilities()[1], df)) * math.sqrt(variance)
    averages = [1 - math.exp(min(-(estimate + side * half), 700.0)) for side in (-1, 1)]
    low, high = averages if key.endswith("k") else [one / (k - (k - 1) * one) for one in averages]
    return low, high


def leave_out_units(x: Array, unit: Array, k: int, *, consistency: bool) -> tuple[float, Array]:
    """Compute −log(1 − ρ) for averages of k: of all units, and without each of them in turn."""
    n_units = int(unit.max()) + 1
    number, squares, of_rows = np.zeros((3, n_units + 1))
    sums = np.zeros((n_units + 1, x.shape[1]))
    # The last place is that of no unit, so that nothing is left out.
    np.add.at(number, unit, 1.0)
    np.add.at(squares, unit, (x**2).sum(axis=1))
    np.add.at(of_rows, unit, x.sum(axis=1) ** 2)
    np.add.at(sums, unit, x)
    n, squares, of_rows, sums = (one.sum(axis=0) - one for one in (number, squares, of_rows, sums))
    raters = x.shape[1]
    correction = sums.sum(axis=1) ** 2 / (n * raters)
    rows = (of_rows / raters - correction) / (n - 1)
    columns = ((sums**2).sum(axis=1) / n - correction) / (raters - 1)
    rest = squares - correction - rows * (n - 1) - columns * (raters - 1)
    error = rest / ((n - 1) * (raters - 1))
    noise = (error if consistency else error + (columns - error) / n) / k
    between = (rows - error) / raters
    least = ROUNDING * squares
    defined = (noise > least) & (between + noise > least)
    found = np.where(defined, np.log1p(between / np.where(defined, noise, np.inf)), np.nan)
    return float(found[-1]), found[:-1]
