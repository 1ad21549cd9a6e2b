"""Scores of items by counts: how often best less how often worst."""

from typing import Any

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.base.result import CONSTANT_RATINGS, TOO_FEW_SETS, finite_or_none
from scoring.stats.choices.best_worst.clusters import (
    FEWEST_SETS,
    Clusters,
    Margins,
    score_margins,
    strength_margins,
)
from scoring.stats.choices.best_worst.strengths import BEST, BETWEEN, WORST, best_worst_strengths
from scoring.stats.choices.rankings.coded_rankings import Ranked
from scoring.stats.choices.rankings.split_halves import split_halves

# With fewer sets, intervals are too wide to say much: docs/statistics/best-worst.md.
FEW_SETS = 4
# With fewer known raters, intervals are as wide as the scale, or do not allow for other raters.
FEW_RATERS = 4
CONFIDENCE = 0.95


def coded_ends(names: tuple[str, ...], code: IntArray, place: IntArray, of_set: IntArray) -> Ranked | None:
    """Code orders that say only which option is the best and which the worst.

    Parameters
    ----------
    names
        The items that are compared.
    code, place
        Item and group of tied options of each option, shape (answers, options); -1 where there is none.
    of_set
        Set of each answer, from 0.

    Returns
    -------
    Ranked or None
        None if an answer says more or less than a best and a worst one of at least three.
    """
    asked = place >= 0
    counts = [np.asarray((place == one).sum(axis=1)) for one in (BEST, BETWEEN, WORST)]
    ends = (counts[BEST] == 1) & (counts[WORST] == 1) & (counts[BETWEEN] > 0)
    if not len(place) or not (ends & (place.max(axis=1) == WORST)).all():
        return None
    answer = np.broadcast_to(np.arange(len(place))[:, None], place.shape)
    return Ranked(names, answer[asked], code[asked], place[asked], of_set)


def score_rows(ranked: Ranked, criterion: str, clusters: Clusters) -> list[dict[str, Any]]:
    """Score and strength of each item.

    Parameters
    ----------
    ranked
        Best–worst choices.
    criterion
        Name of the question.
    clusters
        The set and the rater of each answer.

    Returns
    -------
    list of dict
        `item`, `n` (answers about it), `n_sets` (sets, or groups of sets, that it is in), `best`, `worst`,
        `n_raters` (0 where they are not known), `score` between −1 and 1 with `low` and `high`,
        `interval_method`, and `caution`, which is `few_sets` for an item in fewer than four, else
        `few_raters` for one of fewer than four known raters; `strength` with `strength_low` and
        `strength_high`, `strength_error` of independent answers, and `reason`, why there is none, as
        `best_worst_strengths` refuses. The best score first.

    Notes
    -----
    score = (best − worst) / n. Limits allow for other sets and other raters: see `score_margins`. An item in
    fewer than three sets, or whose answers are all alike, has none.
    """
    n = len(ranked.names)
    shown, best, worst = (
        np.bincount(ranked.item[of], minlength=n)
        for of in (ranked.place >= 0, ranked.place == BEST, ranked.place == WORST)
    )
    scores, about = ranked.mean_scores(), about_items(ranked)
    margins = margins_of_scores(ranked, clusters, CONFIDENCE)
    found = best_worst_strengths(ranked)
    half, error = np.full(n, np.nan), np.full(n, np.nan)
    if not found.reason:
        error = found.error
        half = strength_margins(found.slopes, found.inverse, about, clusters, CONFIDENCE)
    rows = [
        {
            "criterion": criterion,
            "item": name,
            "n": int(shown[place]),
            "best": int(best[place]),
            "worst": int(worst[place]),
            "score": float(scores[place]),
            "low": finite_or_none(float(np.maximum(-1.0, scores[place] - margins.half[place]))),
            "high": finite_or_none(float(np.minimum(1.0, scores[place] + margins.half[place]))),
            "interval_method": _method(margins, place),
            "n_sets": int(margins.n_sets[place]),
            "n_raters": int(margins.n_raters[place]),
            "caution": _caution(margins, place),
            "strength": finite_or_none(float(found.strength[place])),
            "strength_low": finite_or_none(float(found.strength[place] - half[place])),
            "strength_high": finite_or_none(float(found.strength[place] + half[place])),
            "strength_error": finite_or_none(float(error[place])),
            "reason": found.reason,
        }
        for place, name in enumerate(ranked.names)
    ]
    return sorted(rows, key=lambda row: (-row["score"], row["item"]))


def _caution(margins: Margins, place: int) -> str:
    if margins.n_sets[place] < FEW_SETS:
        return "few_sets"
    return "few_raters" if 0 < margins.n_raters[place] < FEW_RATERS else ""


def _method(margins: Margins, place: int) -> str:
    if np.isfinite(margins.half[place]):
        return margins.method[place]
    return f"none:{TOO_FEW_SETS if margins.n_sets[place] < FEWEST_SETS else CONSTANT_RATINGS}"


def about_items(ranked: Ranked, values: FloatArray | None = None) -> scipy.sparse.csr_array:
    """1, or a value, where an answer is about an item, shape (answers, items).

    Parameters
    ----------
    ranked
        Best–worst choices.
    values
        One for each row of `ranked`; None for 1.
    """
    data = np.ones(len(ranked.item)) if values is None else values
    shape = (ranked.n_answers, len(ranked.names))
    return scipy.sparse.coo_array((data, (ranked.answer, ranked.item)), shape=shape).tocsr()


def margins_of_scores(ranked: Ranked, clusters: Clusters, confidence: float) -> Margins:
    """Half widths of the intervals of the scores, as `score_margins` has them.

    Parameters
    ----------
    ranked
        Best–worst choices.
    clusters
        The set and the rater of each answer.
    confidence
        Coverage that the intervals aim at.
    """
    about = about_items(ranked)
    scores, times = ranked.mean_scores(), np.bincount(ranked.item, minlength=len(ranked.names))
    errors = (ranked.scores - scores[ranked.item]) / times[ranked.item]
    return score_margins(about_items(ranked, errors), about, clusters, confidence)


def halves_row(ranked: Ranked, criterion: str, seed: int) -> dict[str, Any]:
    """Split-half reliability of the scores as a row of a table; see `split_halves`."""
    halves = split_halves(ranked, seed=seed)
    return {
        "criterion": criterion,
        "spearman": finite_or_none(halves.spearman),
        "corrected": finite_or_none(halves.corrected),
        "deviation": finite_or_none(halves.deviation),
        "splits": halves.splits,
        "n_items": halves.n_items,
        "n_sets": int(ranked.of_set.max()) + 1,
        "n": ranked.n_answers,
        "reason": halves.reason,
    }
