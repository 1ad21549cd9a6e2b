"""Ordinal α of many selections and shuffles of the same answers, from counts of values alone."""

import math
from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement.distances import disagreement
from scoring.stats.base.resampling import BoolArray, IntArray
from scoring.stats.data.answers import Answers
from scoring.stats.data.refusals import FEWEST_ITEMS


@dataclass(frozen=True)
class CodedAnswers:
    """The values of each criterion as codes, one entry an answer."""

    rater: IntArray  # Code of the rater of each answer
    n_items: int  # Number of item codes
    # Per criterion, the position of each answer's value among the criterion's categories; -1 for no
    # value
    codes: tuple[IntArray, ...]
    widths: tuple[int, ...]  # Number of categories of each criterion

    @classmethod
    def of(cls, answers: Answers) -> "CodedAnswers":
        """Code the values of answers.

        Parameters
        ----------
        answers
            That count.
        """
        codes, widths = [], []
        for name, value in answers.values.items():
            known = ~np.isnan(value)
            categories = answers.categories(name)
            code = np.full(len(value), -1, dtype=np.int64)
            code[known] = np.searchsorted(categories, value[known])
            codes.append(code)
            widths.append(len(categories))
        return cls(answers.rater, answers.n_items, tuple(codes), tuple(widths))

    def alphas(self, item: IntArray, kept: BoolArray) -> list[float]:
        """Krippendorff's ordinal α of each criterion.

        Parameters
        ----------
        item
            Code of the item of each answer.
        kept
            Whether each answer counts.

        Returns
        -------
        list of float
            As 1 less the sum of `alpha_parts`; NaN where it cannot be computed.
        """
        return [
            self._alpha(item, kept & (code >= 0), code, width)
            for code, width in zip(self.codes, self.widths, strict=True)
        ]

    def _alpha(self, item: IntArray, chosen: BoolArray, code: IntArray, width: int) -> float:
        counts = np.bincount((item * width + code)[chosen], minlength=self.n_items * width)
        counts = counts.reshape(self.n_items, width)
        sizes = counts.sum(axis=1)
        pairable = counts[sizes >= 2]
        raters = self.rater[chosen]
        varied = np.count_nonzero(pairable.any(axis=0)) > 1 and bool(np.any(raters != raters[0]))
        if not varied or len(pairable) < FEWEST_ITEMS:
            return math.nan
        observed, expected = disagreement(pairable, np.arange(width, dtype=np.float64), "ordinal")
        # Those with a single rating take nothing; summed with them, the sum is the same to the last digit.
        parts = np.zeros(np.count_nonzero(sizes))
        parts[sizes[sizes > 0] >= 2] = observed / expected
        return 1 - float(parts.sum())
