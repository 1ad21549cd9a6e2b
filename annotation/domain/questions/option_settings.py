"""Settings of a choice: the order of its options, the “not sure” option and the correct answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from annotation.domain.base.orders import options_order, sides_swapped

SIDES = ("a", "b")
TIE = "tie"
# Suffix of a side that is much better; without it, the side is slightly better.
MUCH = "+"


@dataclass(frozen=True)
class OptionSettings:
    """The settings of a criterion that concern its options.

    With `shuffled`, each rater sees them in a different order. `unsure` is the value of the option “not
    sure”, which stays last. `answer_key` names the item’s metadata that holds the right value,
    which raters never see.
    """

    shuffled: bool = False
    unsure: str = ""
    answer_key: str = ""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        return cls(
            shuffled=settings.get("shuffled") is True,
            unsure=str(settings.get("unsure", "")),
            answer_key=str(settings.get("answer_key", "")),
        )

    def stored(self) -> dict[str, Any]:
        """The settings as a criterion stores them: only those that are set."""
        return {name: value for name, value in vars(self).items() if value}


def side_of(value: str) -> str:
    """The side that an answer prefers, slightly or much; other answers as they are."""
    side = value.removesuffix(MUCH)
    return side if side in SIDES else value


def is_much(value: str) -> bool:
    """Whether an answer says that one side is much better."""
    return value != side_of(value)


def sides_in_turn(values: Sequence[str], *, place: str, seed: int, rater_seed: int) -> list[str]:
    """Return the answers for the sides of a pair in the order in which one rater sees them.

    Parameters
    ----------
    values : sequence of str
        Of all options; those for no side are left out. “Much better” is at both ends.
    place : str
        Item and criterion.
    seed, rater_seed : int
        The study's seed and the rater's.
    """
    sides = [value for value in values if value in SIDES]
    if sides_swapped(place, seed=seed, rater_seed=rater_seed):
        sides.reverse()
    much = [value for side in sides for value in values if value == side + MUCH]
    return [*much[:1], *sides, *much[1:]]


def in_own_order(
    values: Sequence[str], settings: OptionSettings, *, place: str, seed: int, rater_seed: int
) -> tuple[str, ...]:
    """The values of the options in the order in which one rater sees them: `QuestionKind.shown_order`."""
    if not settings.shuffled:
        return tuple(values)
    moved = [value for value in values if value != settings.unsure]
    last = [value for value in values if value == settings.unsure]
    return (*options_order(moved, place=place, seed=seed, rater_seed=rater_seed), *last)
