"""The heat map of a report whose items cross two factors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.models import Report

SHADES = 6


def crossed_table(report: Report, criterion: str) -> dict[str, Any]:
    """Mean ratings of every combination, shaded from the least to the greatest.

    Parameters
    ----------
    report : Report
        A reliability report.
    criterion : str
        Criterion of the means; an unknown one means the first.

    Returns
    -------
    dict
        `factors`, `criteria`, `criterion`, `columns`, and `rows` with `label` and `cells` (`mean`, `shade`);
        empty where the items cross no factors.
    """
    crossed = report.tables.get("crossed") or {}
    if not crossed:
        return {}
    names = list(crossed["criteria"])
    chosen = criterion if criterion in names else names[0]
    table = crossed["criteria"][chosen]
    return {
        "factors": crossed["factors"],
        "criteria": names,
        "criterion": chosen,
        "columns": table["columns"],
        "rows": _shaded(table),
    }


def _shaded(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    known = [mean for row in table["means"] for mean in row if mean is not None]
    low, high = min(known), max(known)
    width = (high - low) / SHADES or 1.0
    return [
        {
            "label": label,
            "cells": [
                {"mean": mean, "shade": None if mean is None else min(SHADES, 1 + int((mean - low) / width))}
                for mean in means
            ],
        }
        for label, means in zip(table["rows"], table["means"], strict=True)
    ]
