"""Pay of raters per hour of active time, compared with a minimum hourly rate, and top-ups to it."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum

CENT = Decimal("0.01")
# Pay per hour is not computed from a shorter time.
SHORTEST_SECONDS = 1.0

NO_SESSIONS_YET = "nobody_yet"
NO_TIME = "no_time"


class PayFor(StrEnum):
    """What is paid for: each page, each session, or the whole study."""

    PAGE = "page"
    SITTING = "sitting"
    RATER = "rater"


class BonusLayout(StrEnum):
    """The format of the bonus list: a table, or the format of a platform."""

    TABLE = "table"
    PROLIFIC = "prolific"
    MTURK = "mturk"


@dataclass(frozen=True)
class Sitting:
    """A session of one rater: active seconds with the page visible, pages, and the pay for it."""

    rater: str
    seconds: float
    pages: int
    paid: Decimal = Decimal(0)


@dataclass(frozen=True)
class Paid:
    """Pay and time so far. `per_hour` is None if `reason` gives the cause.

    It is the pay per hour of the median session; `under_floor` is None without a minimum hourly rate.
    """

    sittings: int
    median_seconds: float | None
    seconds_per_page: float | None
    per_hour: Decimal | None
    floor: Decimal | None
    under_floor: bool | None
    raters_under_floor: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class BonusRow:
    """An amount for one rater and what it is for: `top_up`, `bonus` or both, as `top_up+bonus`."""

    rater: str
    amount: Decimal
    reason: str


def money(amount: Decimal) -> str:
    """Write an amount with two decimals, or as many as it has."""
    return f"{amount:.4f}".removesuffix("0").removesuffix("0")


def per_hour(paid: Decimal, seconds: float) -> Decimal | None:
    """Pay by the hour, rounded down to the cent; None for less than a second of active time."""
    if seconds < SHORTEST_SECONDS:
        return None
    return (paid * 3600 / Decimal(str(seconds))).quantize(CENT, rounding="ROUND_FLOOR")


def with_pay(sittings: Sequence[Sitting], *, amount: Decimal, paid_for: PayFor) -> tuple[Sitting, ...]:
    """Sessions with the amount paid for each; for pay per rater, the sessions of a rater become one."""
    if paid_for is PayFor.PAGE:
        return tuple(Sitting(one.rater, one.seconds, one.pages, amount * one.pages) for one in sittings)
    parts = _by_rater(sittings) if paid_for is PayFor.RATER else sittings
    return tuple(Sitting(one.rater, one.seconds, one.pages, amount) for one in parts)


def implied_pay(sittings: Sequence[Sitting], floor: Decimal | None = None) -> Paid:
    """Pay per hour of the median finished session, compared with the minimum hourly rate."""
    timed = [one for one in sittings if one.seconds >= SHORTEST_SECONDS]
    if not timed:
        reason = NO_TIME if sittings else NO_SESSIONS_YET
        return Paid(len(sittings), None, None, None, floor, None, (), reason)
    pages = sum(one.pages for one in timed)
    typical = statistics.median(_rate(one) for one in timed)
    return Paid(
        sittings=len(timed),
        median_seconds=statistics.median(one.seconds for one in timed),
        seconds_per_page=sum(one.seconds for one in timed) / pages if pages else None,
        per_hour=typical.quantize(CENT, rounding="ROUND_FLOOR"),
        floor=floor,
        under_floor=None if floor is None else typical < floor,
        raters_under_floor=() if floor is None else _raters_under_floor(timed, floor),
    )


def bonus_rows(
    sittings: Sequence[Sitting],
    *,
    floor: Decimal | None = None,
    bonuses: Mapping[str, Decimal] | None = None,
) -> tuple[BonusRow, ...]:
    """The bonus list: the top-up of each rater to the minimum hourly rate, and granted bonuses.

    By rater code; a rater's sessions are added up, and amounts are rounded up to the cent, none of 0.
    """
    bonuses = bonuses or {}
    top_ups = {} if floor is None else {one.rater: _missing(one, floor) for one in _by_rater(sittings)}
    rows = []
    for rater in sorted({*top_ups, *bonuses}):
        parts = {"top_up": top_ups.get(rater, Decimal(0)), "bonus": bonuses.get(rater, Decimal(0))}
        granted = {reason: amount for reason, amount in parts.items() if amount > 0}
        if granted:
            amount = sum(granted.values(), Decimal(0)).quantize(CENT, rounding=ROUND_CEILING)
            rows.append(BonusRow(rater, amount, "+".join(granted)))
    return tuple(rows)


def _rate(sitting: Sitting) -> Decimal:
    return sitting.paid * 3600 / Decimal(str(sitting.seconds))


def _raters_under_floor(sittings: Sequence[Sitting], floor: Decimal) -> tuple[str, ...]:
    return tuple(sorted(one.rater for one in _by_rater(sittings) if _missing(one, floor) > 0))


def _missing(sitting: Sitting, floor: Decimal) -> Decimal:
    return floor * Decimal(str(sitting.seconds)) / 3600 - sitting.paid


def _by_rater(sittings: Sequence[Sitting]) -> list[Sitting]:
    together: dict[str, Sitting] = {}
    for one in sittings:
        so_far = together.get(one.rater, Sitting(one.rater, 0.0, 0))
        together[one.rater] = Sitting(
            one.rater, so_far.seconds + one.seconds, so_far.pages + one.pages, so_far.paid + one.paid
        )
    return list(together.values())
