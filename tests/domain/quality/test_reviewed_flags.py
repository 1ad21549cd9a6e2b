"""A rater who was retained is listed again only where a flag is clearly worse than at the decision."""

from __future__ import annotations

import pytest

from annotation.domain.quality.careless_responding import Indicator
from annotation.domain.quality.reviewed_flags import SeenFigure, is_clearly_worse


def flag(key: str, value: float, n: int) -> Indicator:
    return Indicator(key, value, None, True, "", {"n": n})


@pytest.mark.parametrize(
    ("key", "then", "now", "worse"),
    [
        # Shares: by half of the value …
        ("too_fast", (0.4, 20), (0.6, 40), True),
        ("too_fast", (0.4, 20), (0.55, 40), False),
        # … or by half of what was missing to 100 % …
        ("flat_pages", (0.8, 20), (0.9, 40), True),
        ("flat_pages", (0.8, 20), (0.88, 40), False),
        # … by 10 points at least …
        ("too_fast", (0.9, 100), (0.95, 200), False),
        # … and 5 more pages: the same pages without some that were timed are not more of them.
        ("too_fast", (0.4, 10), (0.8, 10), False),
        ("too_fast", (0.4, 10), (0.6, 15), True),
        # The same share of more pages is what the person saw.
        ("under_minimum", (0.3, 10), (0.3, 100), False),
        # The value is the share of checks passed: fewer are worse, and 2 more failed ones are enough.
        ("checks", (0.5, 4), (0.25, 6), True),
        ("checks", (0.5, 4), (0.4, 5), False),
        ("checks", (0.5, 4), (0.75, 12), False),
        ("long_string", (12.0, 30), (18.0, 60), True),
        ("long_string", (12.0, 30), (17.0, 60), False),
        ("long_string", (6.0, 30), (10.0, 60), False),
        ("correlation", (0.05, 20), (-0.15, 25), True),
        ("correlation", (0.05, 20), (-0.15, 24), False),
        ("correlation", (0.05, 20), (-0.1, 40), False),
        ("spread", (0.04, 20), (0.02, 25), True),
        ("spread", (0.04, 20), (0.03, 40), False),
        ("spread", (0.0, 20), (0.0, 40), False),
    ],
)
def test_each_kind_of_figure_has_its_rule(
    key: str, then: tuple[float, int], now: tuple[float, int], worse: bool
) -> None:
    assert is_clearly_worse(SeenFigure(*then), flag(key, *now), now[1]) is worse
