"""Further tables of a reliability report: pairs of raters, and their use of the scale."""

from __future__ import annotations

import math
from typing import Any

from scoring.stats.agreement.distribution import distribution
from scoring.stats.agreement.pairwise import connected_raters, rater_pairs
from scoring.stats.agreement.variance.pilot import PilotError, pilot_components
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import Ratings, RatingsTable

# More raters than this make no readable matrix; their pairs are not stored.
MOST_RATERS = 30
PILOT_REPLICATES = 500


def side_tables(table: RatingsTable) -> dict[str, Any]:
    """Pairs of raters, components of the design and distributions, by criterion.

    Parameters
    ----------
    table : RatingsTable
        The ratings of a report.

    Returns
    -------
    dict
        JSON values: `pairs`, `components`, `distributions` and `pilots`, each by criterion. Pairs are missing
        for slots and beyond 30 raters; a figure that is not defined is null.
    """
    rated = {name: ratings for name, ratings in table.criteria.items() if ratings.n_ratings}
    return {
        "pairs": {
            name: _pairs(ratings)
            for name, ratings in rated.items()
            if ratings.identified and len(ratings.raters) <= MOST_RATERS
        },
        "components": {
            name: int(connected_raters(ratings).max()) + 1
            for name, ratings in rated.items()
            if ratings.identified
        },
        "distributions": {name: _distribution(ratings) for name, ratings in rated.items()},
        "pilots": {name: pilot for name, ratings in rated.items() if (pilot := _pilot(ratings))},
    }


def _pilot(ratings: Ratings) -> dict[str, Any]:
    """Variance components to plan with; empty where the ratings give none."""
    try:
        pilot = pilot_components(ratings, Resampling(PILOT_REPLICATES, seed=0))
    except PilotError:
        return {}
    ranges = {"item": pilot.ranges.item, "rater": pilot.ranges.rater, "residual": pilot.ranges.residual}
    found: dict[str, Any] = {name: [one.low, one.high] for name, one in ranges.items()}
    return {**found, "assumptions": list(pilot.assumptions)}


def _pairs(ratings: Ratings) -> dict[str, Any]:
    pairs = rater_pairs(ratings)
    return {
        "raters": list(pairs.raters),
        "cells": [
            {
                "first": int(pairs.first[position]),
                "second": int(pairs.second[position]),
                "shared": int(pairs.shared[position]),
                "kappa": _number(pairs.kappa["quadratic"][position]),
                "kappa_unweighted": _number(pairs.kappa["identity"][position]),
                "pearson": _number(pairs.pearson[position]),
                "spearman": _number(pairs.spearman[position]),
                "exact": _number(pairs.exact[position]),
                "within_one": _number(pairs.within_one[position]),
                "difference": _number(pairs.difference[position]),
            }
            for position in range(len(pairs))
        ],
    }


def _distribution(ratings: Ratings) -> dict[str, Any]:
    found = distribution(ratings)
    by_rater = len(ratings.raters) <= MOST_RATERS
    return {
        "values": found.categories.tolist(),
        "counts": found.counts.sum(axis=0).tolist(),
        "raters": [
            {"rater": label, "counts": counts.tolist(), "mean": float(mean)}
            for label, counts, mean in zip(ratings.raters, found.counts, found.means, strict=True)
        ]
        if by_rater
        else [],
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
