"""Rows of the tables and charts on the pages of exclusion rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.models import Report
from scoring.selectors.base.figures import compared_name
from scoring.selectors.raters.rules import RuleRow

COUNTS = ("items", "groups", "rankable", "raters", "answers", "ratings")
TABLE_2 = (
    ("held_out_pearson", "mean"),
    ("held_out_pearson", "max"),
    ("held_out_spearman", "mean"),
    ("held_out_spearman", "max"),
)
SLOPE = {"left": 44.0, "right": 196.0, "top": 16.0, "foot": 176.0}
LEAST_GAP = 13.0


def count_rows(preview: Report) -> list[dict[str, Any]]:
    """Counts before and after a rule, and their difference."""
    before, after = (preview.tables[part]["counts"] for part in ("before", "after"))
    return [
        {"what": key, "before": before[key], "after": after[key], "gone": before[key] - after[key]}
        for key in COUNTS
    ]


def condition_rows(row: RuleRow, preview: Report) -> list[dict[str, Any]]:
    """How much each condition of a rule catches alone, with its words."""
    counts = preview.tables["conditions"]
    return [{**count, "words": words} for count, words in zip(counts, row.words, strict=True)]


def sequence_rows(row: RuleRow, preview: Report) -> list[dict[str, Any]]:
    """What each condition leaves out of what those before it have left; empty for an older preview."""
    steps = preview.tables.get("sequence", [])
    return [{**step, "words": row.words[step["place"]]} for step in steps]


def agreement_rows(preview: Report) -> list[dict[str, Any]]:
    """α and held-out correlations of each criterion before and after, with intervals."""
    after = {_key(row): row for row in preview.tables["after"]["figures"]}
    rows = []
    for first in preview.tables["before"]["figures"]:
        second = after.get(_key(first), {})
        part = {"criterion": first["criterion"], "figure": compared_name(first)}
        for name, row in (("before", first), ("after", second)):
            part |= {
                f"{name}_{key}": row.get(key)
                for key in ("estimate", "low", "high", "n_items", "n_raters", "reason")
            }
        rows.append(part)
    return rows


def mean_rows(preview: Report) -> list[dict[str, Any]]:
    """Mean rating and range of the item means by criterion, before and after."""
    before, after = (preview.tables[part]["means"] for part in ("before", "after"))
    return [
        {
            "criterion": name,
            "geometric": means.get("geometric", False),
            "before": means,
            "after": after.get(name, {}),
        }
        for name, means in before.items()
    ]


def metric_rows(preview: Report) -> list[dict[str, Any]]:
    """Correlation of each metric with the mean ratings, before and after."""
    after = {(row["metric"], row["criterion"]): row for row in preview.tables["after"]["metrics"]}
    rows = []
    for first in preview.tables["before"]["metrics"]:
        second = after.get((first["metric"], first["criterion"]), {})
        row = {"metric": first["metric"], "criterion": first["criterion"]}
        for name, part in (("before", first), ("after", second)):
            row |= {f"{name}_{key}": part.get(key) for key in ("pearson", "spearman", "n")}
        rows.append(row)
    return rows


def table_2_rows(preview: Report) -> list[dict[str, Any]]:
    """Held-out agreement in the form of HAUSER's Table 2: two blocks, four columns, the lowest marked.

    Returns
    -------
    list of dict
        `setting`, `criterion`, and in `cells` for each column `value` and `lowest`; `first` says that the
        row begins its block.

    References
    ----------
    He et al. (2023), table 2.
    """
    rows: list[dict[str, Any]] = []
    for setting in ("before", "after"):
        figures = {_key(row): row["estimate"] for row in preview.tables[setting]["figures"]}
        criteria = list(preview.tables[setting]["means"])
        lowest = [
            min(
                (value for name in criteria if (value := figures.get((name, *column))) is not None),
                default=None,
            )
            for column in TABLE_2
        ]
        for position, name in enumerate(criteria):
            values = [figures.get((name, *column)) for column in TABLE_2]
            cells = [
                {"value": value, "lowest": len(criteria) > 1 and value is not None and value == least}
                for value, least in zip(values, lowest, strict=True)
            ]
            rows.append({"setting": setting, "criterion": name, "cells": cells, "first": position == 0})
    return rows


def slopes(preview: Report) -> list[dict[str, Any]]:
    """For each criterion the lines of the drawing: α of the study, of shuffled answers, of a random drop."""
    return [_slope(effect) for effect in preview.tables["selection"] if effect["before"] is not None]


def _slope(effect: Mapping[str, Any]) -> dict[str, Any]:
    ends = [effect[key] for key in ("before", "after", "shuffled_before", "shuffled_after", "random_after")]
    known = [value for value in ends if value is not None]
    low, high = float(min(0.0, *known)), float(max(1.0, *known))

    def height(value: float) -> float:
        share = (value - low) / (high - low)
        return round(SLOPE["foot"] - (SLOPE["foot"] - SLOPE["top"]) * float(share), 1)

    lines = []
    for name, start, end in (
        ("real", effect["before"], effect["after"]),
        ("null", effect["shuffled_before"], effect["shuffled_after"]),
        ("rand", effect["before"], effect["random_after"]),
    ):
        if start is not None and end is not None:
            lines.append({"name": name, "start": start, "end": end, "y1": height(start), "y2": height(end)})
    _place_labels(lines)
    grid = [height(low + (high - low) * part / 4) for part in range(5)]
    return {**effect, "lines": lines, "grid": grid}


def _place_labels(lines: list[dict[str, Any]]) -> None:
    """Place the labels at the right end so that they do not overlap."""
    lowest = -LEAST_GAP
    for line in sorted(lines, key=lambda one: one["y2"]):
        line["label"] = round(max(line["y2"], lowest + LEAST_GAP), 1)
        lowest = line["label"]


def _key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["criterion"], row["coefficient"], row["variant"].split(",")[0]
