"""The distributions of answers that judges give, next to those of raters, and their tables in a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.table import Ratings
from scoring.stats.judges.calibration import calibration
from scoring.stats.judges.label_agreement import counts_of
from scoring.stats.judges.soft_labels import soft_label_scores
from scoring.stats.judges.unit_sums import Units

PROBABILITIES, SAMPLES = "probabilities", "samples"
NO_PROBABILITIES = "no_probabilities"
NO_DISTRIBUTION = "no_distribution"
FEWEST_SAMPLES = 2
# Probabilities of all answers add up to 1, but for rounding.
TOLERATED = 1e-3


@dataclass(frozen=True)
class JudgedDistributions:
    """What judges and raters answered to one criterion, as shares of its options or points.

    Parameters
    ----------
    ratings
        Ratings of raters, with categories.
    answers
        Rows of `judged_answers` for this criterion.
    place_of
        From an answer, or the name of one, to its place among the categories; None for anything else.
    is_ordered
        Whether the categories are numbers of a scale.
    """

    ratings: Ratings
    answers: pd.DataFrame
    place_of: Callable[[Any], int | None]
    is_ordered: bool

    @property
    def judges(self) -> list[str]:
        """Names, in the order of the answers."""
        return [str(name) for name in dict.fromkeys(self.answers["judge"])]

    @property
    def people(self) -> FloatArray:
        """Share of the raters of each item who gave each answer, shape (items, categories)."""
        counts = counts_of(self.ratings)
        shares: FloatArray = counts / counts.sum(axis=1, keepdims=True)
        return shares

    def of_judge(self, judge: str, *, samples: bool) -> FloatArray:
        """The distribution of a judge for each item, shape (items, categories); NaN where there is none.

        Parameters
        ----------
        judge : str
            Name.
        samples : bool
            Whether several samples of an item without probabilities give the shares of their answers.
        """
        found = np.full((self.ratings.n_items, len(self.ratings.categories)), np.nan)
        place = {str(item): code for code, item in enumerate(self.ratings.items)}
        for item, rows in self.answers[self.answers["judge"] == judge].groupby("item", sort=False):
            if str(item) in place:
                found[place[str(item)]] = self._distribution(rows, samples)
        return found

    def _distribution(self, rows: pd.DataFrame, samples: bool) -> FloatArray:
        given = [one for one in map(self._probabilities, rows["probabilities"]) if one is not None]
        if given:
            mean: FloatArray = np.mean(given, axis=0)
            return mean
        codes = [self.place_of(cell) for cell in _cells(rows)]
        nothing = np.full(len(self.ratings.categories), np.nan)
        if not samples or len(codes) < FEWEST_SAMPLES or None in codes:
            return nothing
        counts = np.bincount(np.array(codes, dtype=np.int64), minlength=len(nothing))
        return np.asarray(counts / counts.sum(), dtype=np.float64)

    def _probabilities(self, stored: Any) -> FloatArray | None:
        """The probability of each category; None if there are none, or if they are of other answers."""
        if not isinstance(stored, dict) or not stored:
            return None
        found = np.zeros(len(self.ratings.categories))
        for answer, share in stored.items():
            code = self.place_of(answer)
            if code is None:
                return None
            found[code] += float(share)
        total = float(found.sum())
        return found / total if abs(total - 1) <= TOLERATED else None


def _cells(rows: pd.DataFrame) -> list[Any]:
    return [
        answer if number is None or np.isnan(number) else number
        for number, answer in zip(rows["value"], rows["answer"], strict=True)
    ]


def place_of_point(categories: FloatArray) -> Callable[[Any], int | None]:
    """Make the function that maps a number, or a number as text, to its place among the points of a scale.

    Parameters
    ----------
    categories : ndarray of float, shape (points,)
        In order.
    """
    places = {float(point): place for place, point in enumerate(categories)}

    def place(answer: Any) -> int | None:
        try:
            return places.get(float(answer))
        except ValueError:
            return None

    return place


def place_of_option(options: Sequence[str], read: Callable[[str], str]) -> Callable[[Any], int | None]:
    """Make the function that maps an option to its place.

    Parameters
    ----------
    options : sequence of str
        In order.
    read : callable
        From an answer to its option.
    """
    places = {option: place for place, option in enumerate(options)}
    return lambda answer: places.get(read(str(answer)))


def distribution_tables(
    distributions: JudgedDistributions, resampling: Resampling
) -> dict[str, list[dict[str, Any]]]:
    """Calibration of probabilities, and scores of soft labels, of each judge.

    Parameters
    ----------
    distributions : JudgedDistributions
        Distributions of one criterion.
    resampling : Resampling
        Replicates, seed and confidence of intervals.

    Returns
    -------
    dict
        Lists of rows under `calibration`, `bins` and `soft_labels`. A judge without probabilities, or
        without a distribution, has rows with the reason.
    """
    tables: dict[str, list[dict[str, Any]]] = {"calibration": [], "bins": [], "soft_labels": []}
    for judge in distributions.judges:
        tables["soft_labels"] += list(_soft_labels(distributions, judge, resampling))
        figures, bins = _calibrated(distributions, judge, resampling)
        tables["calibration"].append(figures)
        tables["bins"] += bins
    return tables


def _calibrated(
    distributions: JudgedDistributions, judge: str, resampling: Resampling
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    own = distributions.of_judge(judge, samples=False)
    known = np.flatnonzero(np.isfinite(own).all(axis=1))
    units = Units.of(distributions.ratings.group, distributions.ratings.n_items).take(known)
    place = {"criterion": distributions.ratings.criterion, "judge": judge}
    found = calibration(own[known], distributions.people[known], units, resampling.confidence)
    figures = {**place, **found.to_row()}
    if not len(known):
        figures["reason"] = NO_PROBABILITIES
    return figures, [{**place, **one_bin.to_row()} for one_bin in found.bins]


def _soft_labels(
    distributions: JudgedDistributions, judge: str, resampling: Resampling
) -> Iterator[dict[str, Any]]:
    """The scores of a judge, then those of one distribution for all items, the mean one of the raters."""
    own = distributions.of_judge(judge, samples=True)
    known = np.flatnonzero(np.isfinite(own).all(axis=1))
    units = Units.of(distributions.ratings.group, distributions.ratings.n_items).take(known)
    points = distributions.ratings.categories if distributions.is_ordered else None
    people = distributions.people[known]
    throughout = np.tile(people.mean(axis=0), (len(known), 1)) if len(known) else people
    for distribution, constant in ((own[known], False), (throughout, True)):
        for found in soft_label_scores(distribution, people, points, units, resampling.confidence):
            row = {
                "criterion": distributions.ratings.criterion,
                "judge": judge,
                "constant": constant,
                **found.to_row(),
            }
            yield row if len(known) else {**row, "reason": NO_DISTRIBUTION}
