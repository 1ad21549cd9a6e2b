"""Which of two texts is better, and how much, with a reason."""

from __future__ import annotations

from dataclasses import replace

from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import Point, StudyTemplate
from tests.e2e.rating.every_kind.kind_case import KindCase, study_asking


def template() -> StudyTemplate:
    better, reason = TEMPLATES["story_pairs"].forms[0].criteria
    graded = (Point("a+"), Point("a"), Point("tie", "About equal"), Point("b"), Point("b+"))
    return study_asking("story_pairs", replace(better, points=graded), replace(reason, required=True))


KEYS = "2 ArrowDown (The second one ends.) Control+Enter"
CASE = KindCase(
    template,
    KEYS,
    lambda shown: {"better": shown[1], "reason": "The second one ends."},
    options=(".grades input", "points => points.map(point => point.value)"),
    case_keys=KEYS,
)
