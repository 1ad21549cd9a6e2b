"""Paired comparison: one of two sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.choice import OneOfSeveral
from annotation.domain.questions.kinds.kind import (
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    Yields,
    gettext_noop,
    option_labels,
)
from annotation.domain.questions.option_settings import (
    MUCH,
    SIDES,
    TIE,
    OptionSettings,
    is_much,
    side_of,
    sides_in_turn,
)


class Preference(OneOfSeveral):
    """One of two sides, or `tie` where that is allowed; raters see the sides in different orders.

    With the options `a+` and `b+`, raters say whether a side is slightly or much better.
    """

    key = "preference"
    title = gettext_noop("paired comparison")
    described = "paired comparison"
    yields = Yields.PREFERENCE
    style = "css/kinds/preference.css"

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
        others = [value for value in values if value not in sides]
        if len(sides) == len(SIDES):
            return (*sides, *others)
        half = len(sides) // 2
        ties = [value for value in others if value == TIE]
        return (*sides[:half], *ties, *sides[half:], *(value for value in others if value != TIE))

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        """With “much better”, each side is named by the item’s text."""
        if not any(side + MUCH in labels for side in SIDES):
            return option_labels(values, {TIE: labels.get(TIE, "")})
        return "; ".join(self._graded(value, labels) for value in values)

    def _graded(self, value: str, labels: Mapping[str, str]) -> str:
        text = labels.get(side_of(value)) or value
        if is_much(value):
            return message("much better: %(text)s", text=text)
        return message("slightly better: %(text)s", text=text) if value in SIDES else text

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        """A tie lies between the two sides, and slightly better between it and much better."""
        first, second = SIDES
        between = [option for option in question.options if side_of(option) not in SIDES]
        line = [first + MUCH, first, *between, second, second + MUCH]
        return person.option([option for option in line if option in question.options], truth)

    def problems(self, criterion: Document) -> Problems:
        values = {point["value"] for point in criterion["points"]}
        graded = {*SIDES, *(side + MUCH for side in SIDES)}
        if any(is_much(value) for value in values) and not graded <= values:
            yield "points", message("To ask how much better a side is, give the points a, a+, b and b+.")
        yield from super().problems(criterion)

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        is_graded = any(is_much(point.value) for point in points)
        return {**super().template_context(points, settings, values), "is_graded": is_graded}


PREFERENCE = Preference()
