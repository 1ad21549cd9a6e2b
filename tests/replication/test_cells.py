"""How a computed figure compares with a printed one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.replication.cells import status_of

printed_figures = st.decimals(-100, 100, places=3, allow_nan=False)


@given(printed_figures, st.integers(-499, 499))
def test_it_reproduces_whatever_rounds_to_the_printed_figure(printed: Decimal, millionths: int):
    assert status_of(str(printed), float(printed + Decimal(millionths) / 1_000_000)) == "reproduces"


@given(printed_figures, st.integers(501, 999), st.sampled_from([-1, 1]))
def test_less_than_a_unit_of_the_last_digit_away_is_the_last_digit(
    printed: Decimal, millionths: int, sign: int
):
    assert status_of(str(printed), float(printed + sign * Decimal(millionths) / 1_000_000)) == "last-digit"


@given(printed_figures, st.integers(1_001, 10_000), st.sampled_from([-1, 1]))
def test_more_than_a_unit_of_the_last_digit_away_differs(printed: Decimal, millionths: int, sign: int):
    assert status_of(str(printed), float(printed + sign * Decimal(millionths) / 1_000_000)) == "differs"


@pytest.mark.parametrize("printed", ["0.812", "0.813"])
def test_a_tie_reproduces_rounded_up_or_to_even(printed):
    assert status_of(printed, 0.8125) == "reproduces"


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_what_cannot_be_computed_has_the_status_not_computable(missing):
    assert status_of("0.812", missing) == "not-computable"


def test_a_figure_the_paper_does_not_print_is_compared_with_nothing():
    assert status_of(None, 0.5) == "no-paper-figure"


def test_names_are_compared_as_they_are():
    assert (status_of("chrF", "chrF"), status_of("chrF", "BLEU")) == ("reproduces", "differs")


@pytest.mark.parametrize(("computed", "status"), [(150, "reproduces"), (151, "differs"), (149, "differs")])
def test_a_count_is_never_right_within_rounding(computed, status):
    assert status_of("150", computed) == status
