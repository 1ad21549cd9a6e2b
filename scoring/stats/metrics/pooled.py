"""Correlation over all items at once, when units of items are drawn again and again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.association import Coefficient
from scoring.stats.base.rank_correlation import ROUNDING
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.bootstrap.bootstrap_draws import Draws
from scoring.stats.data.rated_items import MeasuredItems

Statistic = Callable[[FloatArray], FloatArray]
Place = tuple[int, int]

# Kendall's τ compares all pairs of items; beyond this many items its replicates are not computed.
MOST_PAIRED_ITEMS = 3_000


@dataclass(frozen=True)
class PooledPairs:
    """Every metric paired with every criterion, over the items that have both values."""

    items: MeasuredItems  # Mean ratings and scores

    @property
    def shape(self) -> Place:
        """Numbers of metrics and criteria."""
        return len(self.items.metrics), len(self.items.criteria)

    @property
    def n(self) -> FloatArray:
        """Items that have both values, shape (metrics, criteria)."""
        known = [np.isfinite(values).astype(np.float64) for values in (self.items.scores, self.items.human)]
        return np.asarray(known[0].T @ known[1], dtype=np.float64)

    def places(self, at_least: int) -> Iterator[Place]:
        """The pairs with enough items."""
        enough = self.n >= at_least
        return (cell for cell in np.ndindex(*self.shape) if enough[cell])

    def valid(self, place: Place) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which items have both values."""
        both = np.isfinite(self.items.scores[:, place[0]]) & np.isfinite(self.items.human[:, place[1]])
        return np.asarray(both, dtype=np.bool_)

    def columns(self, place: Place) -> tuple[FloatArray, FloatArray, IntArray]:
        """Scores, ratings and unit codes of the items that have both values."""
        valid = self.valid(place)
        metric, criterion = place
        return (
            self.items.scores[valid, metric],
            self.items.human[valid, criterion],
            self.items.unit_codes[valid],
        )

    def replicates(self, coefficient: Coefficient, draws: Draws) -> FloatArray | None:
        """Correlations in every draw of units.

        Parameters
        ----------
        coefficient
            Coefficient of the correlation.
        draws
            Gives chunks of weights, shape (replicates, units), the same at every call.

        Returns
        -------
        ndarray, shape (metrics, criteria, replicates), or None
            None for Kendall's τ of more than 3,000 items.
        """
        if coefficient == "spearman":
            return np.concatenate([self._rank_correlations(weights) for weights in draws()], axis=-1)
        if coefficient == "kendall" and len(self.items.items) > MOST_PAIRED_ITEMS:
            return None
        total = sum(len(weights) for weights in draws())
        found = np.full((*self.shape, total), np.nan)
        for cell in self.places(at_least=2):
            statistic = pooled(*self.columns(cell), coefficient)
            found[cell] = np.concatenate([statistic(weights) for weights in draws()])
        return found

    def _rank_correlations(self, weights: FloatArray) -> FloatArray:
        """Spearman's ρ; the ranks of a column are computed once for all items it shares with others."""
        found = np.full((*self.shape, len(weights)), np.nan)
        item_weights = weights[:, self.items.unit_codes]
        of_human: dict[tuple[int, bytes], FloatArray] = {}
        for metric in range(self.shape[0]):
            of_metric: dict[bytes, FloatArray] = {}
            for criterion in range(self.shape[1]):
                valid = self.valid((metric, criterion))
                key, counts = valid.tobytes(), item_weights[:, valid]
                if valid.sum() < 2:
                    continue
                if key not in of_metric:
                    of_metric[key] = weighted_ranks(
                        round_significant(self.items.scores[valid, metric]), counts
                    )
                if (criterion, key) not in of_human:
                    of_human[criterion, key] = weighted_ranks(
                        round_significant(self.items.human[valid, criterion]), counts
                    )
                found[metric, criterion] = _rank_ratio(of_metric[key], of_human[criterion, key], counts)
        return found


def pooled(x: FloatArray, y: FloatArray, unit: IntArray, coefficient: Coefficient) -> Statistic:
    """Prepare a correlation of two columns under weights of units.

    Parameters
    ----------
    x, y
        The columns, shape (items,), without NaN.
    unit
        Code of the unit (item or group) of each item.
    coefficient
        `pearson`, `spearman` (average ranks of the items as often as drawn) or `kendall` (τ-b).

    Returns
    -------
    callable
        From weights, shape (replicates, units), to correlations, shape (replicates,); NaN where a column does
        not vary.
    """
    if coefficient == "pearson":
        return _pearson(x, y, unit)
    prepare = _spearman if coefficient == "spearman" else _kendall
    return prepare(round_significant(x), round_significant(y), unit)


def _pearson(x: FloatArray, y: FloatArray, unit: IntArray) -> Statistic:
    x, y = _standard(x), _standard(y)
    moments = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)

    def correlate(weights: FloatArray) -> FloatArray:
        n, sum_x, sum_y, xx, yy, xy = (weights @ _by_unit(moments, unit, weights.shape[1])).T
        n = np.maximum(n, 1)
        return _ratio(xy - sum_x * sum_y / n, _left(xx, sum_x**2 / n), _left(yy, sum_y**2 / n))

    return correlate


def _standard(values: FloatArray) -> FloatArray:
    """Centred, with a greatest absolute value of one, so that squares of tiny values do not vanish."""
    scaled = values / (np.abs(values).max() or 1.0)
    centred = np.asarray(scaled - scaled.mean(), dtype=np.float64)
    return centred if np.abs(centred).max() > ROUNDING else np.zeros(len(values))


def _by_unit(values: FloatArray, unit: IntArray, n_units: int) -> FloatArray:
    indicator = scipy.sparse.coo_array(
        (np.ones(len(unit)), (unit, np.arange(len(unit)))), (n_units, len(unit))
    )
    return np.asarray(indicator.tocsr() @ values, dtype=np.float64)


def _spearman(x: FloatArray, y: FloatArray, unit: IntArray) -> Statistic:
    def correlate(weights: FloatArray) -> FloatArray:
        item_weights = weights[:, unit]
        return _rank_ratio(weighted_ranks(x, item_weights), weighted_ranks(y, item_weights), item_weights)

    return correlate


def _rank_ratio(x: FloatArray, y: FloatArray, item_weights: FloatArray) -> FloatArray:
    def products(first: FloatArray, second: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("rn,rn,rn->r", item_weights, first, second), dtype=np.float64)

    return _ratio(products(x, y), products(x, x), products(y, y))


def weighted_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Average ranks, less their mean, when each value occurs as often as its weight says.

    Parameters
    ----------
    values
        Shape (items,).
    weights
        Shape (replicates, items).

    Returns
    -------
    ndarray, shape (replicates, items)
        Ranks of the values in each replicate.
    """
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    run = np.empty(len(values), dtype=np.int64)
    run[order] = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(values)]))
    size = np.add.reduceat(weights[:, order], starts, axis=1)
    below = np.cumsum(size, axis=1) - size
    middle = below + size / 2 - size.sum(axis=1, keepdims=True) / 2
    return np.asarray(middle[:, run], dtype=np.float64)


def _kendall(x: FloatArray, y: FloatArray, unit: IntArray) -> Statistic:
    order = np.argsort(unit, kind="stable")
    present, starts = np.unique(unit[order], return_index=True)
    sign_x, sign_y = (np.sign(values[order, None] - values[None, order]) for values in (x, y))

    def between_units(signs: FloatArray) -> FloatArray:
        rows = np.add.reduceat(signs, starts, axis=0)
        return np.asarray(np.add.reduceat(rows, starts, axis=1), dtype=np.float64)

    concordant = between_units(sign_x * sign_y)
    untied_x, untied_y = between_units(sign_x**2), between_units(sign_y**2)

    def correlate(weights: FloatArray) -> FloatArray:
        item_weights = weights[:, present]

        def drawn(pairs: FloatArray) -> FloatArray:
            return np.asarray(((item_weights @ pairs) * item_weights).sum(axis=1), dtype=np.float64)

        return _ratio(drawn(concordant), drawn(untied_x), drawn(untied_y))

    return correlate


def _left(squares: FloatArray, explained: FloatArray) -> FloatArray:
    variance = squares - explained
    return np.asarray(np.where(variance > ROUNDING * squares, variance, 0.0), dtype=np.float64)


def _ratio(covariance: FloatArray, variance_x: FloatArray, variance_y: FloatArray) -> FloatArray:
    scale = np.sqrt(variance_x) * np.sqrt(variance_y)
    ratio = np.divide(covariance, scale, out=np.full(len(scale), np.nan), where=scale > 0)
    return np.asarray(np.clip(ratio, -1.0, 1.0), dtype=np.float64)
