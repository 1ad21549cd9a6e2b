"""Simulated raters that answer carefully, at random, in straight lines, hastily or mechanically."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from enum import StrEnum

from annotation.domain.base.errors import InvalidContent

ROUNDING = 1e-6
# Share of cases in which careful raters choose the true option; in the others they choose any.
CARE = 0.8
# A second option is true too if the true position is further from the middle of the first one, in options.
NEAR = 0.25


# Printed by the command; the page and the documentation say the same.
WHAT_IS_SIMULATED = """\
What is simulated: each item has a hidden true position on each criterion, drawn from the seed. Careful
raters rate near it on scales, with noise and a severity of their own. Of options, and of ten words for free
text, they choose the one at that position in 8 of 10 cases, and any in the others. The other patterns ignore
the item. Tuples say “nothing”. Of errors, up to three of the same few words of a text are marked.
Agreement therefore shows how the study is set up, and nothing about its items."""


class AnsweringPattern(StrEnum):
    """How a simulated rater works.

    `careful` follows the item, with noise and a severity of the rater's own. `random` chooses any point.
    `line` stays on one point of the rater's own. `fast` answers at random within a second or two. `middle`
    always chooses the middle of the scale. Options and words are answered like the points of a scale.
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

    def option(self, options: Sequence[str], truth: float) -> str:
        """One of several options. The true one is where the true position falls, in their order."""
        if self.pattern is not AnsweringPattern.CAREFUL:
            return options[self.value(0, len(options) - 1, truth)]
        right = options[min(int(truth * len(options)), len(options) - 1)]
        return right if self._draw.random() < CARE else self._draw.choice(options)

    def several(self, options: Sequence[str], truth: float) -> list[str]:
        """The true option, and its neighbour if the true position is close to it; of others, one option."""
        chosen = self.option(options, truth)
        at = truth * len(options)
        right = min(int(at), len(options) - 1)
        other = right + (1 if at - right > 0.5 else -1)
        is_close = abs(at - right - 0.5) > NEAR and 0 <= other < len(options)
        if self.pattern is not AnsweringPattern.CAREFUL or not is_close or chosen != options[right]:
            return [chosen]
        return [options[place] for place in sorted((right, other))]

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
