"""Sets of yes/no tests, and the sums of their answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .arrays import Array
from .bundle import Bundle
from .counting import SUM, Version, list_sets, name_criteria
from .drawing import assign_item_units


@dataclass(frozen=True)
class BinarySet:
    """Complete answers to the tests of a set: one row of `passed` for each response."""

    name: str
    tests: tuple[str, ...]
    passed: Array
    unit: Array
    unit_kind: str
    n_items: int
    n_raters: int | None


def add_sums(bundle: Bundle, counted: pd.DataFrame) -> pd.DataFrame:
    """Add a row for the sum of each set that a response answers completely, and name the criteria."""
    added = []
    for version, sets in list_sets(bundle).items():
        rows = select_version_rows(counted, version)
        rows = rows[rows["value"].notna()]
        for name, tests in sets.items():
            for _, answers in rows[rows["criterion"].isin(tests)].groupby("response", sort=False):
                if len(answers) == len(tests):
                    row = answers.iloc[0].to_dict()
                    added.append({**row, "criterion": name + SUM, "value": float(answers["value"].sum())})
    if not added:
        return counted
    sums = pd.DataFrame(added).astype(counted.dtypes.to_dict())
    return name_criteria(pd.concat([counted, sums], ignore_index=True))


def select_version_rows(rows: pd.DataFrame, version: Version) -> pd.DataFrame:
    """Select the rows of one form version."""
    form, number, correction = version
    return rows[
        (rows["form"] == form) & (rows["form_version"] == number) & (rows["form_correction"] == correction)
    ]


def read_sets(bundle: Bundle, counted: pd.DataFrame) -> list[BinarySet]:
    """Read the answers to the tests that each set has in its newest version, from rows with sums."""
    asking: dict[tuple[str, str], list[Version]] = {}
    sets = list_sets(bundle)
    for version in sorted(sets):
        if len(select_version_rows(counted, version)):
            for name in sets[version]:
                asking.setdefault((version[0], name), []).append(version)
    found = []
    for (_, name), versions in asking.items():
        tests = sets[versions[-1]][name]
        same = [version for version in versions if sorted(sets[version][name]) == sorted(tests)]
        rows = pd.concat([select_version_rows(counted, version) for version in same])
        found.append(read_set(bundle, rows, name, tests))
    return [one for one in found if one is not None]


def read_set(bundle: Bundle, rows: pd.DataFrame, name: str, tests: list[str]) -> BinarySet | None:
    """Read the complete answers to the tests of one set."""
    sums = rows[rows["criterion"] == name + SUM].sort_values(["item", "rater"])
    if sums.empty:
        return None
    by_test = [rows[rows["criterion"] == test].set_index("response") for test in tests]
    groups = dict(zip(sums["item"], sums["group"], strict=True))
    items = list(dict.fromkeys(sums["item"]))
    units, kind = assign_item_units(items, groups)
    place = {item: int(unit) for item, unit in zip(items, units, strict=True)}
    return BinarySet(
        str(sums["name"].iloc[0]),
        tuple(str(answers["name"].iloc[0]) for answers in by_test),
        np.column_stack(
            [answers.loc[sums["response"], "value"].to_numpy(dtype=float) for answers in by_test]
        ),
        np.array([place[item] for item in sums["item"]]),
        kind,
        len(items),
        sums["rater"].nunique() if bundle.facts["identified"] else None,
    )
