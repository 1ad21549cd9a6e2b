"""Simulated raters: how a careful, random, straight-lining, hasty or mechanical one answers."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from enum import StrEnum

from annotation.domain.base.errors import InvalidContent

ROUNDING = 1e-6


class AnsweringPattern(StrEnum):
    """How a simulated rater works.

    `careful` follows the item, with noise and a severity of their own. `random` chooses any point.
    `line` stays on one point of their own. `fast` answers at random within a second or two. `middle`
    always chooses the middle of the scale.
    """

    CAREFUL = "careful"
    RANDOM = "random"
    LINE = "line"
    FAST = "fast"
    MIDDLE = "middle"


def parse_mix(text: str) -> dict[AnsweringPattern, float]:
    """Proportions of answering patterns, such as `careful=.8,random=.1,line=.1`.

    Raises
    ------
    InvalidContent
        `bad_mix`: a pattern is unknown, or the proportions are not positive numbers that add up to 1.
    """
    mix: dict[AnsweringPattern, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        if name not in set(AnsweringPattern):
            known = ", ".join(AnsweringPattern)
            sentence = f"{name!r} is not an answering pattern. Choose from: {known}."
            raise InvalidContent(sentence, code="bad_mix")
        try:
            mix[AnsweringPattern(name)] = float(share)
        except ValueError as problem:
            sentence = f"The proportion of {name} is not a number: {share!r}."
            raise InvalidContent(sentence, code="bad_mix") from problem
    if any(share < 0 for share in mix.values()) or abs(sum(mix.values()) - 1) > ROUNDING:
        raise InvalidContent("The proportions of the mix must add up to 1.", code="bad_mix")
    return mix


def draw_patterns(mix: Mapping[AnsweringPattern, float], number: int, *, seed: int) -> list[AnsweringPattern]:
    """An answering pattern for each rater, in the proportions of the mix by largest remainder, shuffled."""
    wanted = {pattern: share * number for pattern, share in mix.items()}
    counts = {pattern: int(count) for pattern, count in wanted.items()}
    rest = sorted(mix, key=lambda pattern: (counts[pattern] - wanted[pattern], pattern))
    for pattern in rest[: number - sum(counts.values())]:
        counts[pattern] += 1
    drawn = [pattern for pattern, count in counts.items() for _ in range(count)]
    random.Random(f"{seed}/manners").shuffle(drawn)
    return drawn


class SimulatedRater:
    """One simulated rater; the seed determines all answers."""

    def __init__(self, pattern: AnsweringPattern, seed: str) -> None:
        self.pattern = pattern
        self._draw = random.Random(seed)
        self._severity = self._draw.gauss(0, 0.08)
        self._own_place = self._draw.random()

    def value(self, low: int, high: int, truth: float) -> int:
        """A point of a scale; `truth` is the item's true position on it, from 0 to 1."""
        if self.pattern in {AnsweringPattern.RANDOM, AnsweringPattern.FAST}:
            return self._draw.randint(low, high)
        places = {AnsweringPattern.LINE: self._own_place, AnsweringPattern.MIDDLE: 0.5}
        place = places.get(self.pattern, truth + self._severity + self._draw.gauss(0, 0.12))
        return min(high, max(low, round(low + place * (high - low))))

    def option(self, options: Sequence[str]) -> str:
        """One of several options."""
        return (
            options[0]
            if self.pattern in {AnsweringPattern.LINE, AnsweringPattern.MIDDLE}
            else self._draw.choice(options)
        )

    def attends(self) -> bool:
        """Whether the rater reads a check: careful ones nearly always, others never."""
        return self.pattern is AnsweringPattern.CAREFUL and self._draw.random() < 0.97

    def seconds(self, usual: float) -> float:
        """Time spent on a page with this usual time."""
        if self.pattern is AnsweringPattern.FAST:
            return self._draw.uniform(0.8, 2.0)
        return max(2.0, usual * self._draw.lognormvariate(0.4, 0.35))


def true_position(seed: int, item: str, criterion: str) -> float:
    """The true position of an item on a criterion's scale, from 0 to 1."""
    return random.Random(f"{seed}/truth/{item}/{criterion}").random()
