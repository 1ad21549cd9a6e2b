"""The headline figures of a set of answers: how much there is, means, agreement, metrics."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.base.association import associations
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import Figure, finite_or_none
from scoring.stats.data.answers import Answers
from scoring.stats.data.table import Ratings

RANKABLE = 3
FEWEST_FOR_CORRELATION = 3


@dataclass(frozen=True)
class KeyResults:
    """The headline figures of a set of answers."""

    # `items`, `groups`, `rankable` (groups with three or more items), `raters`, `answers`, `ratings`;
    # items, groups and raters with at least one value
    counts: dict[str, int]
    # By criterion: `mean` of all ratings, `least` and `greatest` item mean, `sd` of the item means; where
    # ratios count, `geometric` is true, the means are geometric and the `sd` is that of logarithms
    means: dict[str, dict[str, float | bool | None]]
    # α (ordinal) and the held-out correlations of each criterion, mean and max over raters
    figures: list[Figure]
    # One entry per metric and criterion: `metric`, `criterion`, `pearson`, `spearman`, `n`; correlations
    # of the scores with the items' mean ratings, None where there is none
    metrics: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As a report's tables hold it."""
        return {
            "counts": self.counts,
            "means": self.means,
            "figures": [figure.to_row() for figure in self.figures],
            "metrics": self.metrics,
        }


def compute_key_results(
    answers: Answers, resampling: Resampling, scores: Mapping[str, FloatArray] | None = None
) -> KeyResults:
    """The headline figures of answers.

    Parameters
    ----------
    answers
        Answers that count.
    resampling
        Settings of the intervals.
    scores
        By metric a score of each item code, NaN where there is none.

    Returns
    -------
    KeyResults
        A figure that cannot be computed is there with its reason.
    """
    means, figures, metrics = {}, [], []
    for name in answers.values:
        ratings = answers.ratings(name)
        own = _item_means(ratings)
        means[name] = _describe(ratings, own, geometric=answers.scales[name].logarithmic)
        figures.append(alpha(ratings, "ordinal", resampling))
        figures += held_out_figures(ratings, resampling, each_rater=False)
        metrics += _with_metrics(name, answers, ratings, own, scores or {})
    return KeyResults(counts_of(answers), means, figures, metrics)


def _describe(ratings: Ratings, own: FloatArray, *, geometric: bool) -> dict[str, float | bool | None]:
    as_answered = math.exp if geometric else float
    described: dict[str, float | bool | None] = dict.fromkeys(("mean", "least", "greatest", "sd"))
    if ratings.n_ratings:
        described["mean"] = finite_or_none(as_answered(ratings.value.mean()))
        described["least"] = finite_or_none(as_answered(own.min()))
        described["greatest"] = finite_or_none(as_answered(own.max()))
    if len(own) > 1:
        described["sd"] = finite_or_none(float(own.std(ddof=1)))
    return described | {"geometric": geometric}


def _item_means(ratings: Ratings) -> FloatArray:
    if not ratings.n_ratings:
        return np.zeros(0)
    return np.asarray(np.bincount(ratings.item, ratings.value) / ratings.sizes, dtype=np.float64)


def counts_of(answers: Answers) -> dict[str, int]:
    """Numbers of items, groups, groups of three or more (`rankable`), raters, answers and ratings.

    Parameters
    ----------
    answers
        An item, a group or a rater counts if it has a rating among them.
    """
    rated = answers.rated
    items = np.unique(answers.item[rated])
    groups = answers.group[items]
    sizes = np.bincount(groups[groups >= 0])
    return {
        "items": len(items),
        "groups": int(np.count_nonzero(sizes)),
        "rankable": int(np.count_nonzero(sizes >= RANKABLE)),
        "raters": len(np.unique(answers.rater[rated])),
        "answers": len(answers),
        "ratings": int(sum(np.count_nonzero(~np.isnan(value)) for value in answers.values.values())),
    }


def _with_metrics(
    criterion: str, answers: Answers, ratings: Ratings, means: FloatArray, scores: Mapping[str, FloatArray]
) -> list[dict[str, Any]]:
    if not scores:
        return []
    code_of = {label: code for code, label in enumerate(answers.item_labels)}
    codes = np.array([code_of[label] for label in ratings.items], dtype=np.int64)
    rows = []
    for metric, column in scores.items():
        known = np.isfinite(column[codes]) if len(codes) else np.zeros(0, dtype=np.bool_)
        n = int(np.count_nonzero(known))
        row: dict[str, Any] = {"metric": metric, "criterion": criterion, "n": n}
        human, score = means[known][:, None], column[codes][known][:, None]
        for name in ("pearson", "spearman"):
            enough = n >= FEWEST_FOR_CORRELATION
            found = float(associations(human, score, name)[0, 0]) if enough else math.nan
            row[name] = finite_or_none(found)
        rows.append(row)
    return rows
