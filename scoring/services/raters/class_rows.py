"""Rows of estimated classes: one an item, one a rater, and one a cell of a confusion matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.services.raters.estimated_classes import EstimatedClasses
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import TOO_FEW_RATERS, finite_or_none
from scoring.stats.data.table import Ratings

ITEM_COLUMNS = ("item", "n_answers", "majority", "majority_votes", "estimated", "probability", "differs")
RATER_COLUMNS = ("rater", "n_answers", "accuracy", "chance", "worse_than_chance", "competence")
CONFUSION_COLUMNS = ("rater", "class", "answer", "probability")


@dataclass(frozen=True)
class ItemClass:
    """What raters chose most often for an item, and its estimated class."""

    item: str
    n_answers: int
    majority: tuple[str, ...]  # Several options if they are tied
    votes: int  # For each of them
    estimated: str  # Empty when `reason` is set
    probability: float | None  # Of the estimated class
    probabilities: dict[str, float]  # Of each class
    reason: str

    @property
    def differs(self) -> bool:
        """Whether the estimated class is not the option, or one of the options, chosen most often."""
        return not self.reason and self.estimated not in self.majority

    @property
    def is_tied(self) -> bool:
        """Whether several options were chosen most often."""
        return len(self.majority) > 1

    def to_row(self) -> dict[str, Any]:
        """The item as a JSON object; tied options are joined by `|`."""
        return {
            "item": self.item,
            "n_answers": self.n_answers,
            "majority": "|".join(self.majority),
            "majority_votes": self.votes,
            "estimated": self.estimated,
            "probability": self.probability,
            "differs": None if self.reason else self.differs,
            "probabilities": self.probabilities,
            "reason": self.reason,
        }


def item_classes(estimate: EstimatedClasses) -> list[ItemClass]:
    """The items: first those whose class is not the majority, then ties, then the least certain.

    Parameters
    ----------
    estimate : EstimatedClasses
        A fit.

    Returns
    -------
    list of ItemClass
        Items without a class come last, with the reason.
    """
    votes = _votes(estimate.ratings, len(estimate.options))
    rows = [_item(estimate, votes[code], code) for code in range(estimate.ratings.n_items)]
    return sorted(rows, key=_urgency)


def _urgency(row: ItemClass) -> tuple[bool, bool, bool, float, str]:
    return bool(row.reason), not row.differs, not row.is_tied, row.probability or 0.0, row.item


def _votes(ratings: Ratings, n_options: int) -> FloatArray:
    votes = np.zeros((ratings.n_items, n_options))
    np.add.at(votes, (ratings.item, ratings.value.astype(np.int64)), 1)
    return votes


def _item(estimate: EstimatedClasses, votes: FloatArray, code: int) -> ItemClass:
    most = votes.max()
    place = int(estimate.found.estimated[code])
    reason = (estimate.found.reason or TOO_FEW_RATERS) if place < 0 else ""
    shares = estimate.found.posterior[code]
    return ItemClass(
        item=str(estimate.ratings.items[code]),
        n_answers=int(votes.sum()),
        majority=tuple(estimate.options[at] for at in np.flatnonzero(votes == most)),
        votes=int(most),
        estimated="" if reason else estimate.classes[place],
        probability=None if reason else float(shares[place]),
        probabilities={} if reason else dict(zip(estimate.classes, map(float, shares), strict=True)),
        reason=reason,
    )


def rater_rows(estimate: EstimatedClasses) -> list[dict[str, Any]]:
    """The estimated errors of each rater, the least accurate first.

    Parameters
    ----------
    estimate : EstimatedClasses
        A fit.

    Returns
    -------
    list of dict
        With `RATER_COLUMNS` and `confusion`, the probability of each answer by class; None where nothing was
        estimated, as for a rater all of whose items have a single answer.
    """
    found = estimate.found
    rows = [
        {
            "rater": rater,
            "n_answers": int(found.n_answers[code]),
            "accuracy": finite_or_none(float(found.accuracy[code])),
            "chance": finite_or_none(float(found.chance[code])),
            "worse_than_chance": bool(found.worse_than_chance[code]),
            "competence": finite_or_none(float(found.competence[code])),
            "confusion": _confusion(estimate, code) if found.n_answers[code] else None,
        }
        for code, rater in enumerate(estimate.ratings.raters)
    ]
    return sorted(rows, key=lambda row: (row["accuracy"] is None, row["accuracy"] or 0.0, row["rater"]))


def _confusion(estimate: EstimatedClasses, code: int) -> dict[str, dict[str, float]]:
    return {
        own: dict(zip(estimate.classes, map(float, answers), strict=True))
        for own, answers in zip(estimate.classes, estimate.found.confusion[code], strict=True)
    }


def confusion_rows(estimate: EstimatedClasses) -> Iterator[dict[str, Any]]:
    """The cells of the confusion matrices, with `CONFUSION_COLUMNS`.

    Parameters
    ----------
    estimate : EstimatedClasses
        A fit.
    """
    for row in rater_rows(estimate):
        for own, answers in (row["confusion"] or {}).items():
            for answer, probability in answers.items():
                yield {"rater": row["rater"], "class": own, "answer": answer, "probability": probability}
