"""Checks of the wide table of ratings."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from ..arrays import Array
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
    rows = rows.assign(value=take_logarithms(bundle, rows))
    means = rows.groupby(key)["value"].agg(["mean", "count"]).to_dict("index")
    on_ratios = list_ratio_criteria(bundle)
    likert = list_scale_criteria(bundle.facts)
    on_scales = [pair in likert for pair in zip(wide["form"], wide["criterion"], strict=True)]
    wide = wide[np.array(on_scales, dtype=bool)]
    stored = zip(*(wide[name] for name in (*key, "n_ratings", "mean")), strict=True)
    for item, form, pool, criterion, n, mean in stored:
        found = means.get((item, form, pool, criterion), {"mean": math.nan, "count": 0})
        check.same(f"{item} {criterion} n_ratings", int(n), int(found["count"]))
        again = math.exp(found["mean"]) if (form, criterion) in on_ratios else float(found["mean"])
        check.near(f"{item} {criterion} mean", float(mean) if mean else None, again)


def list_ratio_criteria(bundle: Bundle) -> set[tuple[str, str]]:
    """List the criteria, with their forms, of which ratios count, so that their means are geometric."""
    return {(scale["form"], scale["criterion"]) for scale in bundle.facts["scales"] if scale.get("measure")}


def take_logarithms(bundle: Bundle, rows: pd.DataFrame) -> Array:
    """Take the logarithms of the ratings whose means are geometric; leave the others."""
    on_ratios = list_ratio_criteria(bundle)
    places = zip(rows["form"], rows["criterion"], rows["value"], strict=True)
    return np.array([math.log(value) if (form, key) in on_ratios else value for form, key, value in places])


def check_pools(bundle: Bundle, check: Check) -> None:
    """Check that the ratings say the same about pooled form versions as `forms.json`."""
    if "pooled_version" in bundle.answers:
        differing = bundle.answers["pooled_version"] != bundle.answers["pool_label"]
        check.same("ratings with another pooled_version than forms.json", 0, int(differing.sum()))
