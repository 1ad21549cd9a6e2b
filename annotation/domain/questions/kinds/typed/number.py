"""A number with a unit, such as an age of acquisition (Kuperman, Stadthagen-Gonzalez and Brysbaert 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import Message, message
from annotation.domain.questions.kinds.kind import (
    NO_SCALE,
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    gettext_noop,
)
from annotation.domain.questions.kinds.settings_schema import settings_of
from annotation.domain.questions.kinds.typed.reading import (
    MOST,
    is_number,
    number_of,
    spelling_problem,
    typed_once,
)
from annotation.domain.questions.kinds.typed.typed_number import TypedNumber

# The ends of what can be stored, for an end that is not set.
LOWEST, HIGHEST = -MOST, MOST
LONGEST_UNIT = 40
# What a page accepts as a number with decimals; the server checks whether it is between the ends.
IN_PAGES = r"\s*-?[0-9]+([.,][0-9]+)?\s*"
# More whole numbers than this are not listed.
MOST_LISTED = 1_000
PARTS = 20
BOUNDS = ("0", "1", "2", "5", "10", "20", "50", "100", "500", "1000")
SETTINGS_SCHEMA = settings_of(
    "a number",
    {
        "unit": {
            "description": "Language → unit on pages, after the field, such as “years”.",
            "type": "object",
            "additionalProperties": {"type": "string", "maxLength": LONGEST_UNIT},
            "default": {},
        },
        "decimals": {
            "description": "Whether numbers may have decimals; if not, they are whole.",
            "type": "boolean",
            "default": False,
        },
    },
)


class Number(TypedNumber):
    """A number that raters type, whole unless decimals are allowed; each of its two ends is optional."""

    key = "number"
    title = gettext_noop("number with a unit")
    missing_message = message("Enter a number, or select “Can’t rate”.")
    widest = (LOWEST, HIGHEST)
    settings_schema = SETTINGS_SCHEMA
    bounds = BOUNDS

    def problem(self, typed: str, question: Question) -> Message | str:
        if question.minimum is None or question.maximum is None:
            return NO_SCALE
        wanted = self.impossible(question.minimum, question.maximum, question.settings)
        if not is_number(typed):
            return wanted
        if not self._has_decimals(question.settings) and not typed.removeprefix("-").isdecimal():
            return wanted
        is_between = question.minimum <= number_of(typed) <= question.maximum
        return spelling_problem(typed) or ("" if is_between else wanted)

    def stated_ends(self, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        return None if low == LOWEST else low, None if high == HIGHEST else high

    def possible(self, question: Question) -> Sequence[str]:
        """All whole numbers between near ends; else numbers that a rater may type without reading."""
        least, greatest = _likely_ends(*self.stated_ends(question.minimum, question.maximum))
        if not self._has_decimals(question.settings) and greatest - least <= MOST_LISTED:
            return [str(number) for number in range(int(least), int(greatest) + 1)]
        steps = [least + (greatest - least) * part / PARTS for part in range(PARTS + 1)]
        places = 4 if self._has_decimals(question.settings) else 0
        return [typed_once(str(number_of(f"{one:.{places}f}"))) for one in steps]

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        possible = self.possible(question)
        return possible[person.value(0, len(possible) - 1, truth)]

    def end_problems(self, criterion: Document) -> Problems:
        if criterion["points"]:
            yield "points", message("A question for a number has no points. Remove them.")
        low, high = criterion["minimum"], criterion["maximum"]
        if low is None or high is None or low >= high:
            yield "minimum", message("The lowest value must be below the highest one. Change one.")
        elif not self._has_decimals(criterion["settings"]):
            for name, end in (("minimum", low), ("maximum", high)):
                if end != int(end):
                    yield name, message("Enter a whole number, or allow decimals.")

    def settings_problems(self, criterion: Document) -> Problems:
        units = self.complete_settings(criterion["settings"])[self.key]["unit"]
        if any(len(unit) > LONGEST_UNIT for unit in units.values()):
            yield f"settings.{self.key}.unit", message("Use at most %(most)d characters.", most=LONGEST_UNIT)

    def ends(
        self, low: float | None, high: float | None, values: Sequence[str]
    ) -> tuple[float | None, float | None]:
        return LOWEST if low is None else low, HIGHEST if high is None else high

    def scale_in_words(self, low: float | None, high: float | None) -> str:
        least, greatest = self.stated_ends(low, high)
        if least is None:
            return "open number" if greatest is None else f"number of at most {greatest}"
        return f"number of at least {least}" if greatest is None else f"number, {least} to {greatest}"

    def impossible(self, low: float | None, high: float | None, settings: Document) -> str:
        lowest, highest = self.stated_ends(low, high)
        words = DECIMAL if self._has_decimals(settings) else WHOLE
        sentence = words[lowest is not None, highest is not None]
        return message(sentence, low=lowest, high=highest)

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: {"unit": {}, "decimals": False, **settings.get(self.key, {})}}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        stored = {name: value for name, value in self.complete_settings(settings)[self.key].items() if value}
        return {self.key: stored} if stored else {}

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        """Read the fields; the unit has one for each language: `unit_zh_hans`."""
        unit = {
            name.removeprefix("unit_").replace("_", "-"): words.strip()
            for name, words in fields.items()
            if name.startswith("unit_") and words.strip()
        }
        return {self.key: {"unit": unit, "decimals": "decimals" in fields}}

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        own = self.complete_settings(settings)[self.key]
        return {
            "css": f"criterion--{self.key}",
            "unit": own["unit"],
            "number": values[0] if values else "",
            "has_decimals": own["decimals"],
            "pattern": IN_PAGES,
        }

    def _has_decimals(self, settings: Document) -> bool:
        return bool(self.complete_settings(settings)[self.key]["decimals"])


def _likely_ends(low: float | None, high: float | None) -> tuple[float, float]:
    """The ends that were set; else a range of 100 numbers, from 0 on if it can."""
    if low is None:
        low = 0 if high is None or high > 0 else max(LOWEST, high - 100)
    return low, min(HIGHEST, low + 100) if high is None else high


# The message about the possible numbers, by whether each end is set.
WHOLE: Mapping[tuple[bool, bool], str] = {
    (False, False): gettext_noop("Enter a whole number, such as 12."),
    (True, False): gettext_noop("Enter a whole number of at least %(low)s."),
    (False, True): gettext_noop("Enter a whole number of at most %(high)s."),
    (True, True): gettext_noop("Enter a whole number from %(low)s to %(high)s."),
}
DECIMAL: Mapping[tuple[bool, bool], str] = {
    (False, False): gettext_noop("Enter a number, such as 12 or 2.5."),
    (True, False): gettext_noop("Enter a number of at least %(low)s."),
    (False, True): gettext_noop("Enter a number of at most %(high)s."),
    (True, True): gettext_noop("Enter a number from %(low)s to %(high)s."),
}
NUMBER_WITH_UNIT = Number()
