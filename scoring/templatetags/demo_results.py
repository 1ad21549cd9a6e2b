"""The result of the demo study that the public home page shows."""

from __future__ import annotations

from typing import Any

from django import template

from annotation.models import Study
from scoring.selectors.base import figures
from scoring.selectors.reports.demo_report import demo_report

register = template.Library()
SHOWN = ("alpha", "ordinal")


@register.simple_tag
def demo_result(demo: Study) -> dict[str, Any] | None:
    """Krippendorff’s α of each criterion and what it was computed from; None before there is a report."""
    report = demo_report(demo)
    if report is None:
        return None
    rows = [row for group in figures.figure_groups(report) for row in group["rows"]]
    return {
        "rows": [row for row in rows if _is_shown(row)],
        "ticks": figures.ticks(report),
        **{name: report.data[name] for name in ("n_ratings", "n_items", "n_raters")},
    }


def _is_shown(row: dict[str, Any]) -> bool:
    return (row["coefficient"], row["variant"]) == SHOWN and row["low"] is not None
