"""Coefficients of agreement of one criterion when its items count several times."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.stats.agreement import fleiss, gwet
from scoring.stats.agreement.alpha import Level, alpha_of_weights, no_alpha_reason
from scoring.stats.agreement.variance.icc import TWO_WAY_NEEDS
from scoring.stats.agreement.variance.one_way import icc1_of_weights
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import TOO_FEW_ITEMS
from scoring.stats.data.refusals import FEWEST_ITEMS, Needs, no_agreement_reason, no_pairs_reason
from scoring.stats.data.table import Ratings

Statistic = Callable[[FloatArray], FloatArray]
# Sums of squares below this share of the total are rounding errors of an exact zero.
ROUNDING = 1e-13


@dataclass(frozen=True)
class Compared:
    """A coefficient whose difference between two sets of ratings can be computed."""

    key: str  # Of the coefficient
    variant: str  # Level of α, weights of AC2; empty for others
    reason: Callable[[Ratings], str]  # Why some ratings have none; empty if they do
    prepare: Callable[[Ratings], tuple[Ratings, Statistic]]  # The ratings used, and the coefficient

    @property
    def name(self) -> str:
        """Key and variant in one word, such as `alpha-ordinal`."""
        return "-".join(part for part in (self.key, self.variant) if part)


def _alpha(level: Level) -> Compared:
    def prepare(ratings: Ratings) -> tuple[Ratings, Statistic]:
        pairable = ratings.pairable()
        return pairable, alpha_of_weights(pairable, level)

    return Compared(
        "alpha", level, lambda ratings: no_alpha_reason(ratings, ratings.pairable(), level), prepare
    )


def _fleiss(ratings: Ratings) -> tuple[Ratings, Statistic]:
    pairable = ratings.pairable()
    return pairable, fleiss.fleiss_of_weights(pairable)


def _fleiss_reason(ratings: Ratings) -> str:
    return fleiss.NEEDS.refusal(ratings) or no_agreement_reason(ratings, ratings.pairable())


def _gwet(ratings: Ratings, weighting: gwet.Weights) -> tuple[Ratings, Statistic]:
    return ratings, gwet.gwet_of_weights(ratings, weighting)


def _gwet_reason(ratings: Ratings) -> str:
    few = TOO_FEW_ITEMS if ratings.pairable().n_items < FEWEST_ITEMS else ""
    return gwet.NEEDS.refusal(ratings) or no_pairs_reason(ratings, ratings.pairable()) or few


def _one_way(ratings: Ratings, *, of_mean: bool) -> tuple[Ratings, Statistic]:
    safe = ratings.in_safe_unit
    k = safe.n_items / float((1 / safe.sizes).sum()) if of_mean else 1.0
    single = icc1_of_weights(safe)
    return ratings, lambda weights: _of_mean(single(weights), k)


def _one_way_reason(ratings: Ratings) -> str:
    return no_agreement_reason(ratings, ratings.pairable())


def _two_way_reason(ratings: Ratings) -> str:
    complete = Needs(complete=True).refusal(ratings)
    return TWO_WAY_NEEDS.refusal(ratings) or no_agreement_reason(ratings, ratings.pairable()) or complete


def _two_way(ratings: Ratings, key: str) -> tuple[Ratings, Statistic]:
    safe = ratings.in_safe_unit
    k = len(safe.raters)
    # Ratings are ordered by item, then rater.
    values = safe.value.reshape(safe.n_items, k) - safe.value.mean()
    return ratings, lambda weights: _from_mean_squares(values, weights, key)


def _from_mean_squares(values: FloatArray, weights: FloatArray, key: str) -> FloatArray:
    """ICC2 or ICC3 of complete ratings, shape (items, raters), for each row of weights."""
    k, n = values.shape[1], weights.sum(axis=1)
    of_item = values.mean(axis=1)
    of_rater = weights @ values / n[:, None]
    mean = of_rater.mean(axis=1)
    total = weights @ (values**2).sum(axis=1) - n * k * mean**2
    items = _rounded(k * (weights @ of_item**2 - n * mean**2), total)
    raters = _rounded(n * ((of_rater - mean[:, None]) ** 2).sum(axis=1), total)
    error = _rounded(total - items - raters, total) / ((n - 1) * (k - 1))
    item_square, rater_square = items / (n - 1), raters / (k - 1)
    bias = k * (rater_square - error) / n if key.startswith("icc2") else 0.0
    single = _divided(item_square - error, item_square + (k - 1) * error + bias)
    return _of_mean(single, k) if key.endswith("k") else single


def _rounded(squares: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(np.where(squares < ROUNDING * total, 0.0, squares), dtype=np.float64)


def _of_mean(single: FloatArray, k: float) -> FloatArray:
    """Reliability of the mean of k ratings (Spearman and Brown)."""
    return _divided(k * single, 1 + (k - 1) * single)


def _divided(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), math.nan), where=whole > 0))


_LISTED = (
    *(_alpha(level) for level in ("ordinal", "interval", "nominal", "ratio")),
    Compared("fleiss", "", _fleiss_reason, _fleiss),
    Compared("ac1", "", _gwet_reason, partial(_gwet, weighting="identity")),
    Compared("ac2", "quadratic", _gwet_reason, partial(_gwet, weighting="quadratic")),
    Compared("icc1", "", _one_way_reason, partial(_one_way, of_mean=False)),
    Compared("icc1k", "", _one_way_reason, partial(_one_way, of_mean=True)),
    *(
        Compared(key, "", _two_way_reason, partial(_two_way, key=key))
        for key in ("icc2", "icc2k", "icc3", "icc3k")
    ),
)
COMPARED: Mapping[str, Compared] = {one.name: one for one in _LISTED}
