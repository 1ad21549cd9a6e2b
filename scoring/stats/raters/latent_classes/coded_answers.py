"""The answers that a model of classes is fitted to, and where a fit starts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class CodedAnswers:
    """One entry per answer, in the order of the items; every code occurs."""

    item: IntArray
    rater: IntArray
    option: IntArray
    n_items: int
    n_raters: int
    n_classes: int  # Each option that was chosen is a class

    @classmethod
    def of(cls, ratings: Ratings, classes: FloatArray) -> Self:
        """The answers of ratings whose values are among `classes`, shape (classes,), which are in order."""
        order = np.argsort(ratings.item, kind="stable")
        option = np.searchsorted(classes, ratings.value[order])
        sizes = ratings.n_items, len(ratings.raters), len(classes)
        return cls(ratings.item[order], ratings.rater[order], option, *sizes)

    def sum_by_item(self, values: FloatArray) -> FloatArray:
        """Sums over the answers of each item, from shape (answers, …) to (items, …)."""
        starts = np.searchsorted(self.item, np.arange(self.n_items))
        return np.asarray(np.add.reduceat(values, starts, axis=0), dtype=np.float64)

    def sum_by_rater_and_option(self, values: FloatArray) -> FloatArray:
        """Sums of one value per answer, shape (raters, options)."""
        cell = self.rater * self.n_classes + self.option
        sums = np.bincount(cell, values, minlength=self.n_raters * self.n_classes)
        return np.asarray(sums.reshape(self.n_raters, self.n_classes), dtype=np.float64)

    def starts(self, number: int, seed: int) -> Iterator[FloatArray]:
        """Probabilities of the classes of each item to start from, shape (items, classes).

        The first are the shares of the votes. In the others, votes have random weights by rater: squared
        standard exponential ones, so that a few raters count for most.
        """
        generator = np.random.default_rng(seed)
        yield self._shares(np.ones(self.n_raters))
        for _ in range(number - 1):
            yield self._shares(generator.standard_exponential(self.n_raters) ** 2)

    def _shares(self, weights: FloatArray) -> FloatArray:
        votes = np.eye(self.n_classes)[self.option] * weights[self.rater, None]
        sums = self.sum_by_item(votes)
        return np.asarray(sums / sums.sum(axis=1, keepdims=True), dtype=np.float64)
