"""The last line of `recompute` says how far off the numbers were, and how far off they could have been."""

from __future__ import annotations

import pytest

from scoring.bundle.recompute.checking.check import Check
from scoring.bundle.recompute.command import describe_agreement


def check_of(name: str, *pairs: tuple[float, float, float | None]) -> Check:
    check = Check(name)
    for stored, again, allowed in pairs:
        check.near("number", stored, again, allowed)
    return check


def test_numbers_that_are_equal_are_the_same() -> None:
    checks = [check_of("a", (1.0, 1.0, None)), check_of("b")]
    assert describe_agreement(checks, left=0) == "Every number is the same."
    assert describe_agreement(checks, left=3) == "Every number that was recomputed is the same."


@pytest.mark.parametrize(("stored", "told"), [(0.5, "4.0e-04"), (10.0, "4.0e-05")])
def test_the_largest_difference_is_named_with_what_is_allowed_there(stored: float, told: str) -> None:
    table = check_of("tables/reliability.tex", (stored, stored + 4e-4, 5e-4))
    said = describe_agreement([check_of("reports/reliability.json", (1.0, 1 + 5e-10, None)), table], left=0)
    assert said.startswith("Every number is the same within its tolerance. ")
    assert f"largest difference is {told} of the number" in said
    assert f"in tables/reliability.tex; {5e-4 / max(1, stored):.1e} is allowed there." in said
