"""Evaluation of judges on rated criteria: the test of replacement, and combined means."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.table import Ratings
from scoring.stats.judges.alternative_annotator import AlternativeAnnotatorTest, alternative_annotator_test
from scoring.stats.judges.prediction_powered import CombinedMean, combined_mean

ALL_ITEMS = ""
CONSTANT = "one value throughout"
GROUPED_ITEMS = "grouped_items"


@dataclass(frozen=True)
class JudgeEvaluation:
    """The results of one judge on one criterion."""

    criterion: str
    judge: str
    test: AlternativeAnnotatorTest
    constant: AlternativeAnnotatorTest  # The same test of one answer for every item, where the judge has one
    means: Mapping[str, CombinedMean]  # By system; under "" those of all items
    n_off_scale: int  # Scores outside the range of the scale, or of the ratings where none is declared

    def to_row(self) -> dict[str, object]:
        """The evaluation as a JSON object."""
        return {
            **self.test.to_row(),
            "constant": self.constant.to_row(),
            "n_off_scale": self.n_off_scale,
            "means": [{"system": system, **mean.to_row()} for system, mean in self.means.items()],
        }


def evaluate_judge(
    ratings: Ratings,
    scores: pd.Series,
    *,
    epsilon: float,
    resampling: Resampling,
    places: pd.DataFrame | None = None,
) -> JudgeEvaluation:
    """Compare a judge's scores with the ratings of people on one criterion.

    Parameters
    ----------
    ratings : Ratings
        Ratings of one criterion.
    scores : Series of float
        The judge's score by item label, of rated and unrated items; its name is that of the judge.
    epsilon : float
        By how much the judge may be behind a rater, from 0 to 1.
    resampling : Resampling
        Replicates, seed and confidence of intervals.
    places : DataFrame, optional
        By item label, columns `group` and `system` if items have them. Means of each system follow those of
        all items. Means of several items of a group are refused (`grouped_items`): they are not independent.

    Returns
    -------
    JudgeEvaluation
        Results that cannot be computed have a reason.
    """
    known = scores.dropna()
    own = scores.reindex(ratings.items).to_numpy(dtype=np.float64)
    name = str(scores.name)
    test, constant = (
        alternative_annotator_test(ratings, values, judge, epsilon=epsilon, resampling=resampling)
        for judge, values in ((name, own), (CONSTANT, one_answer(ratings, own)))
    )
    off = int((~known.between(*_ends(ratings))).sum())
    return JudgeEvaluation(ratings.criterion, name, test, constant, _means(ratings, known, places), off)


def one_answer(ratings: Ratings, judge: FloatArray) -> FloatArray:
    """The mean rating, or the most frequent option, for every item that a judge has scored.

    A judge that always answers near the middle is seldom far from any rater. Its result shows how much of an
    advantage needs no knowledge of the items.
    """
    if not ratings.n_ratings:
        return np.full(len(judge), np.nan)
    answer = float(ratings.value.mean())
    if ratings.nominal:
        options, counts = np.unique(ratings.value, return_counts=True)
        answer = float(options[counts.argmax()])
    return np.where(np.isfinite(judge), answer, np.nan)


def _ends(ratings: Ratings) -> tuple[float, float]:
    return (
        (float(ratings.categories[0]), float(ratings.categories[-1])) if len(ratings.categories) else (0, 0)
    )


def _means(ratings: Ratings, scores: pd.Series, places: pd.DataFrame | None) -> dict[str, CombinedMean]:
    """Combined means of all items and of each system; none for options."""
    if ratings.nominal:
        return {}
    means = np.bincount(ratings.item, ratings.value, minlength=ratings.n_items) / ratings.sizes
    people = pd.Series(means, index=ratings.items, dtype=np.float64).reindex(scores.index)
    placed = (pd.DataFrame() if places is None else places).reindex(scores.index).fillna("")
    group = placed.get("group")
    found = {ALL_ITEMS: _combined(people, scores, group)}
    if "system" not in placed:
        return found
    for name in placed["system"].unique():
        if name != ALL_ITEMS:
            chosen = (placed["system"] == name).to_numpy()
            found[name] = _combined(people[chosen], scores[chosen], None if group is None else group[chosen])
    return found


def _combined(people: pd.Series, scores: pd.Series, group: pd.Series | None) -> CombinedMean:
    rated = people.notna().to_numpy()
    values: FloatArray = scores.to_numpy(dtype=np.float64)
    if group is not None and group[group != ""].duplicated().any():
        return CombinedMean.missing(int(rated.sum()), int((~rated).sum()), GROUPED_ITEMS)
    return combined_mean(people.to_numpy(dtype=np.float64)[rated], values[rated], values[~rated])
