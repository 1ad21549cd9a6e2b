"""Agreement on answers that are sets of options: α with the MASI distance, and α of every option."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.base.result import (
    CONSTANT_RATINGS,
    NO_OVERLAP,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    Figure,
    Sample,
    estimated,
    refused,
)
from scoring.stats.data.bootstrap.units import item_units
from scoring.stats.data.refusals import FEWEST_ITEMS
from scoring.stats.data.table import RatingsTable

Options = frozenset[str]
SEPARATOR = "|"


def options_in(value: str) -> list[str]:
    """Return the options of an answer, which tables join by bars."""
    return value.split(SEPARATOR)


def comparable(value: str) -> str:
    """Return an answer with its options in one order, so that equal choices are equal texts.

    Parameters
    ----------
    value
        One value, or several joined by `|`.
    """
    return SEPARATOR.join(sorted(options_in(value)))


@dataclass(frozen=True)
class SetAnswers:
    """Answers to one question, each a set of options; an empty set is an answer.

    Parameters
    ----------
    criterion
        Name of the question.
    items, raters
        Item and rater of each answer, shape (answers,).
    answers
        The options chosen.
    identified
        Whether raters are persons rather than anonymous slots.
    groups
        Group of each answer's item; empty for an item without one, no entries without groups.
    """

    criterion: str
    items: Sequence[str]
    raters: Sequence[str]
    answers: Sequence[Options]
    identified: bool = True
    groups: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse the same rater twice on an item."""
        places = list(zip(self.items, self.raters, strict=True))
        if len(set(places)) != len(places) or len(places) != len(self.answers):
            raise ValueError(f"{self.criterion}: a rater answers an item once")


def masi_distance(one: Options, other: Options) -> float:
    """The distance between two sets of options.

    Parameters
    ----------
    one, other
        Sets of options.

    Returns
    -------
    float
        1 − J·M: J is their Jaccard similarity, M is 1 for equal sets, 2/3 where one holds the other, 1/3
        where they share something, 0 where nothing. Two empty sets are equal.

    References
    ----------
    Passonneau (2006).
    """
    if one == other:
        return 0.0
    shared = len(one & other)
    monotone = 2 / 3 if one <= other or other <= one else 1 / 3
    return 1 - shared / len(one | other) * monotone if shared else 1.0


def masi_alpha(answers: SetAnswers, resampling: Resampling) -> Figure:
    """Krippendorff's α of set-valued answers with the MASI distance.

    Parameters
    ----------
    answers
        Of any number of raters per item; items with one answer are left out.
    resampling
        Replicates, seed and confidence of the bootstrap over items, or groups; five of them are needed.

    Returns
    -------
    Figure
        Coefficient `alpha`, variant `masi`.

    References
    ----------
    Passonneau (2006); Krippendorff (2019), chapter 12.
    """
    name = (answers.criterion, "alpha", "masi")
    coded = _Coded.of(answers)
    reason = coded.reason()
    if reason:
        return refused(name, reason, coded.sample, resampling.confidence)
    estimate = float(coded.alphas(np.ones((1, coded.n_items)))[0])
    interval = nothing_to_draw(coded.unit)
    n_units = int(coded.group.max()) + 1
    if n_units >= FEWEST_UNITS:
        generator = resampling.generator(answers.criterion, "masi")
        shares = np.full(n_units, 1 / n_units)
        replicates = [
            coded.alphas(generator.multinomial(n_units, shares, size=size)[:, coded.group].astype(np.float64))
            for size in resampling.chunks(coded.n_items)
        ]
        interval = resampling.interval(np.concatenate(replicates), coded.unit, n_units)
    return estimated(name, estimate, interval, coded.sample, resampling.confidence)


def option_alphas(answers: SetAnswers, resampling: Resampling) -> list[Figure]:
    """Nominal α of every option, chosen or not.

    Parameters
    ----------
    answers
        As for `masi_alpha`.
    resampling
        Replicates, seed and confidence.

    Returns
    -------
    list of Figure
        By option; `criterion` is followed by a colon and the option.
    """
    options = sorted(set().union(*answers.answers))
    return [
        alpha(_chosen(answers, option).criteria[f"{answers.criterion}:{option}"], "nominal", resampling)
        for option in options
    ]


def _chosen(answers: SetAnswers, option: str) -> RatingsTable:
    frame = pd.DataFrame(
        {
            "item": list(answers.items),
            "rater": list(answers.raters),
            "criterion": f"{answers.criterion}:{option}",
            "value": [float(option in one) for one in answers.answers],
            "group": list(answers.groups) or "",
        }
    )
    return RatingsTable.from_frame(frame, identified=answers.identified)


@dataclass(frozen=True)
class _Coded:
    """Value counts of the distinct sets, items with at least two answers only."""

    counts: FloatArray
    distances: FloatArray
    sample: Sample
    raters: int
    group: IntArray
    unit: str

    @classmethod
    def of(cls, answers: SetAnswers) -> "_Coded":
        distinct = sorted(set(answers.answers), key=sorted)
        place = {one: code for code, one in enumerate(distinct)}
        items, item = np.unique(np.array(answers.items, dtype=str), return_inverse=True)
        code: IntArray = np.array([place[one] for one in answers.answers], dtype=np.int64)
        counts = np.zeros((len(items), len(distinct)))
        np.add.at(counts, (item, code), 1.0)
        paired = counts.sum(axis=1) >= 2
        distances = np.array([[masi_distance(one, other) for other in distinct] for one in distinct])
        raters = len(set(answers.raters))
        sample = Sample(int(paired.sum()), raters if answers.identified else None, int(counts[paired].sum()))
        group, unit = item_units(items[paired], dict(zip(answers.items, answers.groups, strict=False)))
        return cls(
            counts[paired], distances.reshape(len(distinct), len(distinct)), sample, raters, group, unit
        )

    @property
    def n_items(self) -> int:
        return len(self.counts)

    def reason(self) -> str:
        if self.raters < 2:
            return TOO_FEW_RATERS
        if self.n_items == 0:
            return NO_OVERLAP
        if self.n_items < FEWEST_ITEMS:
            return TOO_FEW_ITEMS
        return CONSTANT_RATINGS if np.count_nonzero(self.counts.sum(axis=0)) < 2 else ""

    def alphas(self, weights: FloatArray) -> FloatArray:
        """α for each row of item weights, shape (replicates, items)."""
        sizes = self.counts.sum(axis=1)
        observed = ((self.counts @ self.distances) * self.counts).sum(axis=1) / (sizes - 1)
        marginals = weights @ self.counts
        total = marginals.sum(axis=1)
        expected = ((marginals @ self.distances) * marginals).sum(axis=1) / np.maximum(total - 1, 1)
        ratio = np.divide(weights @ observed, expected, out=np.full(len(weights), np.nan), where=expected > 0)
        return np.asarray(1 - ratio, dtype=np.float64)
