"""Distributions of answers of judges next to those of raters: calibration and distances."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..ratings import Ratings
from .option_agreement import count_options
from .resampled import NO_LIMITS, excludes_zero, limit_mean_by_t, number_units

BINS = 10
FEWEST_SAMPLES = 2
# Probabilities add up to 1 but for this.
TOLERATED = 1e-3
# A probability this close above the end of a bin lies at its end.
ROUNDING = 1e-12
# A share below this counts as this in a cross-entropy.
LEAST_SHARE = 1e-12
# Items or groups that an interval needs.
FEWEST_UNITS = 30
SCORES = ("manhattan", "wasserstein", "cross_entropy")


@dataclass(frozen=True)
class Distributions:
    """The answers of raters and judges to one criterion, as shares of its options or points."""

    ratings: Ratings
    # Rows of judgements with an answer
    judgements: pd.DataFrame
    # From an answer to its place; None for anything else
    place_of: Callable[[str], int | None]
    is_ordered: bool

    def of_judge(self, judge: str, *, samples: bool) -> tuple[Array, Array]:
        """List the rated items with a distribution, and the distributions."""
        rows = self.judgements[self.judgements["judge"] == judge]
        by_item = {str(item): own for item, own in rows.groupby("item", sort=False)}
        found = {
            code: own
            for code, item in enumerate(self.ratings.items)
            if item in by_item and (own := self.read(by_item[item], samples=samples)) is not None
        }
        shares = np.array(list(found.values())).reshape(len(found), len(self.ratings.categories))
        return np.array(list(found), dtype=int), shares

    def read(self, rows: pd.DataFrame, *, samples: bool) -> Array | None:
        """Read the mean of the probabilities of an item, or the shares of its samples."""
        read = [self.read_probabilities(text) for text in rows["probabilities"]]
        if given := [one for one in read if one is not None]:
            return np.asarray(np.mean(given, axis=0))
        places = [self.place_of(value) for value in rows["value"]]
        known = [place for place in places if place is not None]
        if not samples or len(places) < FEWEST_SAMPLES or len(known) < len(places):
            return None
        return np.bincount(known, minlength=len(self.ratings.categories)) / len(known)

    def read_probabilities(self, text: str) -> Array | None:
        """Read probabilities of each option or point; None if they are of other answers."""
        stored = json.loads(text) if text else None
        if not isinstance(stored, dict) or not stored:
            return None
        found = np.zeros(len(self.ratings.categories))
        for answer, share in stored.items():
            place = self.place_of(answer)
            if place is None:
                return None
            found[place] += float(share)
        return found / found.sum() if abs(found.sum() - 1) <= TOLERATED else None


def place_points(points: Array) -> Callable[[str], int | None]:
    """Return the function from a number, as text, to its place among points."""
    places = {float(point): place for place, point in enumerate(points)}

    def place(answer: str) -> int | None:
        try:
            return places.get(float(answer))
        except ValueError:
            return None

    return place


def list_distribution_tables(distributions: Distributions) -> dict[str, list[Row]]:
    """List the rows of the tables `calibration`, `bins` and `soft_labels`."""
    counts = count_options(distributions.ratings)
    people = counts / counts.sum(axis=1, keepdims=True)
    found: dict[str, list[Row]] = {"calibration": [], "bins": [], "soft_labels": []}
    for judge in dict.fromkeys(distributions.judgements["judge"]):
        figures, bins = calibrate(distributions, str(judge), people)
        found["calibration"].append({**figures, "judge": judge})
        found["bins"] += [{**row, "judge": judge} for row in bins]
        rows = list_soft_labels(distributions, str(judge), people)
        found["soft_labels"] += [{**row, "judge": judge} for row in rows]
    return found


def calibrate(distributions: Distributions, judge: str, people: Array) -> tuple[Row, list[Row]]:
    """Compare the probabilities of a judge with the shares of raters."""
    items, own = distributions.of_judge(judge, samples=False)
    limited = [f"{name}{end}" for name in ("overconfidence", "brier") for end in ("", "_low", "_high")]
    if not len(items):
        nothing = dict.fromkeys(("expected_calibration_error", "least_brier", *limited), math.nan)
        return {"n_items": 0, "n_bins": 0, **nothing, "differs": False, "reason": "no_probabilities"}, []
    theirs = people[items]
    best = own.argmax(axis=1)
    sure, right = own.max(axis=1), theirs[np.arange(len(items)), best]
    bins = list_bins(sure, right)
    least = (theirs - theirs**2).sum(axis=1)
    brier = ((own - theirs) ** 2).sum(axis=1) + least
    units = number_units(distributions.ratings.group, items)
    over, of_brier = (limit_mean_by_t(values, units, FEWEST_UNITS) for values in (sure - right, brier))
    error = sum(row["n"] * abs(row["confidence"] - row["correct"]) for row in bins if row["n"])
    return {
        "n_items": len(items),
        "n_bins": len(bins),
        "expected_calibration_error": error / len(items),
        "overconfidence": float((sure - right).mean()),
        "overconfidence_low": over[0],
        "overconfidence_high": over[1],
        "brier": float(brier.mean()),
        "brier_low": of_brier[0],
        "brier_high": of_brier[1],
        "least_brier": float(least.mean()),
        "differs": excludes_zero(over),
        "reason": "",
    }, bins


def list_bins(sure: Array, right: Array) -> list[Row]:
    """List ten bins of equal width, each without its lower end."""
    place = np.array([max(0, min(BINS - 1, math.ceil(one * BINS - ROUNDING) - 1)) for one in sure])
    return [
        {
            "bin_low": number / BINS,
            "bin_high": (number + 1) / BINS,
            "n": int((place == number).sum()),
            "confidence": float(sure[place == number].mean()) if (place == number).any() else math.nan,
            "correct": float(right[place == number].mean()) if (place == number).any() else math.nan,
        }
        for number in range(BINS)
    ]


def list_soft_labels(distributions: Distributions, judge: str, people: Array) -> Iterator[Row]:
    """Yield the distances of a judge, then those of the mean distribution of the raters for every item."""
    items, own = distributions.of_judge(judge, samples=True)
    theirs = people[items]
    for constant in (False, True):
        if not len(items):
            nothing = {"estimate": math.nan, "low": math.nan, "high": math.nan, "n_items": 0, "n_floored": 0}
            for name in SCORES:
                yield {"constant": constant, "score": name, **nothing, "reason": "no_distribution"}
            continue
        shares = np.tile(theirs.mean(axis=0), (len(items), 1)) if constant else own
        values = measure_distances(
            shares, theirs, distributions.ratings.categories if distributions.is_ordered else None
        )
        units = number_units(distributions.ratings.group, items)
        has_zeros = bool((shares[:, theirs.any(axis=0)] < LEAST_SHARE).any())
        floored = int(((theirs > 0) & (shares < LEAST_SHARE)).any(axis=1).sum())
        for name, column in zip(SCORES, values.T, strict=True):
            unordered = name == "wasserstein" and not distributions.is_ordered
            unlimited = unordered or (name == "cross_entropy" and has_zeros)
            low, high = NO_LIMITS if unlimited else limit_mean_by_t(column, units, FEWEST_UNITS)
            yield {
                "constant": constant,
                "score": name,
                "estimate": float(column.mean()),
                "low": low,
                "high": high,
                "n_items": len(items),
                "n_floored": floored if name == "cross_entropy" else 0,
                "reason": "no_order" if unordered else "",
            }


def measure_distances(own: Array, theirs: Array, points: Array | None) -> Array:
    """Measure Manhattan and Wasserstein distance and cross-entropy of each item."""
    differences = own - theirs
    manhattan = np.abs(differences).sum(axis=1)
    entropy = -(theirs * np.log(np.maximum(own, LEAST_SHARE))).sum(axis=1)
    wasserstein = np.full(len(own), math.nan)
    if points is not None:
        wasserstein = (np.abs(np.cumsum(differences, axis=1))[:, :-1] * np.diff(points)).sum(axis=1)
    return np.column_stack([manhattan, wasserstein, entropy])
