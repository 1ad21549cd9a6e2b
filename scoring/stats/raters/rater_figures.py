"""Each rater compared with the others: severity, agreement, and identical answers."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.held_out import MINIMUM_SHARED
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.answers import Answers
from scoring.stats.raters.exclusion import codes_of, held_out, mean_of_others


@dataclass(frozen=True)
class RaterFigures:
    """Figures of each rater, in the order of the rater codes, each of shape (raters,)."""

    # n_answers, n_cannot: All answers, and "can't rate" answers
    n_answers: IntArray
    n_cannot: IntArray
    seconds: FloatArray  # Median seconds of an answer; NaN where unknown
    n_shared: IntArray  # Ratings of items that others rated too
    # Mean of those ratings less the mean of the others of the same item, over all criteria, each in
    # points of its scale; positive for a rater who gives more
    severity: FloatArray
    # low, high: Interval of the severity: t over the rater's items, of each the mean over the criteria.
    # NaN for fewer than two items.
    low: FloatArray
    high: FloatArray
    held_out: FloatArray  # Mean over the criteria of Pearson's correlation with the mean of the others
    flat: FloatArray  # Share of the answers to two or more criteria whose values are all the same
    longest_run: IntArray  # Most answers in a row, by number, with the same value on every criterion


def rater_figures(
    answers: Answers, *, fewest: int = MINIMUM_SHARED, confidence: float = 0.95
) -> RaterFigures:
    """Volume, time, severity, consistency and straight-lining of every rater.

    Parameters
    ----------
    answers
        Answers that count.
    fewest
        Least number of items shared with others for a correlation.
    confidence
        Coverage of the intervals.

    Returns
    -------
    RaterFigures
        Severity and correlations are NaN where raters are anonymous slots, or share no item.
    """
    size = answers.n_raters
    correlations, totals = [], _Differences(answers)
    for name in answers.values if answers.identified else ():
        ratings = answers.ratings(name)
        found, _ = held_out(ratings, size, fewest, answers)
        correlations.append(found)
        pairable = ratings.pairable()
        if pairable.n_ratings:
            totals.add(
                pairable.value - mean_of_others(pairable),
                codes_of(pairable, answers)[pairable.rater],
                _item_codes(pairable.items, answers)[pairable.item],
            )
    severity, low, high, n_shared = totals.figures(confidence)
    flat, run = _straight_lining(answers)
    return RaterFigures(
        n_answers=np.bincount(answers.rater, minlength=size),
        n_cannot=np.bincount(answers.rater[answers.cannot], minlength=size),
        seconds=_medians(answers),
        n_shared=n_shared,
        severity=severity,
        low=low,
        high=high,
        held_out=_mean_of_defined(correlations, size),
        flat=flat,
        longest_run=run,
    )


def with_excluded_raters(
    figures: RaterFigures,
    answers: Answers,
    excluded: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
    *,
    fewest: int = MINIMUM_SHARED,
) -> RaterFigures:
    """Add the figures of excluded raters, each compared with the raters who are not excluded.

    Parameters
    ----------
    figures
        Those of the answers that count.
    answers
        Answers of all raters, excluded ones too.
    excluded
        Whether each rater is excluded, shape (raters,).
    fewest
        As for `rater_figures`.
    """
    columns = {name: getattr(figures, name).copy() for name in figures.__dataclass_fields__}
    counting = ~excluded[answers.rater]
    for code in np.flatnonzero(excluded):
        own = answers.rater == code
        same_items = np.isin(answers.item, np.unique(answers.item[own]))
        alone = rater_figures(answers.only(own | (counting & same_items)), fewest=fewest)
        for name, column in columns.items():
            column[code] = getattr(alone, name)[code]
    return RaterFigures(**columns)


class _Differences:
    """Differences from the others, summed by rater and item over the criteria."""

    def __init__(self, answers: Answers) -> None:
        self._n_raters, self._n_items = answers.n_raters, answers.n_items
        self._cells: list[IntArray] = []
        self._values: list[FloatArray] = []

    def add(self, differences: FloatArray, rater: IntArray, item: IntArray) -> None:
        self._cells.append(rater * self._n_items + item)
        self._values.append(differences)

    def figures(self, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
        """Severity, its limits, and the number of ratings, by rater."""
        nothing = np.full(self._n_raters, math.nan)
        if not self._cells:
            return nothing, nothing, nothing, np.zeros(self._n_raters, dtype=np.int64)
        cells, values = np.concatenate(self._cells), np.concatenate(self._values)
        pages, of_rating = np.unique(cells, return_inverse=True)
        times = np.bincount(of_rating)
        of_page = np.bincount(of_rating, values) / times
        rater = pages // self._n_items
        n = np.bincount(rater, minlength=self._n_raters)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.bincount(rater, of_page, self._n_raters) / n
            squares = np.bincount(rater, (of_page - mean[rater]) ** 2, self._n_raters)
            spread = np.sqrt(squares / (n - 1) / n)
            half = scipy.stats.t.ppf((1 + confidence) / 2, np.maximum(n - 1, 1)) * spread
        half[n < 2] = math.nan
        return mean, mean - half, mean + half, np.bincount(rater, times, self._n_raters).astype(np.int64)


def _item_codes(labels: "np.ndarray[tuple[int], np.dtype[np.object_]]", answers: Answers) -> IntArray:
    code_of = {label: code for code, label in enumerate(answers.item_labels)}
    return np.array([code_of[label] for label in labels], dtype=np.int64)


def _mean_of_defined(columns: list[FloatArray], size: int) -> FloatArray:
    if not columns:
        return np.full(size, math.nan)
    table = np.array(columns)
    defined = np.isfinite(table)
    number = defined.sum(axis=0)
    total = np.where(defined, table, 0.0).sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), math.nan)


def _medians(answers: Answers) -> FloatArray:
    found = np.full(answers.n_raters, math.nan)
    known = np.isfinite(answers.seconds)
    order = np.lexsort((answers.seconds[known], answers.rater[known]))
    rater, seconds = answers.rater[known][order], answers.seconds[known][order]
    n = np.bincount(rater, minlength=answers.n_raters)
    starts = np.cumsum(n) - n
    some = np.flatnonzero(n)
    found[some] = (seconds[starts[some] + (n[some] - 1) // 2] + seconds[starts[some] + n[some] // 2]) / 2
    return found


def _straight_lining(answers: Answers) -> tuple[FloatArray, IntArray]:
    """Share of flat answers, and the longest run of equal ones, by rater."""
    size = answers.n_raters
    if not answers.values or not len(answers):
        return np.full(size, math.nan), np.zeros(size, dtype=np.int64)
    table = np.column_stack(list(answers.values.values()))
    answered = np.isfinite(table).sum(axis=1)
    several = answered >= 2
    low = np.where(np.isnan(table), math.inf, table).min(axis=1)
    high = np.where(np.isnan(table), -math.inf, table).max(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.bincount(answers.rater[several & (low == high)], minlength=size) / np.bincount(
            answers.rater[several], minlength=size
        )
    return share, _longest_runs(answers, np.nan_to_num(table, nan=-math.inf), answered > 0)


def _longest_runs(
    answers: Answers, table: FloatArray, rated: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
) -> IntArray:
    order = np.lexsort((answers.number, answers.rater)) if len(answers.number) else np.argsort(answers.rater)
    order = order[rated[order]]
    longest = np.zeros(answers.n_raters, dtype=np.int64)
    if not len(order):
        return longest
    rater, rows = answers.rater[order], table[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (rater[1:] != rater[:-1]) | np.any(rows[1:] != rows[:-1], axis=1)
    starts = np.flatnonzero(new)
    np.maximum.at(longest, rater[starts], np.diff(starts, append=len(order)))
    return longest
