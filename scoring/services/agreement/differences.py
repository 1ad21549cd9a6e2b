"""Differences of reliability in a report: after and before exclusions, and between form versions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from scoring.stats.agreement.comparing.differences import compare_reliability
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

# Coefficients that pages show before and after exclusions and whose difference is computed.
HEADLINE_DIFFERENCES = ("alpha-ordinal", "alpha-interval", "fleiss", "ac2-quadratic", "icc2", "icc2k")
EXCLUSIONS, VERSIONS = "exclusions", "versions"


def difference_rows(
    table: RatingsTable,
    before: RatingsTable | None,
    versions: Mapping[str, RatingsTable],
    resampling: Resampling,
) -> list[dict[str, Any]]:
    """What exclusions, and each new version of a form, changed in the reliability of each criterion.

    Parameters
    ----------
    table : RatingsTable
        The ratings that count.
    before : RatingsTable or None
        The ratings without exclusions; None where nothing is excluded.
    versions : mapping of str to RatingsTable
        The ratings of each version, the first version first.
    resampling : Resampling
        Replicates and seed of the report.

    Returns
    -------
    list of dict
        Rows of differences with `of` (`exclusions` or `versions`), `criterion`, `first_name` and
        `second_name`; each is the later less the earlier, and items are drawn together.
    """
    compared = [] if before is None else [(EXCLUSIONS, ("after", table), ("before", before))]
    compared += [(VERSIONS, later, earlier) for earlier, later in pairwise(versions.items())]
    rows = []
    for of, (first_name, first), (second_name, second) in compared:
        for criterion, ratings in first.criteria.items():
            other = second.criteria.get(criterion)
            if other is None or not ratings.n_ratings or not other.n_ratings:
                continue
            about = {"of": of, "criterion": criterion, "first_name": first_name, "second_name": second_name}
            for name in HEADLINE_DIFFERENCES:
                found = compare_reliability(ratings, other, name, design="paired", resampling=resampling)
                rows.append({**about, **found.to_row()})
    return rows
