"""Intervals for new raters, compared with those for the raters of the study, for pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import Study
from scoring.models import Report
from scoring.selectors.base.figures import MEANINGS, figure_name, help_page
from scoring.selectors.base.reports import latest_report
from scoring.stats.base.cautions import cautions_of

KIND = "new_raters"
NO_INTERVAL = "none:"
Row = dict[str, Any]


def latest_new_raters(study: Study) -> Report | None:
    """The newest report with intervals for new raters; None before the first."""
    return latest_report(study, KIND)


def both_intervals(report: Report, reliability: Report | None) -> list[Row]:
    """By criterion, each coefficient with its interval for these raters and that for new raters.

    Parameters
    ----------
    report : Report
        Report of kind `new_raters`.
    reliability : Report or None
        Report of kind `reliability`; its intervals are shown if it is of the same ratings.

    Returns
    -------
    list of dict
        `criterion` and `rows`, each with `name`, `help`, `estimate`, `these` and `new`; the last two have
        `low`, `high`, `reason` as a sentence, and `cautions`.
    """
    known = _by_key(reliability) if reliability and are_of_same_ratings(report, reliability) else {}
    groups: dict[str, list[Row]] = {}
    for row in report.figures:
        same = known.get(_key(row))
        groups.setdefault(row["criterion"], []).append(
            {
                "name": figure_name(row),
                "help": help_page(row),
                "estimate": row["estimate"],
                "reason": MEANINGS.get(row["reason"], ""),
                "these": _interval(same) if same else None,
                "new": _interval(row),
            }
        )
    return [{"criterion": criterion, "rows": rows} for criterion, rows in groups.items()]


def are_of_same_ratings(report: Report, reliability: Report) -> bool:
    """Whether two reports have the same estimates, so that their intervals can be shown side by side.

    Parameters
    ----------
    report : Report
        Report of kind `new_raters`.
    reliability : Report
        Report of kind `reliability`; its fingerprint is of the answers to all kinds of questions.
    """
    known = _by_key(reliability)
    return all(
        _key(row) in known and known[_key(row)]["estimate"] == row["estimate"] for row in report.figures
    )


def _by_key(report: Report) -> dict[tuple[str, ...], Mapping[str, Any]]:
    return {_key(row): row for row in report.figures}


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    return row["criterion"], row["coefficient"], row["variant"]


def _interval(row: Mapping[str, Any]) -> Row:
    method = str(row["interval_method"])
    code = method.removeprefix(NO_INTERVAL) if method.startswith(NO_INTERVAL) else ""
    return {
        "low": row["low"],
        "high": row["high"],
        "reason": code,
        "cautions": cautions_of(row["signature"]),
    }
