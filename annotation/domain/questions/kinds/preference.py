"""One of two."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.questions.kinds.choice import OneOfSeveral
from annotation.domain.questions.kinds.kind import Answering, Question, Yields, gettext_noop
from annotation.domain.questions.option_settings import SIDES, OptionSettings, sides_in_turn


class Preference(OneOfSeveral):
    """One of two sides, or `tie` where that is allowed; raters see the sides in different orders."""

    key = "preference"
    title = gettext_noop("paired comparison")
    described = "paired comparison"
    yields = Yields.PREFERENCE

    def is_shuffled(self, settings: OptionSettings) -> bool:
        return True

    def shown_order(
        self,
        values: Sequence[str],
        settings: OptionSettings,
        *,
        place: str,
        seed: int,
        rater_seed: int,
    ) -> tuple[str, ...]:
        sides = sides_in_turn(values, place=place, seed=seed, rater_seed=rater_seed)
        return (*sides, *(value for value in values if value not in SIDES))

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        """A tie lies between the two sides."""
        sides = [side for side in SIDES if side in question.options]
        between = [option for option in question.options if option not in SIDES]
        return person.option([*sides[:1], *between, *sides[1:]], truth)


PREFERENCE = Preference()
