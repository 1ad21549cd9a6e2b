"""Checks of the tables of ratings on scales."""

from __future__ import annotations

import pandas as pd

from ..arrays import Row
from ..bundle import Bundle
from ..coefficients.descriptive import compute_crossed_means, count_design_parts, count_values
from ..coefficients.differences import compute_difference
from ..coefficients.pairs import compare_rater_pairs
from ..drawing import Drawing
from ..ratings import MOST_RATERS, Table, make_ratings_table
from ..registry import compute_headline
from .check import FIGURE, NUMBERS, Check

# Means of a crossed table are stored with six decimals.
ROUNDED = 1e-6
NUMBERS_OF_PAIRS = (
    "shared",
    "kappa",
    "kappa_unweighted",
    "pearson",
    "spearman",
    "exact",
    "within_one",
    "difference",
)
OF_SCALES = {"versions", "pairs", "components", "distributions", "crossed", "sets"}


def check_versions(bundle: Bundle, counted: pd.DataFrame, report: Row, check: Check) -> None:
    """Check the headline figures of each form version, if several are pooled."""
    reported, stored = report["data"], report["tables"].get("versions", {})
    drawing = Drawing(reported["seed"], reported["replicates"])
    rated = counted[counted["value"].notna()]
    several = rated.groupby("form")["place"].transform("nunique") > 1
    numbers_of_versions = sorted(set(rated.loc[several, "version_label"]))
    check.same("versions", sorted(stored), numbers_of_versions)
    for number in numbers_of_versions:
        table = select_version(bundle, counted, number)
        check.same(f"fingerprint {number}", reported["versions"][number], table.fingerprint)
        again = compute_headline(table, drawing, bundle.coefficients)
        check.rows(stored[number], again, (FIGURE, NUMBERS))


def check_differences(
    bundle: Bundle, counted: pd.DataFrame, tables: tuple[Table, Table | None], report: Row, check: Check
) -> None:
    """Check what exclusions and new versions changed in the reliability."""
    reported, (after, before) = report["data"], tables
    drawing = Drawing(reported["seed"], reported["replicates"])
    sides: dict[tuple[str, str], Table] = {("exclusions", "after"): after}
    if before is not None:
        sides["exclusions", "before"] = before
    for number in report["tables"].get("versions", {}):
        sides["versions", number] = select_version(bundle, counted, number)
    for row in report["differences"]:
        first, second = (
            sides[row["of"], row[name]].criteria[row["criterion"]] for name in ("first_name", "second_name")
        )
        name = "-".join(part for part in (row["coefficient"], row["variant"]) if part)
        again = compute_difference(first, second, name, drawing)
        check.row(f"difference {row['of']} {row['criterion']} {name}", row, again, tuple(again))
    compared = {(row["of"], row["first_name"], row["criterion"]) for row in report["differences"]}
    check.same("differences", len(compared) * len(reported["differences"]), len(report["differences"]))


def select_version(bundle: Bundle, counted: pd.DataFrame, number: str) -> Table:
    """Select the ratings of one version of the forms that have several."""
    rated = counted[counted["value"].notna()]
    several = rated.groupby("form")["place"].transform("nunique") > 1
    return make_ratings_table(bundle, rated[several & (rated["version_label"] == number)])


def check_scale_tables(table: Table, tables: Row, check: Check) -> None:
    """Check pairs of raters, parts of the design and distributions."""
    rated = {name: ratings for name, ratings in table.criteria.items() if len(ratings.value)}
    known = [name for name, ratings in rated.items() if ratings.identified]
    few = {name for name, ratings in rated.items() if len(ratings.raters) <= MOST_RATERS}
    check.same("pairs", sorted(tables.get("pairs", {})), sorted(few & {*known}))
    check.same("components", sorted(tables.get("components", {})), sorted(known))
    check.same("distributions", sorted(tables.get("distributions", {})), sorted(rated))
    for name, stored in tables.get("pairs", {}).items():
        found = compare_rater_pairs(table.criteria[name])
        check.same(f"{name} pairs of raters", len(stored["cells"]), len(found))
        for cell in stored["cells"]:
            pair = stored["raters"][cell["first"]], stored["raters"][cell["second"]]
            for key in NUMBERS_OF_PAIRS:
                check.near(f"{name} {pair} {key}", cell[key], found[pair][key])
    for name, number in tables.get("components", {}).items():
        check.same(f"{name} parts of the design", number, count_design_parts(table.criteria[name]))
    for name, stored in tables.get("distributions", {}).items():
        again = count_values(table.criteria[name])
        check.same(f"{name} values", stored["values"], again["values"])
        check.same(f"{name} counts", stored["counts"], again["counts"])
        labels = sorted(again["raters"]) if name in few else []
        check.same(f"{name} raters", sorted(rater["rater"] for rater in stored["raters"]), labels)
        for rater in stored["raters"]:
            check.same(
                f"{name} {rater['rater']} counts", rater["counts"], again["raters"][rater["rater"]][:-1]
            )
            check.near(f"{name} {rater['rater']} mean", rater["mean"], again["raters"][rater["rater"]][-1])


def check_crossed(bundle: Bundle, counted: pd.DataFrame, stored: Row, check: Check) -> None:
    """Check the means of a crossed design, which are stored with six decimals."""
    found = compute_crossed_means(bundle, counted, stored["factors"]) if stored else {}
    check.same("crossed criteria", sorted(stored.get("criteria", {})), sorted(found))
    for name, table in stored.get("criteria", {}).items():
        for row, cells in zip(table["rows"], table["means"], strict=True):
            for column, mean in zip(table["columns"], cells, strict=True):
                allowed = ROUNDED * max(1.0, abs(mean or 0.0))
                check.near(f"{name} {row} × {column}", mean, float(found[name].loc[row, column]), allowed)
