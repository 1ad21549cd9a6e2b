"""Checks of what a bundle says of automatic judges."""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays import Row
from ..bundle import Bundle, read_json
from ..checking.check import Check
from ..checking.reliability import check_data
from ..choices.questions import Choices, read_choice_answers, select_counted_choices
from ..drawing import Drawing
from .distributions import list_distribution_tables
from .judged import JudgedCriterion, read_judged, read_judgements
from .means import WAYS
from .option_tables import list_distributions, make_option_tables
from .options import list_judged_options
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
            *("all_ratings_low", "all_ratings_high"),
            *("n_tested", "n_beaten", "n_not_tested", "n_items", "n_off_scale"),
            *("n_by_t", "n_by_score", "n_by_binomial"),
        ),
        ("passes", "reason", "all_ratings_method"),
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
OPTION_TABLES: dict[str, tuple[Sequence[str], Sequence[str], Sequence[str]]] = {
    "option_agreement": (
        ("criterion", "judge", "coefficient"),
        ("estimate", "low", "high", "confidence", "n_items", "n_groups", "n_answers"),
        ("reason",),
    ),
    "option_test": TABLES["test"],
    "bias": (
        ("criterion", "judge", "bias", "system"),
        (
            *("n_items", "n_groups", "difference", "difference_low", "difference_high"),
            *(
                f"{who}_{part}"
                for who in ("judge", "people", "raters_first")
                for part in ("share", "low", "high")
            ),
        ),
        ("own_family", "differs", "reason"),
    ),
    "both_orders": (
        ("criterion", "judge"),
        (
            *("n_pairs", "consistent", "consistent_low", "consistent_high", "first_in_both"),
            *("second_in_both", "preference", "preference_low", "preference_high"),
        ),
        ("differs", "reason"),
    ),
    "calibration": (
        ("criterion", "judge"),
        (
            *("n_items", "n_bins", "expected_calibration_error", "least_brier"),
            *("overconfidence", "overconfidence_low", "overconfidence_high"),
            *("brier", "brier_low", "brier_high"),
        ),
        ("differs", "reason"),
    ),
    "bins": (("criterion", "judge", "bin_low"), ("bin_high", "n", "confidence", "correct"), ()),
    "soft_labels": (
        ("criterion", "judge", "constant", "score"),
        ("estimate", "low", "high", "n_items", "n_floored"),
        ("reason",),
    ),
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
    """Check a report on judges: agreement, replacement, means of systems, biases and distributions."""
    reported, tables = report["data"], report["tables"]
    judged, data = read_judged(bundle)
    choices, of_choices = select_counted_choices(bundle, read_choice_answers(bundle), pooled=False)
    check_data(check, reported, data if data["n_ratings"] else of_choices)
    check.same("criteria", tables["criteria"], [one.name for one in judged])
    drawing = Drawing(reported["seed"], reported["replicates"])
    again: dict[str, list[Row]] = {name: [] for name in TABLES}
    for one in judged:
        for name, rows in make_tables(one, reported["epsilon"], drawing).items():
            again[name] += [{**row, "criterion": one.name} for row in rows]
    for name, columns in TABLES.items():
        check_table(name, columns, tables[name], again[name], check)
    # Reports of earlier definitions have no tables of options.
    if "option_criteria" in tables:
        check_options(bundle, judged, choices, report, check)
    for name in tables.keys() - TABLES.keys() - OPTION_TABLES.keys() - {"criteria", "option_criteria"}:
        check.count_skipped(name, tables[name])


def check_options(
    bundle: Bundle, judged: Sequence[JudgedCriterion], choices: Choices | None, report: Row, check: Check
) -> None:
    """Check the tables about options, and those about distributions of options and points."""
    reported, tables = report["data"], report["tables"]
    drawing = Drawing(reported["seed"], reported["replicates"])
    families = {one["name"]: one["same_family_as"] for one in read_json(bundle.folder / "judges.json")}
    judgements = read_judgements(bundle)
    options = list(list_judged_options(bundle, choices, judgements))
    check.same("option criteria", tables["option_criteria"], [option.name for option in options])
    again: dict[str, list[Row]] = {name: [] for name in OPTION_TABLES}
    made = [
        *(
            (option.name, make_option_tables(option, families, reported["epsilon"], drawing))
            for option in options
        ),
        *(
            (one.ratings.name, list_distribution_tables(one))
            for one in list_distributions(bundle, judged, options, judgements)
        ),
    ]
    for criterion, found in made:
        for name, rows in found.items():
            again[name] += [{**row, "criterion": criterion} for row in rows]
    for name, columns in OPTION_TABLES.items():
        check_table(name, columns, tables[name], again[name], check)


def check_table(
    name: str,
    how: tuple[Sequence[str], Sequence[str], Sequence[str]],
    stored: Sequence[Row],
    again: Sequence[Row],
    check: Check,
) -> None:
    """Check the rows of a table, and that none is missing; `how` is key, numbers and other values."""
    key, numbers, others = how
    columns = (*key, *numbers, *others)
    stored_rows = [{"table": name, **{column: row[column] for column in columns}} for row in stored]
    found = [{"table": name, **{column: row[column] for column in columns}} for row in again]
    check.rows(stored_rows, found, (("table", *key), numbers))
    by_key = {tuple(row[column] for column in key): row for row in found}
    for row in stored_rows:
        place = tuple(row[column] for column in key)
        for column in others if place in by_key else ():
            check.same(f"{name} {' '.join(map(str, place))} {column}", row[column], by_key[place][column])
