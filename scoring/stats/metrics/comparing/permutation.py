"""Permutation test of the difference of two metrics' correlations: their scores change places."""

from collections.abc import Callable

import numpy as np
import scipy

from scoring.stats.base.association import BoolArray, Coefficient, associations
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.levels import Level, group_correlations, system_means

Swapped = Callable[[BoolArray], FloatArray]
Contrast = Callable[[FloatArray], FloatArray]

STREAM = "swaps"

# Up to this many points all pairs of them are compared at once; beyond, scipy's sorting is quicker.
FEW_POINTS = 60


def permutation_p(
    items: MeasuredItems, level: Level, coefficient: Coefficient, contrast: Contrast, resampling: Resampling
) -> float:
    """Two-sided p of a difference when the scores of two metrics change places at random.

    Parameters
    ----------
    items
        One criterion and two metrics turned so that higher is better, without missing values.
    level, coefficient
        Level and coefficient of the correlations.
    contrast
        From correlations of both metrics, shape (permutations, 2), to their differences.
    resampling
        Number of permutations, and the seed.

    Returns
    -------
    float
        (1 + permutations at least as far from zero) / (1 + permutations); NaN without a difference.

    Notes
    -----
    Scores are standardised; for Kendall and Spearman their ranks are, because these two depend on nothing
    else and two metrics can have very different scales. Those of all items of a group change places together
    (of single items where there are no groups), so that groups are what the test generalises over. At system
    level the mean scores of systems change places: it generalises over systems, as Williams's test does.

    References
    ----------
    Deutsch, Dror & Roth (2021), A statistical analysis of summarization evaluation metrics using resampling
    methods, TACL 9: PERM-INPUTS, and at system level PERM-SYSTEMS.
    """
    correlate = _correlations(items, level, coefficient)
    n_units = len(items.systems) if level == "system" else items.n_units
    observed = abs(float(contrast(correlate(np.zeros((1, n_units), dtype=np.bool_)))[0]))
    if np.isnan(observed):
        return float("nan")
    generator = resampling.generator(STREAM)
    beyond, defined = 0, 0
    for size in resampling.chunks(2 * len(items.items)):
        found = np.abs(contrast(correlate(generator.random((size, n_units)) < 0.5)))
        beyond += int((found >= observed * (1 - 1e-12)).sum())
        defined += int(np.isfinite(found).sum())
    return (1 + beyond) / (1 + defined)


def _correlations(items: MeasuredItems, level: Level, coefficient: Coefficient) -> Swapped:
    """From swaps, shape (permutations, units or systems), to correlations, shape (permutations, 2)."""
    if level == "group":
        by_group = group_correlations(items, coefficient)[:, :, 0]
        return lambda swaps: np.asarray(_exchanged(by_group, swaps).mean(axis=1), dtype=np.float64)
    if level == "item":
        scores = _comparable(items.scores, coefficient)
        return lambda swaps: _against(
            _exchanged(scores, swaps[:, items.unit_codes]), items.human, coefficient
        )
    once = np.ones((1, len(items.items)))
    means = _comparable(system_means(items, items.scores, once)[0], coefficient)
    human = system_means(items, items.human, once)[0]
    return lambda swaps: _against(_exchanged(means, swaps), human, coefficient)


def _comparable(scores: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Columns on one scale, so that a score of one metric can take the place of one of the other."""
    if coefficient == "pearson":
        exponents = np.frexp(np.abs(scores).max(axis=0))[1]
        values = np.ldexp(scores, -exponents)
    else:
        values = scipy.stats.rankdata(round_significant(scores), axis=0)
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0), dtype=np.float64)


def _exchanged(columns: FloatArray, swaps: BoolArray) -> FloatArray:
    """Two columns, exchanged in the rows that `swaps` names, shape (permutations, rows, 2)."""
    return np.where(swaps[:, :, None], columns[None, :, ::-1], columns[None])


def _against(columns: FloatArray, human: FloatArray, coefficient: Coefficient) -> FloatArray:
    if coefficient != "kendall" or len(human) <= FEW_POINTS:
        return associations(columns, human, coefficient)[:, :, 0]
    ratings, scores = round_significant(human[:, 0]), round_significant(columns)
    found = [[scipy.stats.kendalltau(column, ratings).statistic for column in one.T] for one in scores]
    return np.array(found, dtype=np.float64)
