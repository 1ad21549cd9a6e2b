"""How well the scores of the offered models follow the published ratings of similes."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.hauser.metrics.quality import PARTS, QUALITY

# Written by `python -m benchmarks.default_scores`.
TABLE = Path(__file__).with_name("default_correlations.csv")
METRICS = (QUALITY, *PARTS, "creativity", "informativeness")
SETUPS: dict[str, Promise] = {
    "demonstration_128": _("Earlier demonstration models"),
    "demonstration": _("Demonstration models"),
    "collected": _("Demonstration models, collected base"),
    "lexicon": _("Sentiment by a lexicon, collected base"),
    "published": _("Published models and MAPS-KB"),
}


class Correlation(NamedTuple):
    """Spearman's ρ of a score with the mean rating of its criterion."""

    setup: Promise  # Models and knowledge base
    rho: float
    low: float | None  # Limits of the 95% CI; None where the samples do not give one
    high: float | None
    n: int  # Candidates with a score
    truncated: int  # Of them, those of which a model saw only the beginning


def default_correlations() -> dict[str, list[Correlation]]:
    """The correlations of each metric, one for each of `SETUPS`.

    Returns
    -------
    dict
        By metric. Components are those that the built-in extractor finds, for the published scores those of
        the data set. The parts of quality are normalised within the group, as they enter quality.
    """
    rows = {(row["metric"], row["setup"]): row for row in _rows() if _is_shown(row)}
    return {metric: [_correlation(rows[metric, setup]) for setup in SETUPS] for metric in METRICS}


def _is_shown(row: dict[str, str]) -> bool:
    components = "marked" if row["setup"] == "published" else "extracted"
    scaling = "within_group" if row["metric"] in PARTS else "raw"
    return (row["components"], row["scaling"]) == (components, scaling)


def _correlation(row: dict[str, str]) -> Correlation:
    low, high = (float(row[name]) if row[name] else None for name in ("low", "high"))
    n, truncated = int(row["n"]), int(row["truncated"])
    return Correlation(SETUPS[row["setup"]], float(row["rho"]), low, high, n, truncated)


@lru_cache(maxsize=1)
def _rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
