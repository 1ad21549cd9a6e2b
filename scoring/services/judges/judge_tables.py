"""Tables of a report on automatic judges: agreement, replacement, means of systems, reversed orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.data.table import Ratings
from scoring.stats.judges.alternative_annotator import AlternativeAnnotatorTest
from scoring.stats.judges.evaluation import JudgeEvaluation, evaluate_judge
from scoring.stats.judges.margin import METHODS
from scoring.stats.judges.orders import reversed_orders
from scoring.stats.metrics.ceiling import leave_one_out
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from scoring.stats.metrics.meta_figure import MetaFigure

COEFFICIENT = "pearson"
# Name of the judge in the row that compares one person with the others.
ONE_PERSON = ""
FIGURE_KEYS = ("estimate", "low", "high", "confidence", "interval_method", "n_items", "n_groups", "reason")


@dataclass(frozen=True)
class JudgedCriterion:
    """The ratings of one criterion, and what each judge answered."""

    ratings: Ratings
    scores: pd.DataFrame  # Index item ID of rated and unrated items, one column a judge
    places: pd.DataFrame  # Index item ID, columns `group` and `system`

    @property
    def name(self) -> str:
        return self.ratings.criterion

    @property
    def means(self) -> pd.Series:
        """Mean rating of each rated item, by its ID."""
        sums = np.bincount(self.ratings.item, self.ratings.value, minlength=self.ratings.n_items)
        return pd.Series(sums / self.ratings.sizes, index=[str(item) for item in self.ratings.items])


def tables_of(criterion: JudgedCriterion, epsilon: float, resampling: Resampling) -> dict[str, Any]:
    """Compute every table of one criterion.

    Parameters
    ----------
    criterion : JudgedCriterion
        Ratings and judges.
    epsilon : float
        By how much a judge may be behind a rater, as a share of items.
    resampling : Resampling
        Replicates, seed and confidence of intervals.

    Returns
    -------
    dict
        Lists of rows under `agreement`, `test`, `means` and `orders`, and one row under `sizes`.
    """
    evaluations = [
        evaluate_judge(
            criterion.ratings,
            criterion.scores[judge],
            epsilon=epsilon,
            resampling=resampling,
            places=_known(criterion.places),
        )
        for judge in criterion.scores.columns
    ]
    return {
        "agreement": list(_agreement(criterion, resampling)),
        "test": [row for found in evaluations for row in _tests(found)],
        "means": [row for found in evaluations for row in _means(found)],
        "orders": list(_orders(criterion)),
        "sizes": [_sizes(criterion)],
    }


def _agreement(criterion: JudgedCriterion, resampling: Resampling) -> Iterator[dict[str, Any]]:
    """One person against the mean of the others, then each judge against the mean of all."""
    (person,) = leave_one_out(criterion.ratings, pd.DataFrame(), "pearson", resampling)
    yield _row(criterion.name, ONE_PERSON, person, criterion.ratings.n_ratings)
    human = criterion.means.to_frame(criterion.name)
    places = _own_groups(criterion.places.reindex(human.index).fillna("")).assign(system="")
    samples = {criterion.name: criterion.ratings.sample}
    for judge in criterion.scores.columns:
        scores = criterion.scores[[judge]]
        if not scores[judge].reindex(human.index).notna().any():
            continue
        items = MeasuredItems.from_frames(human, scores, places, samples)
        (figure,) = evaluate_metrics(
            items,
            levels=["item"],
            coefficients=["pearson"],
            replicates=resampling.replicates,
            seed=resampling.seed,
            confidence=resampling.confidence,
        ).figures
        yield _row(criterion.name, str(judge), figure, int(scores[judge].notna().sum()))


def _row(criterion: str, judge: str, figure: MetaFigure, n_answers: int) -> dict[str, Any]:
    found = figure.to_row()
    return {
        "criterion": criterion,
        "judge": judge,
        "coefficient": COEFFICIENT,
        **{key: found[key] for key in FIGURE_KEYS},
        "n_answers": n_answers,
    }


def _tests(found: JudgeEvaluation) -> Iterator[dict[str, Any]]:
    yield row_of_test(found.test, found.judge, n_off_scale=found.n_off_scale)
    yield row_of_test(found.constant, found.judge, constant=True)


def row_of_test(
    test: AlternativeAnnotatorTest, judge: str, *, constant: bool = False, n_off_scale: int = 0
) -> dict[str, Any]:
    """A test as a row without figures of single raters, whose data can be erased.

    Parameters
    ----------
    test : AlternativeAnnotatorTest
        Test of a judge, or of one value throughout.
    judge : str
        Name of the judge.
    constant : bool
        Whether it is the test of one value throughout.
    n_off_scale : int
        Answers of the judge outside the scale.
    """
    row = test.to_row()
    del row["raters"], row["all_raters"]
    everyone = test.all_raters
    return row | {
        "n_not_tested": sum(bool(rater.reason) for rater in test.raters),
        "all_ratings_share": everyone.to_row()["judge_share"],
        **{f"all_ratings_{part}": row.pop(f"all_{part}") for part in ("low", "high", "interval_reason")},
        "all_ratings_p": everyone.to_row()["p"],
        "all_ratings_method": everyone.method,
        **{f"n_by_{way}": sum(rater.method == way for rater in test.raters) for way in METHODS},
        "n_items": everyone.n_items,
        "judge": judge,
        "constant": constant,
        "n_off_scale": n_off_scale,
    }


def _means(found: JudgeEvaluation) -> Iterator[dict[str, Any]]:
    for system, mean in found.means.items():
        row = mean.to_row()
        yield {
            "criterion": found.criterion,
            "judge": found.judge,
            "system": system,
            "n_rated": row["n_rated"],
            "n_unrated": row["n_unrated"],
            "weight": row["weight"],
            "worth": row["worth"],
            **{
                f"{key}_{part}": value
                for key in ("people", "judge", "combined")
                for part, value in _of(row, key)
            },
        }


def _of(row: dict[str, Any], key: str) -> list[tuple[str, Any]]:
    return list(row[key].items())


def _orders(criterion: JudgedCriterion) -> Iterator[dict[str, Any]]:
    for judge in criterion.scores.columns:
        for found in reversed_orders(
            criterion.means, criterion.scores[judge].dropna(), _known(criterion.places)
        ):
            yield {"criterion": criterion.name, "judge": str(judge), **found.to_row()}


def _sizes(criterion: JudgedCriterion) -> dict[str, Any]:
    """How many ratings the items with several have, which is what a person or a judge is compared with."""
    several = criterion.ratings.sizes[criterion.ratings.sizes > 1]
    return {
        "criterion": criterion.name,
        "fewest": int(several.min()) if len(several) else 0,
        "most": int(several.max()) if len(several) else 0,
        "grouped": criterion.ratings.group is not None,
    }


def _known(places: pd.DataFrame) -> pd.DataFrame:
    """Drop the columns of the places in which every cell is empty."""
    return places[[name for name in places.columns if places[name].ne("").any()]]


def _own_groups(places: pd.DataFrame) -> pd.DataFrame:
    """Make each item without a group, where others have one, a group of its own."""
    if not places["group"].ne("").any():
        return places
    own = pd.Series([f"\0{item}" for item in places.index], index=places.index)
    return places.assign(group=places["group"].where(places["group"].ne(""), own))
