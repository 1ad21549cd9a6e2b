"""Checks of the wide table of ratings."""

from __future__ import annotations

import math

import numpy as np

from ..bundle import Bundle, list_scale_criteria, read_table
from .check import Check


def check_wide(bundle: Bundle, check: Check) -> None:
    """Check means and numbers of the wide table."""
    wide = read_table(bundle.folder / "data" / "ratings_wide.csv")
    rows = bundle.ratings[~bundle.ratings["excluded"] & bundle.ratings["value"].notna()]
    if not bundle.facts["include_late"]:
        rows = rows[~rows["late"]]
    check_pools(bundle, check)
    wide["pool_label"] = wide["pooled_version" if "pooled_version" in wide else "form_version"]
    key = ["item", "form", "pool_label", "criterion"]
    means = rows.groupby(key)["value"].agg(["mean", "count"]).to_dict("index")
    likert = list_scale_criteria(bundle.facts)
    on_scales = [pair in likert for pair in zip(wide["form"], wide["criterion"], strict=True)]
    wide = wide[np.array(on_scales, dtype=bool)]
    stored = zip(*(wide[name] for name in (*key, "n_ratings", "mean")), strict=True)
    for item, form, pool, criterion, n, mean in stored:
        found = means.get((item, form, pool, criterion), {"mean": math.nan, "count": 0})
        check.same(f"{item} {criterion} n_ratings", int(n), int(found["count"]))
        check.near(f"{item} {criterion} mean", float(mean) if mean else None, float(found["mean"]))


def check_pools(bundle: Bundle, check: Check) -> None:
    """Check that the ratings say the same about pooled form versions as `forms.json`."""
    if "pooled_version" in bundle.answers:
        differing = bundle.answers["pooled_version"] != bundle.answers["pool_label"]
        check.same("ratings with another pooled_version than forms.json", 0, int(differing.sum()))
