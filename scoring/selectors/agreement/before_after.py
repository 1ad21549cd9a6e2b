"""A report's headline figures before and after its exclusions, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.models import Report
from scoring.selectors.base.figures import compared_name

Key = tuple[str, str, str]


def before_after(report: Report) -> list[dict[str, Any]]:
    """Each headline figure with and without the exclusions; empty where nothing is excluded.

    Returns
    -------
    list of dict
        `criterion`, `figure`, and for `before_` and `after_`: estimate, low, high, n_items, n_ratings.
    """
    after = {headline_key(row): row for row in report.figures}
    rows = []
    for before in report.tables.get("before", []):
        found = after.get(headline_key(before))
        if found is not None:
            rows.append(
                {
                    "criterion": before["criterion"],
                    "figure": compared_name(found),
                    **_part("before", before),
                    **_part("after", found),
                }
            )
    return rows


def _part(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("estimate", "low", "high", "n_items", "n_ratings")
    return {f"{name}_{key}": row[key] for key in keys}


def headline_key(row: Mapping[str, Any]) -> Key:
    """What identifies a figure in reports of different ratings of the same study.

    Parameters
    ----------
    row : mapping
        Row of the contract's JSON. An ICC's variant has the number of ratings, which may differ.
    """
    variant = "" if row["coefficient"].startswith("icc") else str(row["variant"])
    return row["criterion"], row["coefficient"], variant
