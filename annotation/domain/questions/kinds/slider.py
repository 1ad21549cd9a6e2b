"""A place on a line between two ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
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
from annotation.domain.questions.kinds.settings_schema import settings_of

NUMBER = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,6})?", re.ASCII)
MOST_STEPS = 5_000
DEFAULT_STEP = 1
SETTINGS_SCHEMA = settings_of(
    "a slider",
    {
        "step": {
            "description": "Distance between two neighbouring values, such as 1 or 0.5.",
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": 9999,
            "default": DEFAULT_STEP,
        },
    },
)


class Slider(QuestionKind):
    """A number between two ends, its points; no number is chosen until the rater acts.

    A third point between them is the label of the middle.
    """

    key = "slider"
    title = gettext_noop("slider")
    yields = Yields.NUMBER
    missing_message = message("Place the mark on the line or enter a number, or select “Can’t rate”.")
    fewest_points = 2
    has_two_ends = True
    has_reference = True
    continuous = True
    lacks = ("stages",)
    records_first = True
    settings_schema = SETTINGS_SCHEMA
    script = "js/rating/kinds/slider.js"
    style = "css/kinds/slider.css"
    first_points = (
        {"value": "0", "label": "", "description": "", "keyboard": ""},
        {"value": "100", "label": "", "description": "", "keyboard": ""},
    )

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        number = _number(single_value(values))
        low, high = question.minimum, question.maximum
        if low is None or high is None:
            raise ValueError(NO_SCALE)
        if number is None:
            raise ValueError(message("Enter a number from %(low)s to %(high)s.", low=low, high=high))
        if not _exact(low) <= number <= _exact(high):
            raise ValueError(outside(values[0].strip(), low, high))
        step = _step(question.settings)
        if (number - _exact(low)) % step:
            raise ValueError(_impossible_sentence(low, high, step))
        return Answer(value=plain_number(float(number)))

    def possible(self, question: Question) -> Sequence[str]:
        low, high = _exact(question.minimum or 0), _exact(question.maximum or 0)
        step = _step(question.settings)
        return [_written(low + place * step) for place in range(int((high - low) / step) + 1)]

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        possible = self.possible(question)
        return possible[person.value(0, len(possible) - 1, truth)]

    def reference(self, question: Question, text: str) -> float | None:
        number = _number(text)
        if number is None or not (question.minimum or 0) <= number <= (question.maximum or 0):
            return None
        return plain_number(float(number))

    def conditions(self, points: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
        """The quarters of the line, because a slider has too many values for a menu."""
        numbers = [_number(point["value"]) for point in points]
        if len(numbers) < 2 or numbers[0] is None or numbers[-1] is None:
            return []
        low, width = numbers[0], numbers[-1] - numbers[0]
        quarters = [_written(low + width * share / 4) for share in range(5)]
        return [(value, value) for value in quarters]

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        number = _number(cell)
        ends = [end for end in map(_number, points) if end is not None]
        return cell if number is not None and ends and min(ends) <= number <= max(ends) else ""

    def end_problems(self, criterion: Document) -> Problems:
        points = criterion["points"]
        for place, point in enumerate(points):
            if _number(point["value"]) is None:
                sentence = message("An end of a slider must be a number, such as 100 or 0.5.")
                yield f"points[{place}].value", sentence
        if len(points) > 3:
            sentence = message("A slider has two ends and at most one point between them. Remove the others.")
            yield "points", sentence
        elif len(points) == 3 and not _is_halfway([point["value"] for point in points]):
            yield "points[1].value", message("The middle of a slider is halfway between its ends.")
        low, high = criterion["minimum"], criterion["maximum"]
        if low is None or high is None or low >= high:
            yield "minimum", message("Enter the ends of the slider, the lower one first.")
        elif [low, high] != list(self.ends(None, None, [point["value"] for point in points])):
            yield (
                "minimum",
                message("The ends of a slider are its first and last points. Remove minimum and maximum."),
            )

    def settings_problems(self, criterion: Document) -> Problems:
        low, high = criterion["minimum"], criterion["maximum"]
        if low is None or high is None or low >= high:
            return
        width, step = _exact(high) - _exact(low), _step(criterion["settings"])
        path = f"settings.{self.key}.step"
        if width > MOST_STEPS * step:
            yield path, message("A slider has at most %(most)s steps. Use a larger step.", most=MOST_STEPS)
        elif _number(f"{step:f}") is None:
            yield path, message("A step has at most 6 decimals, such as 0.000125.")
        elif width % step:
            yield (
                path,
                message(
                    "Steps of %(step)s do not lead from %(low)s to %(high)s. Change the step or the ends.",
                    step=str(step),
                    low=low,
                    high=high,
                ),
            )

    def ends(
        self, low: float | None, high: float | None, values: Sequence[str]
    ) -> tuple[float | None, float | None]:
        numbers = [_number(value) for value in values]
        if len(numbers) < 2 or numbers[0] is None or numbers[-1] is None:
            return low, high
        first, last = (plain_number(float(number)) for number in (numbers[0], numbers[-1]))
        return first if low is None else low, last if high is None else high

    def scale_in_words(self, low: float | None, high: float | None) -> str:
        return f"slider, {low} to {high}"

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: {"step": DEFAULT_STEP, **settings.get(self.key, {})}}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        step = self.complete_settings(settings)[self.key]["step"]
        return {} if step == DEFAULT_STEP else {self.key: {"step": step}}

    def posted_points(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> list[Mapping[str, str]]:
        """Read the points; the middle counts if it has a label, and its value follows from the ends."""
        if len(points) not in {2, 3}:
            return list(points)
        low, high = points[0], points[-1]
        new = {"value": "", "label": fields.get("middle", ""), "description": ""}
        middle = points[1] if len(points) == 3 else new
        if not middle["label"] and not middle["description"]:
            return [low, high]
        first, last = _number(low["value"]), _number(high["value"])
        halfway = middle["value"] if first is None or last is None else _written((first + last) / 2)
        return [low, {**middle, "value": halfway, "keyboard": ""}, high]

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        text = fields.get("step", "").strip()
        number = _number(text)
        step = DEFAULT_STEP if not text else text if number is None else plain_number(float(number))
        return {self.key: {"step": step}}

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        ends = {"low": points[0], "high": points[-1], "middle": points[1:-1]} if points else {}
        chosen = values[0] if values else ""
        step = str(_step(settings))
        return {
            "css": f"criterion--{self.key}",
            **ends,
            "step": step,
            "number": chosen,
            "impossible": _impossible_sentence(points[0].value, points[-1].value, step) if points else "",
        }


def _is_halfway(values: Sequence[str]) -> bool:
    """Whether the second of three values is the mean of the others, as far as they are numbers."""
    low, middle, high = map(_number, values)
    return low is None or middle is None or high is None or middle * 2 == low + high


def _impossible_sentence(low: object, high: object, step: object) -> str:
    return message(
        "Enter a number from %(low)s to %(high)s in steps of %(step)s.", low=low, high=high, step=step
    )


def _number(text: str) -> Decimal | None:
    return Decimal(text.strip()) if NUMBER.fullmatch(text.strip()) else None


def _exact(number: float) -> Decimal:
    """A number without the error of binary fractions, in which 0.3 is no multiple of 0.1."""
    return Decimal(str(number))


def _written(number: Decimal) -> str:
    return str(plain_number(float(number)))


def _step(settings: Mapping[str, Any]) -> Decimal:
    return _exact(settings.get("slider", {}).get("step", DEFAULT_STEP))


SLIDER = Slider()
