"""Responses with the same value on every criterion: how many a rater gave, and how many chance explains."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.answers import Answers


@dataclass(frozen=True)
class SameValues:
    """What every rater gave; each array has the shape (raters,)."""

    judged: IntArray  # Responses with enough criteria
    same: IntArray  # Those of them with the same value on every criterion
    chance: FloatArray  # The share that chance explains, NaN for raters without such responses


def count_same_values(answers: Answers, fewest_criteria: int) -> SameValues:
    """Count each rater's responses with the same value on every criterion, and compare with chance.

    Chance explains the larger of two shares. One is what the other raters do: how many of their responses
    with the same value on a criterion have it on all, which includes what the criteria have in common, such
    as good items. The other is what criteria without any relation give, Σ_v Π_k p_k(v). p_k is the mean of
    the rater's own shares of values and of the other raters' shares: the own ones alone would excuse a rater
    who gives one value only, and those of the others alone would accuse a lenient one.

    Parameters
    ----------
    answers
        Answers of one or more raters.
    fewest_criteria
        Values that a response needs to be counted.

    Returns
    -------
    SameValues
        All zero and NaN where no response has enough values.
    """
    values = np.stack(list(answers.values.values())) if answers.values else np.empty((0, len(answers)))
    given = ~np.isnan(values)
    several = np.count_nonzero(given, axis=0) >= fewest_criteria
    least = np.min(values, axis=0, initial=math.inf, where=given)
    greatest = np.max(values, axis=0, initial=-math.inf, where=given)
    same = several & (least == greatest)
    judged, n_same = _by_rater(answers, several), _by_rater(answers, same)
    expected = np.zeros(answers.n_raters)
    if several.any():
        points = _common_points(values, given, fewest_criteria)
        shares = _mixed_shares(_counts(answers, values, points), _totals(answers, given))
        for pattern, rows in _patterns(given, several):
            unrelated = shares[pattern].prod(axis=0).sum(axis=1)
            asked = np.where(rows, values[pattern], math.nan)
            counts = _counts(answers, asked, points)
            alike = _counts(answers, np.where(same, asked[:1], math.nan), points)[0]
            n = _by_rater(answers, rows)
            expected += np.maximum(n * unrelated, _like_others(n, counts, alike))
    return SameValues(judged, n_same, np.where(judged > 0, expected / np.maximum(judged, 1), math.nan))


def _by_rater(answers: Answers, rows: BoolArray) -> IntArray:
    return np.bincount(answers.rater[rows], minlength=answers.n_raters)


def _totals(answers: Answers, given: BoolArray) -> IntArray:
    """Values of each rater on each criterion, shape (criteria, raters, 1)."""
    return np.stack([_by_rater(answers, known) for known in given])[..., None]


def _patterns(given: BoolArray, several: BoolArray) -> Iterator[tuple[BoolArray, BoolArray]]:
    """Every set of criteria that a response has values on, and the responses with this set."""
    code = np.zeros(len(several), dtype=np.int64)
    for eight in np.packbits(given, axis=0):
        code = np.unique(256 * code + eight, return_inverse=True)[1]
    code[~several] = -1
    for number in np.unique(code[several]):
        rows = code == number
        yield given[:, rows.argmax()], rows


def _common_points(values: FloatArray, given: BoolArray, fewest_criteria: int) -> FloatArray:
    """The values that occur on as many criteria as a response needs; no other can be the same on all."""
    occurring = [np.unique(row[known]) for row, known in zip(values, given, strict=True)]
    points, times = np.unique(np.concatenate(occurring), return_counts=True)
    return np.asarray(points[times >= fewest_criteria], dtype=np.float64)


def _counts(answers: Answers, values: FloatArray, points: FloatArray) -> IntArray:
    """How often each rater gave each criterion each point, shape (criteria, raters, points)."""
    found = np.zeros((len(values), answers.n_raters, len(points)), dtype=np.int64)
    for number, value in enumerate(values):
        rows = np.isin(value, points)
        cell = answers.rater[rows] * len(points) + np.searchsorted(points, value[rows])
        found[number] = np.bincount(cell, minlength=found[number].size).reshape(found[number].shape)
    return found


def _of_others(counts: IntArray) -> IntArray:
    """The counts of all other raters together; raters are the last axis but one."""
    return np.asarray(counts.sum(axis=-2, keepdims=True) - counts)


def _mixed_shares(counts: IntArray, totals: IntArray) -> FloatArray:
    """Mean of each rater's and the others' share of each point; a rater without others has only their own."""
    own, others = counts / np.maximum(totals, 1), _of_others(totals)
    mixed = (own + _of_others(counts) / np.maximum(others, 1)) / 2
    return np.asarray(np.where(others > 0, mixed, own), dtype=np.float64)


def _like_others(n: IntArray, counts: IntArray, alike: IntArray) -> FloatArray:
    """Equal responses of each rater if the values given led to them as often as with the others.

    `n` are the responses with one set of criteria by rater, `counts` their values and `alike` the equal
    responses among them by rater and point. A point's own share is weighted with how common the point is,
    and the share of all points with the rest: a few raters could otherwise decide the share of a rare point.
    """
    others = np.maximum(_of_others(n[:, None]), 1)
    overall = _of_others(alike).sum(axis=1, keepdims=True) / others
    common = _of_others(counts) / others
    by_point = _of_others(alike) / np.maximum(_of_others(counts), 1)
    share = common * by_point + (1 - common) * overall
    return np.asarray((counts * share).sum(axis=2).mean(axis=0), dtype=np.float64)
