"""The page of automatic judges: tables of its report with places on their axes, and cautions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.models import Report
from scoring.selectors.base.axes import marks, placed, tick
from scoring.selectors.judges.distribution_pages import calibration_cautions
from scoring.selectors.judges.option_pages import bias_cautions
from scoring.selectors.metrics.metric_pages import axis_of
from scoring.stats.judges.alternative_annotator import FEWEST_GROUPS, FEWEST_ITEMS, FEWEST_RATERS
from scoring.stats.judges.margin import METHODS

KIND = "judges"
LEAST_SHOWN = -0.1
GROUPED_ITEMS = "grouped_items"
SHARE = ("share", "low", "high")
WITH_INTERVAL = (("estimate", "estimate"), ("low", "low"), ("high", "high"))
AGREEMENT = (
    ("criterion", "criterion"),
    ("judge", "judge"),
    ("coefficient", "coefficient"),
    *WITH_INTERVAL,
    ("confidence", "confidence"),
    ("n_items", "items"),
    ("n_groups", "groups"),
    ("n_answers", "answers"),
    ("interval_method", "interval_method"),
    ("reason", "reason"),
)
TEST = (
    ("criterion", "criterion"),
    ("judge", "judge"),
    ("constant", "one_value_throughout"),
    ("epsilon", "epsilon"),
    *WITH_INTERVAL,
    ("n_tested", "raters_tested"),
    ("n_beaten", "raters_beaten"),
    ("n_not_tested", "raters_not_tested"),
    ("passes", "passes"),
    ("all_ratings_share", "all_ratings_share"),
    ("all_ratings_low", "all_ratings_low"),
    ("all_ratings_high", "all_ratings_high"),
    ("all_ratings_interval_reason", "all_ratings_interval_reason"),
    ("all_ratings_p", "all_ratings_p"),
    ("all_ratings_method", "all_ratings_test"),
    *((f"n_by_{way}", f"raters_by_{way}_test") for way in METHODS),
    ("n_items", "items"),
    ("reason", "reason"),
)
TABLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "agreement": AGREEMENT,
    "test": TEST,
    "means": (
        ("criterion", "criterion"),
        ("judge", "judge"),
        ("system", "system"),
        *(
            (f"{who}_{part}", f"{who}_{part}")
            for who in ("people", "judge", "combined")
            for part in ("estimate", "low", "high", "reason")
        ),
        ("n_rated", "rated_items"),
        ("n_unrated", "unrated_items"),
        ("weight", "weight"),
        ("worth", "worth"),
    ),
    "option_agreement": AGREEMENT,
    "option_test": TEST,
    "bias": (
        ("criterion", "criterion"),
        ("judge", "judge"),
        ("bias", "bias"),
        ("system", "system"),
        ("own_family", "own_family"),
        *((f"{who}_{part}", f"{who}_{part}") for who in ("judge", "people") for part in SHARE),
        *((f"difference{part}", f"difference{part}") for part in ("", "_low", "_high")),
        ("differs", "differs"),
        *((f"raters_first_{part}", f"raters_first_{part}") for part in SHARE),
        ("n_items", "items"),
        ("n_groups", "groups"),
        ("interval_method", "interval_method"),
        ("reason", "reason"),
    ),
    "both_orders": (
        ("criterion", "criterion"),
        ("judge", "judge"),
        ("n_pairs", "pairs"),
        *((f"consistent{part}", f"consistent{part}") for part in ("", "_low", "_high")),
        ("first_in_both", "first_in_both"),
        ("second_in_both", "second_in_both"),
        *((f"preference{part}", f"preference{part}") for part in ("", "_low", "_high")),
        ("differs", "differs"),
        ("reason", "reason"),
    ),
    "calibration": (
        ("criterion", "criterion"),
        ("judge", "judge"),
        ("n_items", "items"),
        ("expected_calibration_error", "expected_calibration_error"),
        ("n_bins", "bins"),
        *((f"overconfidence{part}", f"overconfidence{part}") for part in ("", "_low", "_high")),
        *((f"brier{part}", f"brier{part}") for part in ("", "_low", "_high")),
        ("least_brier", "least_brier"),
        ("reason", "reason"),
    ),
    "bins": (
        ("criterion", "criterion"),
        ("judge", "judge"),
        ("bin_low", "bin_low"),
        ("bin_high", "bin_high"),
        ("n", "items"),
        ("confidence", "confidence"),
        ("correct", "correct"),
    ),
    "soft_labels": (
        ("criterion", "criterion"),
        ("judge", "judge"),
        ("constant", "one_distribution_throughout"),
        ("score", "score"),
        *WITH_INTERVAL,
        ("n_items", "items"),
        ("n_floored", "items_floored"),
        ("interval_method", "interval_method"),
        ("reason", "reason"),
    ),
    "not_compared": (("criterion", "criterion"), ("reason", "reason")),
}
Row = dict[str, Any]


def file_rows(report: Report, what: str) -> list[Row]:
    """The rows of a table for a file.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.
    what : str
        A key of `TABLES`.
    """
    rows: list[Row] = report.tables.get(what, [])
    if what in {"agreement", "option_agreement"}:
        return [{**row, "judge": row["judge"] or "one person against the others"} for row in rows]
    if what in {"test", "option_test"}:
        return [{**row, "estimate": row["advantage"]} for row in rows]
    return rows


def agreement(report: Report) -> dict[str, Any]:
    """Agreement of one person, then of each judge, with the ratings of each criterion on a scale.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.

    Returns
    -------
    dict
        `criteria`; `low`, the lower end of the axis, whose upper end is 1; and `rows` with `judge` (None for
        one person), `n`, the number of answers, and `cells`, one a criterion. Empty where no scale is
        compared.
    """
    criteria, rows = report.tables["criteria"], report.tables["agreement"]
    if not criteria:
        return {}
    known = [value for row in rows for value in (row["low"], row["estimate"]) if value is not None]
    low = min(LEAST_SHOWN, math.floor(10 * min(known, default=0)) / 10)
    found = {(row["judge"], row["criterion"]): placed(row, "estimate", low, 1) for row in rows}
    facts = [None, *report.tables["judges"]]
    return {
        "criteria": criteria,
        "low": tick(low, low, 1),
        "zero": tick(0, low, 1),
        "rows": [
            _row(fact, [found.get((fact["name"] if fact else "", criterion)) for criterion in criteria])
            for fact in facts
        ],
    }


def _row(fact: Row | None, cells: list[Row | None]) -> Row:
    return {"judge": fact, "cells": cells, "n": sum(cell["n_answers"] for cell in cells if cell)}


def tests(report: Report) -> dict[str, Any]:
    """The alternative annotator test of each judge on each criterion.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.

    Returns
    -------
    dict
        `criteria`; `rows` with `judge` and `cells`, one a criterion; `constant`, the cells of one value
        throughout on the items of the judge that has answered most of them; `drawn`, whether a line is to be
        drawn; `not_tested`, the most raters of a criterion who cannot be tested; and `needed`, the fewest
        `raters`, and `items` and `groups` of each, for a test.
    """
    criteria = [*report.tables["criteria"], *report.tables.get("option_criteria", [])]
    rows = _tests_of_all(report)
    cells = [{**placed(row, "advantage", 0, 1), **_percents(row)} for row in rows]
    own = {(cell["judge"], cell["criterion"]): cell for cell in cells if not cell["constant"]}
    constants = [cell for cell in cells if cell["constant"]]
    names = [fact["name"] for fact in report.tables["judges"]]
    return {
        "criteria": criteria,
        "rows": [
            {"judge": name, "cells": [own.get((name, criterion)) for criterion in criteria]} for name in names
        ],
        "constant": [_most_items(constants, criterion) for criterion in criteria],
        "drawn": any(cell["estimate"] is not None for cell in cells),
        "not_tested": max((row["n_not_tested"] for row in rows), default=0),
        "needed": {"raters": FEWEST_RATERS, "items": FEWEST_ITEMS, "groups": FEWEST_GROUPS},
    }


def _tests_of_all(report: Report) -> list[Row]:
    rows: list[Row] = [*report.tables["test"], *report.tables.get("option_test", [])]
    return rows


def _percents(row: Row) -> dict[str, float | None]:
    """The share of all ratings and its limits; a report of earlier definitions has no limits."""
    columns = {"percent": "share", "percent_low": "low", "percent_high": "high"}
    shares = {name: row.get(f"all_ratings_{part}") for name, part in columns.items()}
    return {name: None if share is None else 100 * share for name, share in shares.items()}


def _most_items(constants: list[Row], criterion: str) -> Row | None:
    own = [cell for cell in constants if cell["criterion"] == criterion]
    return max(own, key=lambda cell: cell["n_items"], default=None)


def system_means(report: Report, judge: str, criterion: str, scale: tuple[float, float] | None) -> Row:
    """Means of each system by people, by one judge, and by both together.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.
    judge, criterion : str
        Names in the report.
    scale : tuple of float or None
        Ends of the scale of the criterion.

    Returns
    -------
    dict
        `rows`, that of all items last, `ticks` and `n_unrated`; empty where there are no means. Rows without
        any mean are left out.
    """
    own = [row for row in report.tables["means"] if (row["judge"], row["criterion"]) == (judge, criterion)]
    own = [row for row in own if row["people_estimate"] is not None or row["judge_estimate"] is not None]
    rows = sorted(own, key=lambda row: (row["system"] == "", -(row["people_estimate"] or 0), row["system"]))
    known = [
        {"mean": row[f"{who}_estimate"]}
        for row in rows
        for who in ("people", "judge", "combined")
        if row[f"{who}_estimate"] is not None
    ]
    if not known:
        return {}
    ends = axis_of(known, scale)
    return {
        "rows": [_means_row(row, ends) for row in rows],
        "ticks": [tick(value, *ends) for value in marks(*ends)],
        "n_unrated": max(row["n_unrated"] for row in rows),
    }


def _means_row(row: Row, ends: tuple[float, float]) -> Row:
    found = {who: _estimate(row, who, ends) for who in ("people", "judge", "combined")}
    return {**found, "system": row["system"], "n_rated": row["n_rated"], "worth": row["worth"]}


def _estimate(row: Row, who: str, ends: tuple[float, float]) -> Row:
    part = {key: row[f"{who}_{key}"] for key in ("estimate", "low", "high", "reason")}
    known = part["estimate"] is not None and part["high"] is not None
    return {**placed(part, "estimate", *ends), "half": part["high"] - part["estimate"] if known else None}


def choices(report: Report) -> list[tuple[str, str]]:
    """The judges and criteria that have means, in the order of the report."""
    return list(dict.fromkeys((row["judge"], row["criterion"]) for row in report.tables["means"]))


def cautions(report: Report) -> list[Row]:
    """What a reader must know before drawing conclusions; each follows from the report.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.

    Returns
    -------
    list of dict
        With `code`, `serious`, and the values of its sentence.
    """
    facts = report.tables["judges"]
    return [
        *_reversed(report.tables["orders"]),
        *(
            {"code": "same_family", "serious": True, "judge": fact["name"], "system": fact["same_family_as"]}
            for fact in facts
            if fact["same_family_as"]
        ),
        *_passed_by_constant(_tests_of_all(report)),
        *bias_cautions(report),
        *_ceilings(report.tables["sizes"]),
        *_grouped(report.tables["means"]),
        *calibration_cautions(report),
        *(one for fact in facts for one in _of_judge(fact)),
    ]


def _reversed(orders: list[Row]) -> Iterator[Row]:
    for judge, criterion in dict.fromkeys((row["judge"], row["criterion"]) for row in orders):
        pairs = [row for row in orders if (row["judge"], row["criterion"]) == (judge, criterion)]
        yield {
            "code": "reversed",
            "serious": True,
            "judge": judge,
            "criterion": criterion,
            "pairs": pairs,
            "significant": any(row["significant"] for row in pairs),
        }


def _passed_by_constant(tests: list[Row]) -> Iterator[Row]:
    passed = {(row["judge"], row["criterion"]) for row in tests if row["constant"] and row["passes"]}
    for criterion in dict.fromkeys(criterion for _, criterion in sorted(passed, key=str)):
        judges = [
            row["judge"]
            for row in tests
            if not row["constant"]
            and row["passes"]
            and row["criterion"] == criterion
            and (row["judge"], criterion) in passed
        ]
        yield {"code": "constant_passes", "serious": True, "criterion": criterion, "judges": judges}


def _ceilings(sizes: list[Row]) -> Iterator[Row]:
    fewest = min((row["fewest"] for row in sizes if row["most"]), default=0)
    most = max((row["most"] for row in sizes), default=0)
    if most:
        yield {
            "code": "ceilings",
            "serious": False,
            "fewest_others": fewest - 1,
            "most_others": most - 1,
            "most": most,
        }


def _grouped(means: list[Row]) -> Iterator[Row]:
    systems = {row["system"] for row in means if row["combined_reason"] == GROUPED_ITEMS}
    if systems:
        yield {"code": "grouped_items", "serious": False, "systems": sorted(systems - {""})}


def _of_judge(fact: Row) -> Iterator[Row]:
    name = fact["name"]
    if fact["settings"].get("mapping") == "quantiles":
        yield {"code": "quantiles", "serious": False, "judge": name}
    if fact["n_without"]:
        n = fact["n_answers"] + fact["n_without"]
        yield {"code": "without", "serious": False, "judge": name, "n": fact["n_without"], "total": n}
    if fact["saw_items"]:
        yield {"code": "saw_items", "serious": False, "judge": name, "note": fact["saw_items"]}
