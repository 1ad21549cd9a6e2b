"""Checks of reports on metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..arrays import Row
from ..bundle import Bundle
from ..drawing import CONFIDENCE, Drawing
from ..metrics.ceiling import compute_ceiling
from ..metrics.comparing import compare_best_metrics, compare_metrics
from ..metrics.levels import COEFFICIENTS, list_levels, make_meta_rows
from ..metrics.pairwise import compute_pairwise_accuracies
from ..metrics.ranking import count_borda, rank_within_groups
from ..metrics.rated_items import RatedItems, read_rated_items
from ..metrics.significance import adjust_holm
from ..metrics.systems import compare_systems
from .check import NUMBERS, Check
from .reliability import check_data

NUMBERS_OF_COMPARISONS = (
    "r_first",
    "r_second",
    "r_between",
    "p_adjusted",
    "p_bootstrap",
    "p_permutation",
    "williams_t",
    "williams_p",
    "williams_paper_t",
    "williams_paper_p",
)
NEW_SYSTEMS = ("new_systems_low", "new_systems_high", "new_systems_p")
OF_METRICS = {"criteria", "metrics", "systems", "borda", "comparisons", "rankings", "ceiling"}
PAIRWISE = ("criterion", "metric", "grouping")
NUMBERS_OF_PAIRS = (
    "epsilon",
    "estimate",
    "low",
    "high",
    "at_zero",
    "all_tied",
    "held_out",
    "n_items",
    "n_pairs",
    "n_blocks",
    "n_dropped",
)
META = ("criterion", "metric", "level", "coefficient")
COMPARED = ("criterion", "metric", "metric2", "level", "coefficient")


def check_metrics(bundle: Bundle, report: Row, check: Check) -> None:
    """Check a meta-evaluation report."""
    reported, tables = report["data"], report["tables"]
    drawing, directions = Drawing(reported["seed"], reported["replicates"]), reported["directions"]
    items, table, data = read_rated_items(bundle, reported["without"])
    check_data(check, reported, data)
    rows: dict[str, list[Row]] = {"criteria": [], "metrics": []}
    for level in list_levels(items):
        for coefficient in COEFFICIENTS:
            rows["criteria"] += make_meta_rows(items.among("criteria"), level, coefficient, drawing)
            rows["metrics"] += make_meta_rows(items, level, coefficient, drawing) if items.metrics else []
    names = (*NUMBERS, *NEW_SYSTEMS, "n_systems", "n_dropped")
    stored = split_rows(report)
    for part, again in rows.items():
        check.rows(stored[part], again, (META, names), lambda row: row["coefficient"] in COEFFICIENTS)
    for name in tables.keys() - OF_METRICS:
        check.count_skipped(name, tables[name])
    check_rankings(items, rows["metrics"], tables, (directions, drawing), check)
    check_systems(items, tables.get("systems") or {}, drawing, check)
    if "folds" in reported:
        again = compute_pairwise_accuracies(items, directions, drawing, reported["folds"])
        check.rows(report["pairwise"], again, (PAIRWISE, NUMBERS_OF_PAIRS))
    check.same("ceiling", sorted(one["criterion"] for one in tables["ceiling"]), sorted(table.criteria))
    sure = {"confidence": CONFIDENCE}
    for stored in tables["ceiling"]:
        top = compute_ceiling(table.criteria[stored["criterion"]], drawing)
        for part in ("split_half", "leave_one_out", "upper_bound"):
            check.row(f"ceiling {stored['criterion']} {part}", stored[part], top[part] | sure, NUMBERS)


def split_rows(report: Row) -> dict[str, list[Row]]:
    """Separate the correlations of criteria with one another, which come first, from those of metrics.

    A metric may have the name of a criterion: the second row of such a name is the metric's.
    """
    seen: set[tuple[str, ...]] = set()
    rows: dict[str, list[Row]] = {"criteria": [], "metrics": []}
    for row in report["results"]:
        key = tuple(row[name] for name in META)
        of_criteria = row["metric"] in report["tables"]["criteria"] and key not in seen
        rows["criteria" if of_criteria else "metrics"].append(row)
        seen.add(key)
    return rows


def check_rankings(
    items: RatedItems, rows: Sequence[Row], tables: Row, how: tuple[Mapping[str, str], Drawing], check: Check
) -> None:
    """Check Borda counts, rankings within groups and the comparison of the best metrics."""
    directions, drawing = how
    counts = count_borda(items, rows, directions)
    check.same("Borda levels", sorted(tables["borda"]), sorted(counts))
    for level, stored in tables["borda"].items():
        check.same(f"Borda {level} metrics", sorted(stored), sorted(counts[level]))
        for metric, count in stored.items():
            check.near(f"Borda {level} {metric}", count, counts[level][metric])
    again = {
        (row["metric"], row["criterion"], row["ties"]): row
        for row in rank_within_groups(items, rows, directions)
    }
    check.same("rankings", len(tables["rankings"]), len(again))
    for row in tables["rankings"]:
        found = again[row["metric"], row["criterion"], row["ties"]]
        check.same(
            "groups ranked", (row["n_groups"], row["n_dropped"]), (found["n_groups"], found["n_dropped"])
        )
        for position, value in enumerate(row["values"]):
            check.near(
                f"ranking {row['metric']} {row['criterion']} {position}", value, found["values"][position]
            )
    names = (*NUMBERS, *NUMBERS_OF_COMPARISONS, "n_systems", "n_dropped")
    check.rows(
        tables["comparisons"], compare_best_metrics(items, rows, directions, drawing), (COMPARED, names)
    )


def check_systems(items: RatedItems, stored: Row, drawing: Drawing, check: Check) -> None:
    """Check means and differences of systems."""
    # More replicates than the report's where the pairs of systems are many.
    found = compare_systems(items, Drawing(drawing.seed, stored.get("replicates", drawing.replicates)))
    for part, key in (("means", ("system", "criterion")), ("differences", ("criterion", "first", "second"))):
        names = ("mean", "half_width", "n", "difference", "low", "high", "p", "p_adjusted")
        check.rows(stored.get(part, []), found.get(part, []), (key, names))


def check_comparison(bundle: Bundle, report: Row, check: Check) -> None:
    """Check two metrics compared on each criterion."""
    reported = report["data"]
    items, _, data = read_rated_items(bundle, [])
    check_data(check, reported, data)
    how, drawing = (
        (reported["level"], reported["coefficient"]),
        Drawing(reported["seed"], reported["replicates"]),
    )
    metrics = (reported["metrics"][0], reported["metrics"][1])
    rows = [
        compare_metrics(items, name, metrics, how, reported["directions"], drawing) for name in items.criteria
    ]
    adjusted = adjust_holm([row["p"] for row in rows])
    again = [{**row, "p_adjusted": p} for row, p in zip(rows, adjusted, strict=True)]
    names = (*NUMBERS, *NUMBERS_OF_COMPARISONS, "n_systems", "n_dropped")
    check.rows(report["results"], again, (COMPARED, names))
