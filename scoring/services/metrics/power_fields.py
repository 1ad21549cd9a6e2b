"""The numbers of a power plan, with their defaults and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.base.messages import Message, message
from annotation.domain.items.drawn_sets import LARGEST_SET, SMALLEST_SET, USUAL_SET

LIKERT = ("systems", "metrics", "coefficient")
PAIRS, SETS = "pairs", "best_worst"


@dataclass(frozen=True)
class Number:
    """A number of the form."""

    label: Message
    default: float
    low: float
    high: float
    whole: bool = False


SHARED = Number(message("Share of the variance between items that is between groups"), 0, 0, 0.99)
VARIANCES: Mapping[str, Number] = {
    "item": Number(message("Variance between items"), 0.5, 0.0001, 1_000),
    "rater": Number(message("Variance between raters"), 0.1, 0, 1_000),
    "residual": Number(message("Residual variance"), 0.5, 0.0001, 1_000),
    "mean": Number(message("Mean rating"), 3, -1_000, 1_000),
    "lowest": Number(message("Lowest point of the scale"), 1, -1_000, 1_000),
    "highest": Number(message("Highest point of the scale"), 5, -1_000, 1_000),
    "step": Number(message("Distance of two points"), 1, 0.01, 100),
    "shared": SHARED,
}
TASTE = Number(message("Variance between raters (squared log odds)"), 0.2, 0, 100)
OF_QUESTION: Mapping[str, Mapping[str, Number]] = {
    "systems": {"difference": Number(message("Difference of the mean ratings"), 0.3, -1_000, 1_000)},
    "metrics": {
        "first": Number(message("Correlation of the first metric with quality"), 0.6, 0, 0.99),
        "second": Number(message("Correlation of the second metric with quality"), 0.5, 0, 0.99),
        "between": Number(message("Correlation of the metrics with each other"), 0.5, -0.99, 0.99),
    },
    "coefficient": {"bound": Number(message("Bound that the confidence interval must exceed"), 0.6, -1, 1)},
    PAIRS: {
        "preferred": Number(message("Share of answers that prefer the better one"), 0.6, 0.5, 0.99),
        "rater": TASTE,
        "shared": SHARED,
    },
    SETS: {
        "difference": Number(message("Difference of the strengths (log odds)"), 0.8, 0, 20),
        "candidates": Number(message("Texts or systems that are compared"), 4, SMALLEST_SET, 200, whole=True),
        "size": Number(message("Texts of a set"), USUAL_SET, SMALLEST_SET, LARGEST_SET, whole=True),
        "item": Number(message("Variance of a system between sets (squared log odds)"), 0.5, 0, 100),
        "rater": TASTE,
    },
}
# Values that a pilot can provide.
STATED: Mapping[str, Mapping[str, Number]] = {
    **dict.fromkeys(LIKERT, VARIANCES),
    PAIRS: {
        "item": Number(message("Variance between pairs (squared log odds)"), 0.5, 0, 100),
        "ties": Number(message("Share of ties"), 0, 0, 0.9),
    },
    SETS: {"spread": Number(message("Variance between the other strengths (squared log odds)"), 1, 0, 100)},
}
POOL = Number(message("Raters in the study"), 10, 1, 1_000, whole=True)
IN_GROUP = Number(message("Items of a group, per system (0: no groups)"), 0, 0, 1_000, whole=True)
STUDIES = Number(message("Simulated studies per design"), 400, 20, 5_000, whole=True)
ITEMS = Number(message("Items"), 100, 5, 2_000, whole=True)
RATERS = Number(message("Ratings per item"), 3, 1, 50, whole=True)
LISTS = {"items": "50, 100, 200", "raters": "3, 5"}
# What the numbers of items and of ratings per item count.
COUNTED: Mapping[str, tuple[Message, Message]] = {
    **dict.fromkeys(LIKERT, (ITEMS.label, RATERS.label)),
    "systems": (message("Items per system"), RATERS.label),
    PAIRS: (message("Number of pairs"), message("Answers per pair")),
    SETS: (message("Number of sets"), message("Answers per set")),
}


def counts_of(question: str) -> dict[str, Number]:
    """The other numbers of the designs; best–worst scores leave out sets, whatever group they are of."""
    return {"pool": POOL} | ({} if question == SETS else {"in_group": IN_GROUP}) | {"studies": STUDIES}
