"""The table of key results under each set of exclusions, for the page and for files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Study
from scoring.models import Report
from scoring.selectors.base.figures import figure_name
from scoring.selectors.raters.item_figures import figures_state

FILE_COLUMNS = (
    "exclusions",
    "name",
    "before_opening",
    "items",
    "groups",
    "raters",
    "ratings",
    "criterion",
    "mean",
    "coefficient",
    "variant",
    "estimate",
    "low",
    "high",
)
LATEX_COLUMNS = (
    ("name", "Exclusions"),
    ("items", "Items"),
    ("ratings", "Ratings"),
    ("criterion", "Criterion"),
    ("mean", "Mean"),
    ("figure", "Statistic"),
    ("estimate", "Estimate"),
    ("low", "Low"),
    ("high", "High"),
)


def multiverse_stale(study: Study, report: Report) -> bool:
    """Whether answers, exclusions, rules or scores have changed since the report."""
    state = {**figures_state(study, report.data_state), "n_rules": study.exclusion_rules.count()}
    return bool(state != report.data_state)


def world_rows(report: Report) -> list[dict[str, Any]]:
    """One row per set of exclusions, with α, held-out correlation and best metric of each criterion."""
    return [
        {**world, "cells": [_cell(world, name, means) for name, means in world["means"].items()]}
        for world in report.tables["worlds"]
    ]


def file_rows(report: Report) -> list[dict[str, Any]]:
    """One row per set of exclusions, criterion and figure; metrics are figures too."""
    rows = []
    for world in report.tables["worlds"]:
        base = {
            "exclusions": world["key"],
            "name": world["name"],
            "before_opening": "" if world["before_opening"] is None else world["before_opening"],
            **{key: world["counts"][key] for key in ("items", "groups", "raters", "ratings")},
        }
        for figure in world["figures"]:
            means = {
                key: figure[key] for key in ("criterion", "coefficient", "variant", "estimate", "low", "high")
            }
            mean = world["means"][figure["criterion"]]["mean"]
            rows.append({**base, "mean": mean, "figure": figure_name(figure), **means})
        for metric in world["metrics"]:
            rows += [
                {
                    **base,
                    "criterion": metric["criterion"],
                    "mean": None,
                    "figure": f"{metric['metric']}, {name}",
                    "coefficient": name,
                    "variant": metric["metric"],
                    "estimate": metric[name],
                    "low": None,
                    "high": None,
                }
                for name in ("pearson", "spearman")
            ]
    return [{key: row.get(key) for key in (*FILE_COLUMNS, "figure")} for row in rows]


def _cell(world: Mapping[str, Any], criterion: str, means: Mapping[str, Any]) -> dict[str, Any]:
    own = [row for row in world["figures"] if row["criterion"] == criterion]
    alpha = next((row for row in own if row["coefficient"] == "alpha"), None)
    held = next(
        (row for row in own if row["coefficient"] == "held_out_pearson" and row["variant"] == "mean"), None
    )
    metrics = [
        row for row in world["metrics"] if row["criterion"] == criterion and row["pearson"] is not None
    ]
    best = max(metrics, key=lambda row: abs(row["pearson"]), default=None)
    return {
        "criterion": criterion,
        "mean": means["mean"],
        "mean_label": _("Geometric mean") if means.get("geometric") else _("Mean"),
        "alpha": alpha,
        "held_out": held,
        "best": best,
    }
