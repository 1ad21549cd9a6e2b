"""What a choice says beside its options: their order, which of them decides nothing, where the key stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from annotation.domain.orders import options_order, sides_swapped
from annotation.domain.states import CriterionKind

SIDES = ("a", "b")
TIE = "tie"


@dataclass(frozen=True)
class OptionSettings:
    """The settings of a criterion that concern its options.

    `shuffled`: each rater sees them in an order of their own. `unsure` is the value of the option that
    says “not sure”: it stays last. `answer_key` names the item’s metadata that holds the right value,
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
        """As a criterion keeps them: only what is set."""
        return {name: value for name, value in vars(self).items() if value}


def is_shuffled(kind: CriterionKind, settings: OptionSettings) -> bool:
    """Whether raters see the options in different orders; the sides of a pair always change."""
    return kind is CriterionKind.PREFERENCE or settings.shuffled


def shown_values(
    kind: CriterionKind,
    values: Sequence[str],
    settings: OptionSettings,
    *,
    place: str,
    seed: int,
    rater_seed: int,
) -> tuple[str, ...]:
    """The values of the options in the order in which one rater sees them.

    Parameters
    ----------
    kind : CriterionKind
        Of the criterion.
    values : sequence of str
        In the order of the form.
    settings : OptionSettings
        Of the criterion.
    place : str
        Names item and criterion.
    seed, rater_seed : int
        The study's seed and the rater's.

    Returns
    -------
    tuple of str
        The same whenever it is asked for.
    """
    if kind is CriterionKind.PREFERENCE:
        sides = [value for value in values if value in SIDES]
        if sides_swapped(place, seed=seed, rater_seed=rater_seed):
            sides.reverse()
        return (*sides, *(value for value in values if value not in SIDES))
    if not settings.shuffled:
        return tuple(values)
    moved = [value for value in values if value != settings.unsure]
    last = [value for value in values if value == settings.unsure]
    return (*options_order(moved, place=place, seed=seed, rater_seed=rater_seed), *last)
