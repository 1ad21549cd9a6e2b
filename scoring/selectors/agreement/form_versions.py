"""A report's headline figures for each version of a form, and for all versions together."""

from __future__ import annotations

from typing import Any

from scoring.models import Report
from scoring.selectors.agreement.before_after import headline_key
from scoring.selectors.base.figures import compared_name

SHOWN = ("estimate", "low", "high", "n_items", "n_raters", "n_ratings")


def version_numbers(report: Report) -> list[str]:
    """The version numbers that a report compares, in order; empty where it compares none."""
    return list(report.tables.get("versions", {}))


def version_rows(report: Report) -> list[dict[str, Any]]:
    """Each headline figure for every version and for all of them together.

    Parameters
    ----------
    report : Report
        A reliability report with pooled versions.

    Returns
    -------
    list of dict
        `criterion`, `figure` and `versions`: by position in `version_numbers`, then all together, the
        estimate, its interval and counts; None where a version does not ask the criterion. Figures that no
        version has alone are left out.
    """
    found: dict[str, dict[Any, dict[str, Any]]] = {
        number: {headline_key(row): row for row in rows}
        for number, rows in report.tables.get("versions", {}).items()
    }
    rows = []
    for together in report.figures:
        key = headline_key(together)
        cells = [of_version.get(key) for of_version in found.values()]
        if any(cell and cell["estimate"] is not None for cell in cells):
            rows.append(
                {
                    "criterion": together["criterion"],
                    "figure": compared_name(together),
                    "versions": [_part(cell) if cell else None for cell in (*cells, together)],
                }
            )
    return rows


def version_lines(report: Report) -> list[dict[str, Any]]:
    """The same, one line a figure and version, as a table for download.

    Parameters
    ----------
    report : Report
        A reliability report with pooled versions.

    Returns
    -------
    list of dict
        `criterion`, `figure`, `version` (`all` for all together) and the parts of the figure.
    """
    names = [*version_numbers(report), "all"]
    return [
        {"criterion": row["criterion"], "figure": row["figure"], "version": name, **cell}
        for row in version_rows(report)
        for name, cell in zip(names, row["versions"], strict=True)
        if cell is not None
    ]


def _part(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in SHOWN}
