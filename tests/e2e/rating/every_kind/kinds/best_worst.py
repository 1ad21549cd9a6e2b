"""The best and the worst of four texts."""

from __future__ import annotations

from annotation.protocols.registry import TEMPLATES
from tests.e2e.rating.every_kind.kind_case import Answers, KindCase


def answers(shown: list[str]) -> Answers:
    between = "=".join(sorted((shown[1], shown[3])))
    return {"novelty": f"{shown[0]}>{between}>{shown[2]}"}


KEYS = "Digit1 Shift+Digit3 Enter"
CASE = KindCase(
    lambda: TEMPLATES["best_worst_novelty"],
    KEYS,
    answers,
    options=("[data-choice=best]", "points => points.map(point => point.value)"),
    case_keys=KEYS,
)
