"""A question and a criterion of any kind, and a rater who answers."""

from __future__ import annotations

from typing import Any

from annotation.domain.questions.kinds.kind import IN_A_TEXT, Question, QuestionKind, Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.protocols.definition_forms import completed_form, form_problems

OPTIONS = ("yes", "no", "not sure")
TEXTS = {"text": "The lamp hung like a moon."}


class Someone:
    """A simulated rater who takes what comes first."""

    def value(self, low: int, high: int, truth: float) -> int:
        return round(low + truth * (high - low))

    def option(self, options: Any, truth: float) -> str:
        return str(options[self.value(0, len(options) - 1, truth)])

    def several(self, options: Any, truth: float) -> list[str]:
        return [self.option(options, truth)]


def question(kind: QuestionKind) -> Question:
    low, high = kind.ends(None, None, [point["value"] for point in kind.first_points])
    options = tuple(point["value"] for point in kind.first_points) if kind.yields in IN_A_TEXT else OPTIONS
    if kind.yields is Yields.WORDS:
        options = ()
    settings = kind.first_settings()
    return Question("asked", "Asked", kind, low, high, options=options, settings=settings, field="text")


def criterion(kind: QuestionKind, **changed: Any) -> dict[str, Any]:
    points = [dict(point) for point in kind.first_points] if kind.fewest_points else []
    settings = {"shuffled": False, "unsure": "", "answer_key": ""}
    for one in KINDS.values():
        settings |= one.first_settings() if one is kind else one.complete_settings({})
    whole = {
        "key": "asked",
        "name": "Asked",
        "kind": kind.key,
        "minimum": None,
        "maximum": None,
        "asked_after": "",
        "asked_when": "",
        "points": points,
        "settings": settings,
    }
    return whole | changed


def problems(one: dict[str, Any]) -> dict[str, str]:
    form = completed_form(
        {"criteria": [one], "blocks": [], "examples": [], "practice": [], "translations": {}}
    )
    return dict(form_problems(form))
