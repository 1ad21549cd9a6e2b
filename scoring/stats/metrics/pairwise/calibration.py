"""Tie calibration: the difference of scores up to which a metric is taken to call two items equal."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.metrics.pairwise.pairs import Pairs

# Accuracies that differ by less are equal but for rounding.
EQUAL = 1e-12


@dataclass(frozen=True)
class Calibration:
    """The threshold at which a metric agrees best with the raters."""

    epsilon: float  # Greatest difference of scores that counts as a tie; NaN without pairs
    accuracy: float  # Mean over blocks of the share of pairs on which metric and raters agree


@dataclass(frozen=True)
class Fold:
    """Pairs on which a threshold is chosen, and others on which it is judged."""

    learn: FloatArray  # Weight of each pair in the accuracy that chooses
    judge: BoolArray  # Pairs that are judged


class CalibratedMetric:
    """The pairs of one metric, in the order of their differences of scores."""

    def __init__(self, pairs: Pairs, scores: FloatArray) -> None:
        """Sort the pairs.

        Parameters
        ----------
        pairs
            Pairs of items that have a score.
        scores
            Score of every item in the table; greater is better.
        """
        distances = pairs.distances(scores)
        order = np.argsort(distances, kind="stable")
        self.pairs = pairs.take(order)
        self.signs = self.pairs.signs(scores)
        self.distances = distances[order]
        self._ends = _ends_of_runs(self.distances, self.pairs.rounding(scores))

    def calibrate(self, human: IntArray, weights: FloatArray) -> Calibration:
        """Find the threshold with the greatest accuracy, by trying every one that makes a difference.

        Parameters
        ----------
        human
            Order of each of the sorted pairs by the raters: 1, 0 or −1.
        weights
            Weight of each sorted pair in the accuracy.

        Returns
        -------
        Calibration
            The smallest of the best thresholds. Besides 0, only differences that occur are tried: between two
            of them the accuracy is constant. NaN where no pair has a weight.

        Notes
        -----
        Raising the threshold over the difference of a pair ties it. That makes a pair right that the raters
        tie, wrong one that was in the raters' order, and leaves wrong one that was in the opposite order. So
        after sorting, one running sum gives the accuracy at every threshold: O(p log p) for p pairs.
        """
        if not weights.any():
            return Calibration(math.nan, math.nan)
        in_order = weights * (human * self.signs > 0)
        untied = float(in_order.sum())
        accuracies = untied + np.cumsum(np.where(human == 0, weights, -in_order))[self._ends]
        thresholds = self.distances[self._ends]
        if thresholds[0] > 0:
            accuracies, thresholds = np.r_[untied, accuracies], np.r_[0.0, thresholds]
        best = int(np.argmax(accuracies >= accuracies.max() - EQUAL))
        return Calibration(float(thresholds[best]), float(accuracies[best]))

    def correct(self, human: IntArray, epsilon: float) -> BoolArray:
        """The sorted pairs that the metric orders, or ties, as the raters do.

        Parameters
        ----------
        human
            Order of each of the sorted pairs by the raters.
        epsilon
            Greatest difference of scores that counts as a tie: 0 or one that `calibrate` has returned.
        """
        tied = int(np.searchsorted(self.distances, epsilon, side="right"))
        return np.concatenate([human[:tied] == 0, human[tied:] == self.signs[tied:]])

    def held_out(self, human: IntArray, folds: Sequence[Fold]) -> float:
        """Accuracy on pairs that had no part in choosing the threshold.

        Parameters
        ----------
        human
            Order of each of the sorted pairs by the raters.
        folds
            Disjoint sets of pairs to judge, each with the pairs to choose its threshold on.

        Returns
        -------
        float
            Mean over blocks of the share of judged pairs on which both agree; NaN where a fold has no pair to
            choose on, or no fold has a pair to judge.
        """
        agreed, judged = np.zeros(len(self.pairs)), np.zeros(len(self.pairs), dtype=np.bool_)
        for fold in folds:
            epsilon = self.calibrate(human, fold.learn).epsilon
            if math.isnan(epsilon):
                return math.nan
            agreed[fold.judge] = self.correct(human, epsilon)[fold.judge]
            judged |= fold.judge
        return float(self.pairs.weights(judged) @ agreed) if judged.any() else math.nan


def _ends_of_runs(distances: FloatArray, rounding: FloatArray) -> IntArray:
    """The last pair of each run of differences that are equal but for rounding; 0 is a run of its own."""
    gaps = np.diff(distances)
    distinct = gaps > np.maximum(rounding[:-1], rounding[1:])
    distinct |= (distances[:-1] == 0) & (gaps > 0)
    return np.flatnonzero(np.r_[distinct, True][: len(distances)])
