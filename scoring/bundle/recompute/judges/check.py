"""Checks of what a bundle says of automatic judges."""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays import Row
from ..bundle import Bundle, read_json
from ..checking.check import Check
from ..checking.reliability import check_data
from ..choices.questions import read_choice_answers, select_counted_choices
from ..drawing import Drawing
from .judged import read_judged, read_judgements
from .means import WAYS
from .tables import make_tables

# Key, numbers, and other values of the rows of each table.
TABLES: dict[str, tuple[Sequence[str], Sequence[str], Sequence[str]]] = {
    "agreement": (
        ("criterion", "judge"),
        ("estimate", "low", "high", "confidence", "n_items", "n_groups", "n_answers"),
        (),
    ),
    "test": (
        ("criterion", "judge", "constant"),
        (
            *("epsilon", "advantage", "low", "high", "winning_rate", "all_ratings_share", "all_ratings_p"),
            *("n_tested", "n_beaten", "n_not_tested", "n_items", "n_off_scale"),
        ),
        ("passes", "reason"),
    ),
    "means": (
        ("criterion", "judge", "system"),
        (
            *("n_rated", "n_unrated", "weight", "worth"),
            *(f"{way}_{part}" for way in WAYS for part in ("estimate", "low", "high")),
        ),
        tuple(f"{way}_reason" for way in WAYS),
    ),
    "orders": (
        ("criterion", "judge", "above", "below"),
        ("judge_difference", "adjusted_p", "people_difference", "people_p"),
        ("significant",),
    ),
    "sizes": (("criterion",), ("fewest", "most"), ("grouped",)),
}
COUNTS = ("n_answers", "n_without", "n_items", "n_samples")


def check_answers(bundle: Bundle, check: Check) -> None:
    """Check the numbers of answers in `judges.json`."""
    judges, answers = read_json(bundle.folder / "judges.json"), read_judgements(bundle)
    known = [one["name"] for one in judges]
    check.same("judges without an entry", [], sorted(set(answers["judge"]) - set(known)))
    for judge in judges:
        own = answers[answers["judge"] == judge["name"]]
        given = own["reason"] == ""
        samples = [int(number) for number in own["sample"]]
        again = int(given.sum()), int((~given).sum()), own["item"].nunique(), max(samples, default=0)
        for name, number in zip(COUNTS, again, strict=True):
            check.same(f"{judge['name']} {name}", judge[name], number)


def check_judges(bundle: Bundle, report: Row, check: Check) -> None:
    """Check a report on judges: agreement, replacement, means of systems and reversed orders."""
    said, tables = report["data"], report["tables"]
    judged, data = read_judged(bundle)
    if not data["n_ratings"]:
        _, data = select_counted_choices(bundle, read_choice_answers(bundle), pooled=False)
    check_data(check, said, data)
    check.same("criteria", tables["criteria"], [one.name for one in judged])
    drawing = Drawing(said["seed"], said["replicates"])
    again: dict[str, list[Row]] = {name: [] for name in TABLES}
    for one in judged:
        for name, rows in make_tables(one, said["epsilon"], drawing).items():
            again[name] += [{**row, "criterion": one.name} for row in rows]
    for name in TABLES:
        check_table(name, tables[name], again[name], check)
    for name in tables.keys() - TABLES.keys() - {"criteria"}:
        check.leave(name, tables[name])


def check_table(name: str, stored: Sequence[Row], again: Sequence[Row], check: Check) -> None:
    """Check the rows of a table, and that none is missing."""
    key, numbers, others = TABLES[name]
    columns = (*key, *numbers, *others)
    told = [{"table": name, **{column: row[column] for column in columns}} for row in stored]
    found = [{"table": name, **{column: row[column] for column in columns}} for row in again]
    check.rows(told, found, (("table", *key), numbers))
    by_key = {tuple(row[column] for column in key): row for row in found}
    for row in told:
        place = tuple(row[column] for column in key)
        for column in others if place in by_key else ():
            check.same(f"{name} {' '.join(map(str, place))} {column}", row[column], by_key[place][column])
