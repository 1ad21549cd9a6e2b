"""Comparison of a flag with its value when a member reviewed it and did not exclude the rater."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.quality.careless_responding import Indicator, Profile

SHARES = frozenset({"too_fast", "under_minimum", "flat_pages", "checks"})
LENGTHS = frozenset({"long_string", "pasted", "tab_away"})
GROWTH = 0.5
FEWEST_MORE = 5
FEWEST_CHECKS_MORE = 2
LEAST_SHARE = 0.1
LEAST_CORRELATION = 0.2
DIGITS = 4
ROUNDING = 0.0001


@dataclass(frozen=True)
class SeenFigure:
    """The value of a flagged indicator at the time of a decision, and the number of responses behind it."""

    value: float
    n: int


def figures_seen(made: Profile, keys: frozenset[str]) -> Mapping[str, SeenFigure]:
    """Values of the flagged indicators of a profile that have these keys.

    Parameters
    ----------
    made : Profile
        The profile at the time of the decision.
    keys : frozenset of str
        Keys of the flags that were seen.

    Returns
    -------
    mapping
        By key. `n` counts the responses, or the checks, from which the value comes.
    """
    return {
        one.key: SeenFigure(round(one.value, DIGITS), _number_behind(one, made.n_pages))
        for one in made.indicators
        if one.flagged and one.key in keys and one.value is not None
    }


def is_clearly_worse(seen: SeenFigure, now: Indicator, n_pages: int) -> bool:
    """Whether a flagged indicator is clearly worse than when a member decided to keep the rater.

    Parameters
    ----------
    seen : SeenFigure
        The value at the time of the decision.
    now : Indicator
        The same indicator now, flagged.
    n_pages : int
        Number of pages that the rater has answered now.

    Returns
    -------
    bool
        Of a share (pages too fast, failed checks): whether it concerns at least 5 more pages, or 2 more
        checks, and has grown by half of its value or of what was missing to 100%, whichever is less, and by
        at least 10 percentage points. Of a run or a count: whether it has grown by half, and by at least 5.
        Of the spread, whether it has halved, and of the correlation, whether it has fallen by at least 0.2,
        both over at least 5 more pages.
    """
    if now.value is None:
        return False
    n = _number_behind(now, n_pages)
    if now.key in SHARES:
        then = SeenFigure(_bad_share(now.key, seen.value), seen.n)
        return _has_larger_share(now.key, then, SeenFigure(_bad_share(now.key, now.value), n))
    if now.key in LENGTHS:
        return now.value - seen.value >= max(FEWEST_MORE, GROWTH * seen.value)
    if n - seen.n < FEWEST_MORE:
        return False
    if now.key == "correlation":
        return seen.value - now.value >= LEAST_CORRELATION - ROUNDING
    return now.value <= GROWTH * seen.value and now.value < seen.value


def _has_larger_share(key: str, then: SeenFigure, now: SeenFigure) -> bool:
    more = round(now.value * now.n) - round(then.value * then.n)
    growth = max(LEAST_SHARE, GROWTH * min(then.value, 1 - then.value))
    fewest = FEWEST_CHECKS_MORE if key == "checks" else FEWEST_MORE
    return more >= fewest and now.value - then.value >= growth - ROUNDING


def _bad_share(key: str, value: float) -> float:
    """The share that a flag is about: of checks the failed ones, while the value is the passed ones."""
    return 1 - value if key == "checks" else value


def _number_behind(indicator: Indicator, n_pages: int) -> int:
    n = indicator.detail.get("n", n_pages)
    return n if isinstance(n, int) else n_pages
