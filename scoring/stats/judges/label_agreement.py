"""Agreement on options: of one rater, and of a judge, with a rater of the same item."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scoring.stats.base.cautions import zero_width_part
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import CONSTANT_RATINGS, NO_OVERLAP, Interval, finite_or_none
from scoring.stats.data.table import Ratings
from scoring.stats.judges.unit_sums import Units, bootstrap_intervals

Chance = Literal["shares", "uniform"]
EXACT = "exact"
# Corrected for chance: from the shares of the options, or from their number alone.
CORRECTED: dict[Chance, str] = {"shares": "kappa", "uniform": "s"}
# An expected agreement this close to 1 is 1: nothing varies.
ROUNDING = 1e-12


@dataclass(frozen=True)
class LabelAgreement:
    """One coefficient of agreement on options."""

    coefficient: str  # `exact`, `kappa` or `s`
    estimate: float  # NaN exactly when `reason` is set
    interval: Interval
    confidence: float
    n_items: int
    n_groups: int  # 0 where items belong to no groups
    reason: str = ""

    def to_row(self) -> dict[str, object]:
        """The coefficient as a JSON object."""
        how = (self.interval.settings, zero_width_part(self.interval.low, self.interval.high))
        return {
            "coefficient": self.coefficient,
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "confidence": self.confidence,
            "interval_method": f"none:{self.interval.reason}"
            if self.interval.reason
            else self.interval.method,
            "interval_settings": "|".join(part for part in how if part),
            "n_items": self.n_items,
            "n_groups": self.n_groups,
            "reason": self.reason,
        }


def agreement_of_raters(ratings: Ratings, chance: Chance, resampling: Resampling) -> list[LabelAgreement]:
    """How often a rater chooses the option of another rater of the item.

    Parameters
    ----------
    ratings : Ratings
        Options of one criterion, `nominal`.
    chance : {"shares", "uniform"}
        Agreement that is expected by chance: from the shares of the options, or 1/K of K options, where an
        option means something else for each item.
    resampling : Resampling
        Replicates, seed and confidence of the intervals.

    Returns
    -------
    list of LabelAgreement
        The observed agreement P and, corrected for chance, (P − E)/(1 − E). P is the mean over items of the
        share of pairs of raters with one option, E the sum of the squared mean shares of the options, or 1/K.
        Items with a single answer are left out.

    References
    ----------
    Fleiss (1971), equations 3 to 8, each item with the same weight; Brennan and Prediger (1981).
    """
    paired = ratings.pairable()
    counts = counts_of(paired)
    size = counts.sum(axis=1)
    observed = (counts * (counts - 1)).sum(axis=1) / np.maximum(size * (size - 1), 1)
    shares = counts / np.maximum(size, 1)[:, None]
    values = np.column_stack([observed, shares, shares])
    return _figures(values, paired, (ratings.criterion, ""), chance, resampling)


def agreement_of_judge(
    ratings: Ratings, judge: FloatArray, name: str, chance: Chance, resampling: Resampling
) -> list[LabelAgreement]:
    """How often a judge chooses the option of a rater of the item.

    Parameters
    ----------
    ratings : Ratings
        Options of one criterion, `nominal`.
    judge : ndarray of float, shape (items,)
        The judge's option for each item code, NaN where there is none.
    name : str
        Name of the judge.
    chance, resampling
        As of `agreement_of_raters`.

    Returns
    -------
    list of LabelAgreement
        P is the mean over items of the share of raters who chose the judge's option. E is the sum over
        options of the share of items for which the judge chose it times its mean share among raters, or 1/K.
        Both P are chances of agreeing with a rater drawn at random, so that they can be compared whatever
        the number of raters.

    References
    ----------
    Vanbelle and Albert (2009), Agreement between an isolated rater and a group of raters, without the
    division by the agreement that can be reached; Schouten (1982).
    """
    answered = np.isfinite(judge)[ratings.item]
    own = ratings.keep(answered)
    chosen = np.eye(len(ratings.categories))[judge[np.isfinite(judge)].astype(np.int64)]
    counts = counts_of(own)
    shares = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    observed = (shares * chosen).sum(axis=1)
    values = np.column_stack([observed, shares, chosen])
    return _figures(values, own, (ratings.criterion, name), chance, resampling)


def counts_of(ratings: Ratings) -> FloatArray:
    """How many raters of each item chose each option or point, shape (items, categories)."""
    counts = np.zeros((ratings.n_items, len(ratings.categories)))
    np.add.at(counts, (ratings.item, np.searchsorted(ratings.categories, ratings.value)), 1)
    return counts


def _figures(
    values: FloatArray, ratings: Ratings, name: tuple[str, str], chance: Chance, resampling: Resampling
) -> list[LabelAgreement]:
    """From the observed agreement and both shares of the options, a row per item."""
    n_options = len(ratings.categories)
    values = np.column_stack([values, np.ones(len(values))])

    def both(sums: FloatArray) -> FloatArray:
        return _coefficients(sums, n_options, chance)

    units = Units.of(ratings.group, ratings.n_items)
    estimates = both(values.sum(axis=0)[None, :])[0]
    intervals = bootstrap_intervals(values, units, both, resampling, (*name, "options"))
    return [
        _figure(coefficient, float(estimate), interval, ratings.n_items, units, resampling)
        for coefficient, estimate, interval in zip(
            (EXACT, CORRECTED[chance]), estimates, intervals, strict=True
        )
    ]


def _coefficients(sums: FloatArray, n_options: int, chance: Chance) -> FloatArray:
    """Observed and corrected agreement for each row of sums, shape (rows, 2)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[:, :-1] / sums[:, -1:]
        observed, shares, chosen = means[:, 0], means[:, 1 : 1 + n_options], means[:, 1 + n_options :]
        expected = (shares * chosen).sum(axis=1) if chance == "shares" else np.full(len(sums), 1 / n_options)
        corrected = np.where(expected < 1 - ROUNDING, (observed - expected) / (1 - expected), math.nan)
    return np.column_stack([observed, corrected])


def _figure(
    coefficient: str, estimate: float, interval: Interval, n_items: int, units: Units, resampling: Resampling
) -> LabelAgreement:
    reason = ""
    if math.isnan(estimate):
        reason = CONSTANT_RATINGS if n_items else NO_OVERLAP
        interval = Interval.missing(reason)
    return LabelAgreement(
        coefficient, estimate, interval, resampling.confidence, n_items, units.n_groups, reason
    )
