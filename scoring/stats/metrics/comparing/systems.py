"""Systems compared: mean ratings, differences of any two, and the best k of them."""

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy

from scoring.stats.base.association import Coefficient
from scoring.stats.base.multiple_testing import adjusted, enough_replicates, smallest_adjusted
from scoring.stats.base.resampling import FloatArray, IntArray, Resampling
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.bootstrap.bootstrap_draws import unit_draws
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.comparison import bootstrap_p
from scoring.stats.metrics.levels import correlations, system_means

FEWEST_SYSTEMS = 3


@dataclass(frozen=True)
class SystemMean:
    """Mean rating of one system."""

    system: str
    criterion: str
    mean: float  # NaN without a rating
    half_width: float  # Half of the t interval, t(1 − α/2, n − 1)·s/√n; NaN with fewer than two values
    n: int  # Number of items: the values are their mean ratings
    confidence: float  # Nominal coverage of the interval
    reason: str = ""  # Why there is no interval


@dataclass(frozen=True)
class SystemDifference:
    """Difference of two systems on one criterion."""

    criterion: str
    first: str
    second: str
    difference: float  # Mean of the first less mean of the second
    interval: Interval  # By paired bootstrap: the same groups are drawn for both systems
    p: float  # Two-sided, from the same replicates
    # 1 where the first is greater in at least the confidence's share of replicates, 2 where the second
    # is, else 0
    label: int
    p_adjusted: float = math.nan  # p adjusted by Holm over the pairs of the criterion; NaN outside a family


@dataclass(frozen=True)
class SystemFamily:
    """All pairs of systems, tested together."""

    differences: list[SystemDifference]  # By criterion; each pair once
    replicates: int  # Bootstrap replicates behind each p
    smallest_p_adjusted: float  # The smallest adjusted p that these replicates can give


@dataclass(frozen=True)
class TopSystems:
    """Correlation over the best systems alone."""

    criterion: str
    metric: str
    coefficient: Coefficient
    k: int  # Number of systems in the ranking
    systems: tuple[str, ...]  # Their names, the best first
    estimate: float  # The correlation of their means; NaN where undefined
    cut_in_tie: bool  # Whether the last system included is as good as the first one left out


def mean_ratings(items: MeasuredItems, confidence: float = 0.95) -> list[SystemMean]:
    """Mean of every system on every criterion, over its items.

    Parameters
    ----------
    items
        Items with systems.
    confidence
        Coverage of the intervals.

    References
    ----------
    HANNA (2022), table 4, with items in place of ratings.
    """
    codes = _codes(items)
    return [
        _mean(name, criterion, values[codes == code], confidence)
        for criterion, values in zip(items.criteria, items.human.T, strict=True)
        for code, name in enumerate(items.systems)
    ]


def compare_systems(items: MeasuredItems, resampling: Resampling) -> list[SystemDifference]:
    """Every two systems on every criterion.

    Parameters
    ----------
    items
        Items with systems; their `among_metrics()` compares the systems by their scores.
    resampling
        Settings of the bootstrap over groups, or over items where there are none; its tick is called between
        pieces of the work.

    Returns
    -------
    list of SystemDifference
        By criterion; each pair of systems once, in the order of the table.

    References
    ----------
    Koehn (2004); HANNA (2022), section 5.3.
    """
    means = system_means(items, items.human, np.ones((1, len(items.items))))[0]
    drawn = _drawn_means(items, resampling)
    first, second = np.triu_indices(len(items.systems), 1)
    return [
        _difference(
            (name, items.systems[one], items.systems[other]),
            float(means[one, column] - means[other, column]),
            drawn[:, one, column] - drawn[:, other, column],
            resampling,
            items,
        )
        for column, name in enumerate(items.criteria)
        for one, other in zip(first, second, strict=True)
    ]


def compare_all_systems(items: MeasuredItems, resampling: Resampling) -> SystemFamily:
    """Every two systems on every criterion, with p adjusted by Holm over the pairs of a criterion.

    Parameters
    ----------
    items
        Items with systems.
    resampling
        Settings of the bootstrap. The replicates grow with the number of pairs, see `enough_replicates`: with
        the 2,000 asked for by default and over 50 pairs, no difference however great is significant at .05.

    References
    ----------
    Holm (1979); Davison & Hinkley (1997), section 4.2, for p from replicates.
    """
    pairs = math.comb(len(items.systems), 2)
    enough = replace(resampling, replicates=enough_replicates(resampling.replicates, pairs))
    compared = compare_systems(items, enough)
    found: list[SystemDifference] = []
    for criterion in items.criteria:
        family = [one for one in compared if one.criterion == criterion]
        p = adjusted(np.array([one.p for one in family], dtype=np.float64), "holm")
        found += [replace(one, p_adjusted=float(value)) for one, value in zip(family, p, strict=True)]
    return SystemFamily(found, enough.replicates, smallest_adjusted(enough.replicates, pairs))


def top_k_curve(
    items: MeasuredItems, coefficient: Coefficient, fewest: int = FEWEST_SYSTEMS
) -> list[TopSystems]:
    """System-level correlations over the k best systems, for every k.

    Parameters
    ----------
    items
        Items with systems.
    coefficient
        `pearson`, `spearman` or `kendall`.
    fewest
        The least k.

    Returns
    -------
    list of TopSystems
        By criterion, k from all systems downwards, and metric. The best are those with the highest mean
        rating on the criterion; ties in the order of the table.

    References
    ----------
    HANNA (2022), figure 8.
    """
    found = []
    for criterion in items.criteria:
        asked = items.select(criteria=[criterion])
        means = round_significant(system_means(asked, asked.human, np.ones((1, len(asked.items))))[0, :, 0])
        known = np.flatnonzero(np.isfinite(means))
        order = known[np.argsort(-means[known], kind="stable")]
        for k in range(len(order), fewest - 1, -1):
            names = tuple(asked.systems[code] for code in order[:k])
            tie = bool(k < len(order) and means[order[k - 1]] == means[order[k]])
            estimates = correlations(asked.only(systems=names), "system", coefficient).estimate[:, 0]
            found += [
                TopSystems(criterion, metric, coefficient, k, names, float(estimate), tie)
                for metric, estimate in zip(asked.metrics, estimates, strict=True)
            ]
    return found


def _drawn_means(items: MeasuredItems, resampling: Resampling) -> FloatArray:
    """Mean of each system on each criterion in every replicate, shape (replicates, systems, criteria)."""
    shape = (len(items.systems), len(items.criteria))
    known = np.isfinite(items.human)
    # Units are drawn whole, so their sums are taken once and not in every replicate.
    numbers, totals = (
        _by_unit_and_system(items, values)
        for values in (known.astype(np.float64), np.where(known, items.human, 0))
    )
    drawn = np.full((resampling.replicates, *shape), np.nan)
    done = 0
    for weights in unit_draws(items.n_units, len(items.items), resampling, "systems")():
        taken = (weights @ numbers).reshape(-1, *shape)
        piece = drawn[done : done + len(weights)]
        np.divide((weights @ totals).reshape(-1, *shape), taken, out=piece, where=taken > 0)
        piece[:] = round_significant(piece)
        done += len(weights)
        resampling.tick(len(weights))
    return drawn


def _by_unit_and_system(items: MeasuredItems, values: FloatArray) -> FloatArray:
    """Sums of each column over the items of each unit and system, shape (units, systems × columns)."""
    sums = np.zeros((items.n_units, len(items.systems), values.shape[1]))
    np.add.at(sums, (items.unit_codes, _codes(items)), values)
    return sums.reshape(items.n_units, -1)


def _codes(items: MeasuredItems) -> IntArray:
    if items.system is None:
        raise ValueError("the items belong to no systems")
    return items.system


def _mean(system: str, criterion: str, values: FloatArray, confidence: float) -> SystemMean:
    known = values[np.isfinite(values)]
    n = len(known)
    if n < 2:
        mean = float(known.mean()) if n else math.nan
        return SystemMean(system, criterion, mean, math.nan, n, confidence, TOO_FEW_ITEMS)
    t = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1))
    half_width = t * float(known.std(ddof=1)) / math.sqrt(n)
    return SystemMean(system, criterion, float(known.mean()), half_width, n, confidence)


def _difference(
    names: tuple[str, str, str],
    difference: float,
    replicates: FloatArray,
    resampling: Resampling,
    items: MeasuredItems,
) -> SystemDifference:
    interval = resampling.interval(replicates, items.unit, items.n_units)
    resampling.tick(0)
    p = bootstrap_p(replicates, items.n_units)
    return SystemDifference(*names, difference, interval, p, label_of(replicates, resampling.confidence))


def label_of(replicates: FloatArray, confidence: float) -> int:
    """Which of two systems is better, from the replicates of their difference.

    Parameters
    ----------
    replicates
        Differences, shape (replicates,).
    confidence
        Share of replicates on one side of zero that counts as sure.

    Returns
    -------
    int
        1 the first, 2 the second, 0 neither.

    References
    ----------
    Bhandari et al. (2020); HANNA (2022), section 5.3.
    """
    if np.mean(replicates > 0) >= confidence:
        return 1
    return 2 if np.mean(replicates < 0) >= confidence else 0
