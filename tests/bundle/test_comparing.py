"""What the programme of a bundle takes for the same number, and what for another."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from scoring.bundle.recompute.checking.check import NUMBERS, Check
from scoring.bundle.recompute.checking.latex import check_latex
from scoring.bundle.recompute.checking.sums import check_sums
from scoring.bundle.recompute.command import describe_agreement

KEY = (("criterion",), NUMBERS)
ROW = {
    "criterion": "quality",
    "estimate": 0.5,
    "low": 0.4,
    "high": 0.6,
    "p": 1e-20,
    "n_items": 12,
    "reason": "",
    "interval_method": "percentile bootstrap",
}


def wrong(**changed: Any) -> list[str]:
    """What is found in a stored row that differs in a cell; None takes the cell away."""
    stored = {name: value for name, value in {**ROW, **changed}.items() if value is not ...}
    check = Check("row")
    check.rows([stored], [ROW], KEY)
    return check.wrong


def test_a_row_as_it_was_stored_is_the_same():
    assert wrong() == []


@pytest.mark.parametrize(
    "changed",
    [
        {"estimate": ...},
        {"estimate": None},
        {"estimate": math.nan},
        {"estimate": 0.5 + 1e-8},
        {"n_items": 13},
        {"p": 2e-20},
        {"p": 0.0},
        {"reason": "constant_ratings"},
        {"interval_method": "none:too_few_items"},
        {"n_raters": 3},
    ],
    ids=str,
)
def test_a_number_that_is_another_or_gone_or_given_a_reason_is_found(changed):
    assert wrong(**changed)


def test_a_row_that_is_gone_one_that_is_added_and_one_that_is_there_twice_are_found():
    for stored in ([], [ROW, ROW], [ROW, {**ROW, "criterion": "other"}]):
        check = Check("rows")
        check.rows(stored, [ROW], KEY)
        assert len(check.wrong) == 1, stored


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (r"a\_b & 3.493 & 120 \\", []),
        (r"a\_b & 3.494 & 120 \\", ["mean"]),
        (r"a\_b & 3.492 & 121 \\", ["mean", "n"]),
        (r"c & 3.493 & 120 \\", ["label"]),
    ],
)
def test_a_table_is_held_to_its_labels_and_to_half_of_the_last_digit(tmp_path, line, found):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/systems.tex").write_text(f"\\midrule\n{line}\n\\bottomrule\n")
    table = {
        "file": "systems.tex", "report": "metrics", "rows": "systems", "labels": ["system"],
        "numbers": ["mean", "n"], "figures": [], "only": {},
    }  # fmt: skip
    report = {"results": [], "tables": {"systems": {"means": [{"system": "a_b", "mean": 3.49312, "n": 120}]}}}
    check = Check("table")

    check_latex(tmp_path, {"metrics": report}, json.loads(json.dumps(table)), check)

    assert [one.partition("… ")[2].partition(":")[0] for one in check.wrong] == found


def test_a_file_that_is_not_listed_and_one_that_is_missing_are_found(tmp_path: Path):
    (tmp_path / "SHA256SUMS").write_text("0  gone.csv\n")
    (tmp_path / "added.csv").write_text("1")

    found = check_sums(tmp_path).wrong

    assert len(found) == 2
    assert "gone.csv" in found[0]
    assert "added.csv" in found[1]


def check_of(name: str, *pairs: tuple[float, float, float | None]) -> Check:
    check = Check(name)
    for stored, again, allowed in pairs:
        check.near("number", stored, again, allowed)
    return check


def test_numbers_that_are_equal_are_the_same() -> None:
    checks = [check_of("a", (1.0, 1.0, None)), check_of("b")]
    assert describe_agreement(checks, left=0) == "Every number is the same."
    assert describe_agreement(checks, left=3) == "Every number that was recomputed is the same."


@pytest.mark.parametrize(("stored", "largest"), [(0.5, "4.0e-04"), (10.0, "4.0e-05")])
def test_the_largest_difference_is_named_with_what_is_allowed_there(stored: float, largest: str) -> None:
    table = check_of("tables/reliability.tex", (stored, stored + 4e-4, 5e-4))
    message = describe_agreement(
        [check_of("reports/reliability.json", (1.0, 1 + 5e-10, None)), table], left=0
    )
    assert message.startswith("Every number is the same within its tolerance. ")
    assert f"largest difference is {largest} of the number" in message
    assert f"in tables/reliability.tex; {5e-4 / max(1, stored):.1e} is allowed there." in message
