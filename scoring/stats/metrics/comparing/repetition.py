"""How closely a second run of a study repeats the first: the four types of results of reproductions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.base.association import associations
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import CONSTANT_RATINGS, OTHER_SCALE, TOO_FEW_ITEMS, finite_or_none
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.scale import Scale
from scoring.stats.data.table import Ratings, RatingsTable
from scoring.stats.metrics.meta_figure import TOO_FEW_SYSTEMS

# A correlation of fewer values is ±1 or undefined.
FEWEST_PAIRS = 3


@dataclass(frozen=True)
class Compared:
    """One result of both runs."""

    result: str  # Type and name of the result: `cv`, `pearson`, `spearman`, `alpha`, `orders`
    of: str  # What it is about: a system, `items` or `systems`
    estimate: float  # NaN exactly when `reason` is set
    n: int  # How many systems, items or pairs of systems are compared
    # first, second: The two means of `cv`; NaN for the others
    first: float = math.nan
    second: float = math.nan
    reason: str = ""

    def to_row(self) -> dict[str, Any]:
        """The result as a JSON object; NaN becomes None."""
        numbers = {key: finite_or_none(getattr(self, key)) for key in ("estimate", "first", "second")}
        return {"result": self.result, "of": self.of, "n": self.n, **numbers, "reason": self.reason}


def precision(values: FloatArray, *, low: float = 0.0) -> float:
    """CV*, the coefficient of variation of a few measurements of the same quantity, in per cent.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Two or more measurements, on a scale that begins at `low`.
    low : float
        Lowest value of the scale, which is subtracted: the coefficient needs a scale that begins at 0.

    Returns
    -------
    float
        100 (1 + 1/4n) s*/m̄, with s* = s/c₄(n) the unbiased standard deviation of normal values; NaN where
        the mean is at the lowest value or fewer than two are given.

    References
    ----------
    Belz, Popović and Mille (2022), Quantified Reproducibility Assessment of NLP Results.
    """
    n = len(values)
    if n < 2:
        return math.nan
    shifted = np.asarray(values, dtype=np.float64) - low
    mean = float(shifted.mean())
    if not mean > 0:
        return math.nan
    log_c4 = 0.5 * math.log(2 / (n - 1)) + float(scipy.special.gammaln(n / 2))
    log_c4 -= float(scipy.special.gammaln((n - 1) / 2))
    unbiased = float(shifted.std(ddof=1)) / math.exp(log_c4)
    return 100 * (1 + 1 / (4 * n)) * unbiased / mean


def compare_runs(
    first: Ratings, second: Ratings, systems: Mapping[str, str], *, scales: tuple[Scale, Scale]
) -> list[Compared]:
    """Compare the results of two runs on one criterion.

    Parameters
    ----------
    first, second : Ratings
        Ratings of the criterion in each run; items are the same where their labels are.
    systems : mapping of str to str
        System of each item label; items without one are in no result about systems.
    scales : tuple of Scale
        The scale of each run. Where they differ, values cannot be compared: `cv` and `alpha` are NaN for the
        reason `other_scale`. On a logarithmic one `cv` is that of the geometric means.

    Returns
    -------
    list of Compared
        Type I, single scores: `cv` of each system's mean. Type II, sets of scores: `pearson` and `spearman`
        of the means of systems and of items. Type III, labels: `alpha` between the median ratings of the
        items of both runs. Type IV, findings: `orders`, the share of pairs of systems that have the same
        order in both.

    References
    ----------
    Belz and Thomson (2024), The 2024 ReproNLP Shared Task: the four types of results.
    """
    means = [item_means(run) for run in (first, second)]
    items = sorted(means[0].keys() & means[1].keys())
    by_system = [system_means(of, systems) for of in means]
    names = sorted(by_system[0].keys() & by_system[1].keys())
    results = [_single(name, [of[name] for of in by_system], scales) for name in names]
    for of, labels, pair in (("systems", names, by_system), ("items", items, means)):
        values = np.array([[run[label] for run in pair] for label in labels]).reshape(len(labels), 2)
        results += [_correlated(coefficient, of, values) for coefficient in ("pearson", "spearman")]
    results.append(_labelled(first, second, items, scales))
    results.append(_ordered(names, by_system))
    return results


def item_means(ratings: Ratings) -> dict[str, float]:
    """Mean rating of each item that has one, by its label."""
    if not ratings.n_ratings:
        return {}
    means = np.bincount(ratings.item, ratings.value) / ratings.sizes
    return dict(zip(map(str, ratings.items), map(float, means), strict=True))


def system_means(means: Mapping[str, float], systems: Mapping[str, str]) -> dict[str, float]:
    """Mean of the item means of each system: items count alike, however often they were rated."""
    members: dict[str, list[float]] = {}
    for item, mean in means.items():
        if systems.get(item):
            members.setdefault(systems[item], []).append(mean)
    return {name: float(np.mean(own)) for name, own in members.items()}


def _single(name: str, pair: Sequence[float], scales: tuple[Scale, Scale]) -> Compared:
    values, low = np.array(pair), scales[0].low
    if scales[0].logarithmic:
        values, low = np.exp(values), 0.0
    first, second = map(float, values)
    if scales[0] != scales[1]:
        return Compared("cv", name, math.nan, 2, first, second, OTHER_SCALE)
    estimate = precision(values, low=low)
    reason = CONSTANT_RATINGS if math.isnan(estimate) else ""
    return Compared("cv", name, estimate, 2, first, second, reason)


def _correlated(coefficient: str, of: str, values: FloatArray) -> Compared:
    n = len(values)
    if n < FEWEST_PAIRS:
        few = TOO_FEW_SYSTEMS if of == "systems" else TOO_FEW_ITEMS
        return Compared(coefficient, of, math.nan, n, reason=few)
    kind: Any = coefficient
    estimate = float(associations(values[:, :1], values[:, 1:], kind)[0, 0])
    return Compared(coefficient, of, estimate, n, reason=CONSTANT_RATINGS if math.isnan(estimate) else "")


def _labelled(first: Ratings, second: Ratings, items: Sequence[str], scales: tuple[Scale, Scale]) -> Compared:
    """α of the items' median ratings; with an even number of ratings the lower of the two in the middle."""
    if len(items) < 2:
        return Compared("alpha", "items", math.nan, len(items), reason=TOO_FEW_ITEMS)
    if scales[0] != scales[1]:
        return Compared("alpha", "items", math.nan, len(items), reason=OTHER_SCALE)
    level: Level = "interval" if scales[0].continuous else "ordinal"
    medians = [_medians(run) for run in (first, second)]
    rows = [(label, name, of[label]) for name, of in zip("AB", medians, strict=True) for label in items]
    frame = pd.DataFrame(rows, columns=["item", "rater", "value"]).assign(criterion=first.criterion)
    both = RatingsTable.from_frame(frame).criteria[first.criterion]
    figure = alpha(both, level, Resampling(replicates=1))
    return Compared("alpha", "items", figure.estimate, len(items), reason=figure.reason)


def _medians(ratings: Ratings) -> dict[str, float]:
    order = np.lexsort((ratings.value, ratings.item))
    starts = np.cumsum(ratings.sizes) - ratings.sizes
    middle = ratings.value[order][starts + (ratings.sizes - 1) // 2]
    return dict(zip(map(str, ratings.items), map(float, middle), strict=True))


def _ordered(names: Sequence[str], pair: Sequence[Mapping[str, float]]) -> Compared:
    pairs = list(combinations(names, 2))
    if not pairs:
        return Compared("orders", "systems", math.nan, 0, reason=TOO_FEW_SYSTEMS)
    same = [len({_sign(run[one], run[other]) for run in pair}) == 1 for one, other in pairs]
    return Compared("orders", "systems", float(np.mean(same)), len(pairs))


def _sign(one: float, other: float) -> int:
    left, right = round_significant(np.array([one, other]))
    return int(np.sign(left - right))
