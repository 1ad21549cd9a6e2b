"""Points of a scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.kinds.kind import (
    NO_SCALE,
    Answer,
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    QuestionKind,
    Texts,
    Yields,
    gettext_noop,
    outside,
    single_value,
)

ENDS = message("Enter the ends of the scale, the lower one first.")
# Longer scales do not fit into a window as a row of points.
MOST_POINTS_IN_A_ROW = 11


class Likert(QuestionKind):
    """Whole numbers from a lowest to a highest point, ends included."""

    key = "likert"
    title = gettext_noop("scale points (Likert)")
    yields = Yields.NUMBER
    fewest_points = 2
    script = "js/rating/kinds/likert.js"
    style = "css/kinds/likert.css"
    decides = True
    has_reference = True

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        digits = single_value(values).strip()
        low, high = question.minimum, question.maximum
        if low is None or high is None:
            raise ValueError(NO_SCALE)
        if not digits.removeprefix("-").isdecimal() or not digits.isascii() or len(digits) > 6:
            raise ValueError(message("Choose a whole number from %(low)s to %(high)s.", low=low, high=high))
        if not low <= int(digits) <= high:
            raise ValueError(outside(digits, low, high))
        return Answer(value=int(digits))

    def missing(self, question: Question) -> str:
        return _missing(question.options) if _is_typed(question.options) else self.missing_message

    def possible(self, question: Question) -> Sequence[str]:
        return [str(value) for value in range(int(question.minimum or 0), int(question.maximum or 0) + 1)]

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        return str(person.value(int(question.minimum or 0), int(question.maximum or 0), truth))

    def reference(self, question: Question, text: str) -> float | None:
        try:
            number = float(text)
        except ValueError:
            return None
        if not (question.minimum or 0) <= number <= (question.maximum or 0):
            return None
        return plain_number(number)

    def end_problems(self, criterion: Document) -> Problems:
        numbers = [_number(point["value"]) for point in criterion["points"]]
        for place, number in enumerate(numbers):
            if number is None:
                sentence = message("A point of a Likert scale must be a whole number, such as 3.")
                yield f"points[{place}].value", sentence
        found = [number for number in numbers if number is not None]
        if found != sorted(found):
            yield "points", message("Order the points from the lowest to the highest.")
        low, high = criterion["minimum"], criterion["maximum"]
        if low is None or high is None or low >= high:
            yield "minimum", ENDS
        elif low != int(low) or high != int(high):
            yield "minimum", message("The ends of a Likert scale must be whole numbers.")
        elif found and not low <= min(found) <= max(found) <= high:
            sentence = message(
                "A point is outside the scale from %(low)s to %(high)s. Change the ends or the point.",
                low=low,
                high=high,
            )
            yield "points", sentence

    def ends(
        self, low: float | None, high: float | None, values: Sequence[str]
    ) -> tuple[float | None, float | None]:
        numbers = [_number(value) for value in values]
        if not numbers or None in numbers:
            return low, high
        return numbers[0] if low is None else low, numbers[-1] if high is None else high

    def scale_in_words(self, low: float | None, high: float | None) -> str:
        return f"{low} to {high}"

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        scale = [point.value for point in points]
        if not _is_typed(scale):
            return {"css": "", "typed": None}
        typed = {
            "low": points[0],
            "high": points[-1],
            "step": _even_step(scale),
            "number": values[0] if values else "",
            "is_signed": scale[0].startswith("-"),
        }
        return {"css": "", "missing": _missing(scale), "typed": typed}


def _is_typed(scale: Sequence[str]) -> bool:
    """Whether raters type a number instead of choosing a point."""
    return len(scale) > MOST_POINTS_IN_A_ROW and _even_step(scale) > 0


def _missing(scale: Sequence[str]) -> str:
    return message(
        "Enter a number from %(low)s to %(high)s, or select “Can’t rate”.", low=scale[0], high=scale[-1]
    )


def _even_step(scale: Sequence[str]) -> int:
    """The distance between neighbouring points; 0 if it is not the same everywhere."""
    numbers = [_number(value) for value in scale]
    known = [number for number in numbers if number is not None]
    steps = {after - before for before, after in pairwise(known)}
    return steps.pop() if len(steps) == 1 and len(known) == len(numbers) else 0


def _number(value: str) -> int | None:
    digits = value.removeprefix("-")
    return int(value) if digits.isdecimal() and digits.isascii() and len(digits) <= 4 else None


LIKERT = Likert()
