"""Pay per hour is that of the median sitting, and a top-up brings everybody exactly to the floor."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.pay.wages import (
    BonusRow,
    Sitting,
    bonus_rows,
    implied_pay,
    per_hour,
)

MONEY = st.decimals(0, 100, places=2)
SITTINGS = st.lists(
    st.builds(
        Sitting,
        rater=st.sampled_from(["R-001", "R-002", "R-003", "R-004"]),
        seconds=st.floats(0, 7200),
        pages=st.integers(1, 50),
        paid=MONEY,
    ),
    max_size=12,
)


@given(SITTINGS, MONEY)
def test_with_the_top_up_no_rater_is_under_the_floor_and_no_rater_gets_a_cent_too_much(sittings, floor):
    rows = {row.rater: row.amount for row in bonus_rows(sittings, floor=floor)}
    for rater in {one.rater for one in sittings}:
        seconds = sum((Decimal(str(one.seconds)) for one in sittings if one.rater == rater), Decimal(0))
        paid = sum((one.paid for one in sittings if one.rater == rater), Decimal(0))
        missing = floor * seconds / 3600 - paid
        amount = rows.get(rater, Decimal(0))
        assert amount >= missing - Decimal("1e-9")
        assert amount < max(missing, Decimal(0)) + Decimal("0.01") + Decimal("1e-9")


@given(SITTINGS, MONEY)
def test_who_is_under_the_floor_is_who_gets_a_top_up(sittings, floor):
    timed = [one for one in sittings if one.seconds >= 1]
    rows = bonus_rows(timed, floor=floor)
    assert implied_pay(timed, floor).raters_under_floor == tuple(row.rater for row in rows)


def test_the_median_sitting_decides():
    sittings = [
        Sitting("R-001", 600, 20, Decimal("2.00")),
        Sitting("R-002", 1200, 20, Decimal("2.00")),
        Sitting("R-003", 7200, 20, Decimal("2.00")),
    ]
    made = implied_pay(sittings, Decimal(8))
    assert (made.sittings, made.median_seconds, made.seconds_per_page) == (3, 1200, 150)
    assert made.per_hour == per_hour(Decimal("2.00"), 1200) == Decimal("6.00")
    assert made.under_floor is True
    assert made.raters_under_floor == ("R-002", "R-003")
    assert implied_pay(sittings, Decimal(6)).under_floor is False
    assert implied_pay(sittings).under_floor is None


def test_without_time_there_is_no_pay_per_hour():
    assert implied_pay([]).reason == "nobody_yet"
    assert implied_pay([Sitting("R-001", 0, 1, Decimal(1))]).reason == "no_time"
    assert per_hour(Decimal(1), 0.5) is None


def test_a_bonus_may_be_paid_in_addition_to_the_top_up():
    sittings = [Sitting("R-001", 3600, 20, Decimal("7.50")), Sitting("R-002", 3600, 20, Decimal(9))]
    rows = bonus_rows(
        sittings,
        floor=Decimal(8),
        bonuses={"R-001": Decimal(1), "R-002": Decimal("0.25"), "R-003": Decimal(0)},
    )
    assert rows == (
        BonusRow("R-001", Decimal("1.50"), "top_up+bonus"),
        BonusRow("R-002", Decimal("0.25"), "bonus"),
    )
    assert bonus_rows(sittings) == ()
