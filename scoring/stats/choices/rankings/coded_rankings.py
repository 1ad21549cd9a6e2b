"""Rankings and best–worst choices of sets of items, checked once and coded."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray

BEST, WORST = "best", "worst"


class RankingsError(CodedError):
    """Rows that make no rankings or choices."""


@dataclass(frozen=True)
class Ranked:
    """Raters' answers about sets of items: each answer is about the items of one set."""

    names: tuple[str, ...]  # Items
    answer: IntArray  # Answer of each row, from 0
    item: IntArray  # Item of each row
    # Position of each row's item within its answer, 0 for the best. In best–worst choices 0 for the best, 2
    # for the worst and 1 for the others
    place: IntArray
    of_set: IntArray  # Set of each answer

    @property
    def n_answers(self) -> int:
        """Number of answers."""
        return len(self.of_set)

    @cached_property
    def sizes(self) -> IntArray:
        """Items of each answer."""
        return np.bincount(self.answer, minlength=self.n_answers)

    @cached_property
    def scores(self) -> FloatArray:
        """Score of each row between −1 and 1: 1 for the first of its answer, −1 for the last."""
        last = np.zeros(self.n_answers, dtype=np.int64)
        np.maximum.at(last, self.answer, self.place)
        return np.asarray(1 - 2 * self.place / last[self.answer], dtype=np.float64)

    def mean_scores(self, chosen: BoolArray | None = None) -> FloatArray:
        """Mean score of each item.

        Of best–worst choices it is the number of times it was the best less those it was the worst, divided
        by the times it was shown; of rankings the share of the others of its sets ranked below less above it.

        Parameters
        ----------
        chosen
            Answers that count; None for all.

        Returns
        -------
        ndarray, shape (items,)
            NaN where no answer is about the item.
        """
        counted = np.ones(len(self.item)) if chosen is None else chosen[self.answer].astype(np.float64)
        times = np.bincount(self.item, counted, minlength=len(self.names))
        total = np.bincount(self.item, counted * self.scores, minlength=len(self.names))
        return np.asarray(np.divide(total, times, out=np.full(len(times), np.nan), where=times > 0))

    def wins(self) -> BoolArray:
        """Whether each item was ever placed above each other one, shape (items, items)."""
        n = len(self.names)
        won = np.zeros((n, n), dtype=np.bool_)
        order = np.lexsort((self.place, self.answer))
        starts = np.r_[0, np.cumsum(self.sizes)]
        for first, last in pairwise(starts):
            items, places = self.item[order[first:last]], self.place[order[first:last]]
            won[np.ix_(items, items)] |= places[:, None] < places[None, :]
        return won


def coded_rankings(frame: pd.DataFrame, rows: Sequence[int]) -> Ranked:
    """Rankings without ties.

    Parameters
    ----------
    frame
        Columns `set`, `rater`, `item` (text) and `rank` (numbers; the least is the best).
    rows
        Number of each row in its file, for messages.

    Returns
    -------
    Ranked
        One answer for each set and rater. Only the order of the ranks counts.

    Raises
    ------
    RankingsError
        `duplicate_item`, `tied_ranks` or `one_item`, naming the row.
    """
    names, item, answer, of_set = _coded(frame, rows)
    rank = frame["rank"].to_numpy(dtype=np.float64)
    order = np.lexsort((rank, answer))
    tied = (np.diff(answer[order]) == 0) & (np.diff(rank[order]) == 0)
    _refuse(order[1:][tied], rows, "tied_ranks", "two items of a ranking have the same rank; rank them apart")
    place = np.empty(len(rank), dtype=np.int64)
    starts = np.searchsorted(answer[order], answer[order], side="left")
    place[order] = np.arange(len(rank)) - starts
    return Ranked(names, answer, item, place, of_set)


def coded_choices(frame: pd.DataFrame, rows: Sequence[int]) -> Ranked:
    """Best–worst choices.

    Parameters
    ----------
    frame
        Columns `set`, `rater`, `item` and `choice`: `best`, `worst` or empty.
    rows
        Number of each row in its file, for messages.

    Raises
    ------
    RankingsError
        `unknown_choice`, `duplicate_item`, `one_item`, or `not_one_best_and_worst`, naming the row.
    """
    choice = frame["choice"].to_numpy(dtype=object)
    known = np.isin(choice.astype(str), [BEST, WORST, ""])
    _refuse(np.flatnonzero(~known), rows, "unknown_choice", "column choice: enter best, worst or nothing")
    names, item, answer, of_set = _coded(frame, rows)
    for word in (BEST, WORST):
        times = np.bincount(answer, choice == word, minlength=len(of_set))
        wrong = np.flatnonzero(times[answer] != 1)
        _refuse(wrong, rows, "not_one_best_and_worst", f"a set needs exactly one {word} item of each rater")
    place = np.where(choice == BEST, 0, np.where(choice == WORST, 2, 1))
    return Ranked(names, answer, item, place.astype(np.int64), of_set)


def blocking_items(wins: BoolArray) -> tuple[int, ...]:
    """Items that prevent finite strengths: no item outside the set was ever placed above one of them.

    Parameters
    ----------
    wins
        Whether the first was ever placed above the second.

    Returns
    -------
    tuple of int
        The smallest such part; empty where each item can be reached from each other one through wins.
    """
    number, part = scipy.sparse.csgraph.connected_components(wins, directed=True, connection="strong")
    if number == 1:
        return ()
    crossing = part[:, None] != part[None, :]
    beaten = np.zeros(number, dtype=np.bool_)
    beaten[part[(wins & crossing).any(axis=0)]] = True
    sizes = np.bincount(part)
    smallest = min(np.flatnonzero(~beaten), key=lambda code: (sizes[code], code))
    return tuple(int(one) for one in np.flatnonzero(part == smallest))


def _coded(frame: pd.DataFrame, rows: Sequence[int]) -> tuple[tuple[str, ...], IntArray, IntArray, IntArray]:
    names, item = np.unique(frame["item"].to_numpy(dtype=str), return_inverse=True)
    _, of_set = np.unique(frame["set"].to_numpy(dtype=str), return_inverse=True)
    _, rater = np.unique(frame["rater"].to_numpy(dtype=str), return_inverse=True)
    place = of_set * (int(rater.max()) + 1) + rater
    _, first, answer = np.unique(place, return_index=True, return_inverse=True)
    order = np.lexsort((item, answer))
    twice = (np.diff(answer[order]) == 0) & (np.diff(item[order]) == 0)
    _refuse(order[1:][twice], rows, "duplicate_item", "a rater has the same item twice in a set")
    alone = np.flatnonzero(np.bincount(answer)[answer] < 2)
    _refuse(alone, rows, "one_item", "a set needs at least two items of each rater")
    return tuple(str(name) for name in names), item.astype(np.int64), answer, of_set[first].astype(np.int64)


def _refuse(wrong: IntArray, rows: Sequence[int], code: str, problem: str) -> None:
    if len(wrong):
        raise RankingsError(code, f"row {rows[int(np.min(wrong))]}: {problem}")
