"""A number of the rater's own, above zero: magnitude estimation (Bard, Robertson and Sorace 1996)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import Message, message
from annotation.domain.base.numbers import as_typed
from annotation.domain.questions.kinds.kind import (
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    gettext_noop,
)
from annotation.domain.questions.kinds.measuring import Measure
from annotation.domain.questions.kinds.settings_schema import settings_of
from annotation.domain.questions.kinds.typed.reading import (
    MOST,
    is_number,
    number_of,
    spelling_problem,
)
from annotation.domain.questions.kinds.typed.typed_number import TypedNumber

# What a page accepts: no zero and no words; the server explains why it refuses another number.
IN_PAGES = r"\s*(?=.*[1-9])[0-9]+([.,][0-9]+)?\s*"
LEAST = 0.0001
# What a rater may type without reading the text: round numbers from 1 to 900.
ROUND = tuple(str(digit * 10**power) for power in range(3) for digit in range(1, 10))
BOUNDS = ("1", "10", "50", "100", "200", "500", "1000")
ABOVE_ZERO = message("Enter a number above zero, such as 50 or 12.5.")
SETTINGS_SCHEMA = settings_of(
    "a magnitude estimation",
    {
        "reference": {
            "description": "Number that stands for the reference with which raters compare; null for none.",
            "type": ["number", "null"],
            "minimum": LEAST,
            "maximum": MOST,
            "default": None,
        },
        "standardised": {
            "description": "Whether statistics subtract the mean of each rater's own logarithms, where "
            "raters are identified.",
            "type": "boolean",
            "default": False,
        },
    },
)


class Magnitude(TypedNumber):
    """Any number above zero; only the ratios between answers have a meaning."""

    key = "magnitude"
    title = gettext_noop("number of one’s own (magnitude estimation)")
    described = "magnitude estimation"
    missing_message = message("Enter a number above zero, or select “Can’t rate”.")
    on_ratios = True
    widest = (LEAST, MOST)
    settings_schema = SETTINGS_SCHEMA
    bounds = BOUNDS

    def problem(self, typed: str, question: Question) -> Message | str:
        return _problem(typed)

    def measure(self, settings: Mapping[str, Any], *, identified: bool) -> Measure:
        standardised = self.complete_settings(settings)[self.key]["standardised"]
        return Measure.OWN_LOGARITHMS if standardised and identified else Measure.LOGARITHMS

    def stated_ends(self, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        return None, None

    def impossible(self, low: float | None, high: float | None, settings: Document) -> str:
        return ABOVE_ZERO

    def possible(self, question: Question) -> Sequence[str]:
        """Round numbers, because the possible ones cannot be listed."""
        return ROUND

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        return ROUND[person.value(0, len(ROUND) - 1, truth)]

    def end_problems(self, criterion: Document) -> Problems:
        if criterion["points"]:
            yield "points", message("A magnitude estimation has no points. Remove them.")
        if (criterion["minimum"], criterion["maximum"]) != (LEAST, MOST):
            yield (
                "minimum",
                message(
                    "A question of kind %(kind)s has no ends. Remove minimum and maximum.", kind=self.key
                ),
            )

    def settings_problems(self, criterion: Document) -> Problems:
        reference = self.complete_settings(criterion["settings"])[self.key]["reference"]
        typed = reference if isinstance(reference, str) else as_typed(str(reference))
        if reference is not None and (problem := _problem(typed)):
            yield f"settings.{self.key}.reference", problem

    def ends(
        self, low: float | None, high: float | None, values: Sequence[str]
    ) -> tuple[float | None, float | None]:
        return LEAST if low is None else low, MOST if high is None else high

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: {"reference": None, "standardised": False, **settings.get(self.key, {})}}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        own = self.complete_settings(settings)[self.key]
        stored = {name: value for name, value in own.items() if value not in (None, False)}
        return {self.key: stored} if stored else {}

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        text = fields.get("reference", "").strip()
        reference = None if not text else text if _problem(text) else number_of(text)
        return {self.key: {"reference": reference, "standardised": "standardised" in fields}}

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        return {
            "css": f"criterion--{self.key}",
            "reference": self.complete_settings(settings)[self.key]["reference"],
            "number": values[0] if values else "",
            "pattern": IN_PAGES,
        }


def _problem(typed: str) -> Message | str:
    """The reason why a typed text is no number above zero; empty if it is one."""
    if not is_number(typed):
        return ABOVE_ZERO
    if number_of(typed) <= 0:
        return message("%(value)s is not above zero. Enter a number such as 50 or 12.5.", value=typed[:20])
    return spelling_problem(typed)


MAGNITUDE = Magnitude()
