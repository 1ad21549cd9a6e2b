"""Which answers count, and on which scales they were given."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from .arrays import Row
from .bundle import Bundle

Version = tuple[str, int, int]
# What the name of a set of yes/no tests has in statistics.
SUM = ":sum"


def select_counted(bundle: Bundle, frame: pd.DataFrame, *, pooled: bool) -> tuple[pd.DataFrame, Row]:
    """Select the ratings that count, and count the answers left out by reason."""
    excluded, rest = frame[frame["excluded"]], frame[~frame["excluded"]]
    late = rest["late"] & (not bundle.facts["include_late"])
    rest, late_rows = rest[~late], rest[late]
    older = rest["pool"] < rest.groupby("form")["pool"].transform("max")
    older &= not pooled
    rest, older_rows = rest[~older], rest[older]
    rules = {str(rule): part["response"].nunique() for rule, part in excluded.groupby("exclusion_rule")}
    data: Row = {
        "excluded": rules,
        "set_apart": {
            "cannot_rate": rest.loc[rest["cannot_rate"], "response"].nunique(),
            "late": late_rows["response"].nunique(),
            "older_versions": older_rows["response"].nunique(),
        },
        "n_responses": rest["response"].nunique(),
        "n_ratings": int(rest["value"].notna().sum()),
        "n_items": rest["item"].nunique(),
        "n_raters": rest["rater"].nunique(),
        "n_simulated": rest.loc[rest["simulated"], "response"].nunique(),
        "identified": bool(bundle.facts["identified"]),
        "by_version": count_by_version(rest),
    }
    if (frame["study"] != bundle.facts["study"]).any():
        data["from_pilot"] = rest.loc[rest["study"] != bundle.facts["study"], "response"].nunique()
    measured, single = take_measures(bundle, rest)
    if single:
        data["set_apart"]["single_estimates"] = single
    return name_criteria(measured), data


def take_measures(bundle: Bundle, rows: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Take logarithms of the numbers of criteria of which `study.json` says so, less the rater's own mean.

    An only number has no distance from the rater's own mean: these are left out and counted.
    """
    measures = {
        (scale["form"], scale["form_version"], scale.get("form_correction", 0), scale["criterion"]): scale[
            "measure"
        ]
        for scale in bundle.facts["scales"]
        if scale.get("measure")
    }
    if not measures:
        return rows, 0
    places = rows[["form", "form_version", "form_correction", "criterion"]].itertuples(index=False, name=None)
    measure = np.array([measures.get(place, "") for place in places], dtype=object)
    value = rows["value"].copy()
    for at in np.flatnonzero((measure != "") & rows["value"].notna().to_numpy()):
        value.iloc[int(at)] = math.log(value.iloc[int(at)])
    own = rows[(measure == "own_logarithms") & value.notna()]
    single: list[int] = []
    for _, of_rater in own.groupby(["form", "criterion", "rater"], sort=False):
        logarithms = value.loc[of_rater.index]
        value.loc[of_rater.index] = (logarithms - logarithms.mean()).round(12)
        single += of_rater.index.tolist() if len(of_rater) == 1 else []
    return rows.assign(value=value).drop(index=single), len(single)


def name_criteria(rows: pd.DataFrame) -> pd.DataFrame:
    """Name each criterion by its key, after its form's where two forms have the same key."""
    forms = rows.groupby("criterion")["form"].transform("nunique")
    return rows.assign(name=rows["criterion"].where(forms == 1, rows["form"] + ":" + rows["criterion"]))


def count_by_version(rows: pd.DataFrame) -> dict[str, int]:
    """Count the responses to each form version, such as `similes 2.1`."""
    named = rows["form"] + " " + rows["version_label"]
    return {str(name): int(n) for name, n in rows.groupby(named)["response"].nunique().items()}


def undo_exclusions(bundle: Bundle, frame: pd.DataFrame, *, pooled: bool) -> pd.DataFrame:
    """Return the answers as if none were excluded, without versions that exclusions empty."""
    if not pooled:
        counting = frame[~frame["excluded"] & (bool(bundle.facts["include_late"]) | ~frame["late"])]
        newest = frame["form"].map(counting.groupby("form")["pool"].max())
        frame = frame[~(frame["pool"] > newest)]
    return frame.assign(excluded=False)


def get_scale_ends(bundle: Bundle, counted: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest point of each criterion's scale over all versions."""
    ends: dict[tuple[str, str], tuple[float, float]] = get_sum_ends(bundle)
    for scale in bundle.facts["scales"]:
        if scale["yields"] != "number" or scale["minimum"] is None or scale["maximum"] is None:
            continue
        place, low, high = (scale["form"], scale["criterion"]), scale["minimum"], scale["maximum"]
        before = ends.get(place, (low, high))
        ends[place] = (min(low, before[0]), max(high, before[1]))
    named = counted[["name", "form", "criterion"]].drop_duplicates()
    return {name: ends[form, key] for name, form, key in named.itertuples(index=False) if (form, key) in ends}


def find_continuous_scales(bundle: Bundle, counted: pd.DataFrame) -> set[str]:
    """Find the criteria answered between two ends, such as on a slider; bundles of version 0.2 have none."""
    places = {
        (scale["form"], scale["criterion"]) for scale in bundle.facts["scales"] if scale.get("continuous")
    }
    named = counted[["name", "form", "criterion"]].drop_duplicates()
    return {name for name, form, key in named.itertuples(index=False) if (form, key) in places}


def list_sets(bundle: Bundle) -> dict[Version, dict[str, list[str]]]:
    """List the tests of each set by form version."""
    sets: dict[Version, dict[str, list[str]]] = {}
    for scale in bundle.facts["scales"]:
        if scale.get("set"):
            version = scale["form"], scale["form_version"], scale.get("form_correction", 0)
            sets.setdefault(version, {}).setdefault(scale["set"], []).append(scale["criterion"])
    return sets


def get_sum_ends(bundle: Bundle) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the range of the sum of each set: from 0 to the greatest number of its tests."""
    ends: dict[tuple[str, str], tuple[float, float]] = {}
    for (form, _, _), sets in list_sets(bundle).items():
        for name, tests in sets.items():
            before = ends.get((form, name + SUM), (0, 0))[1]
            ends[form, name + SUM] = (0, max(before, len(tests)))
    return ends
