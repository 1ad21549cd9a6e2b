"""A number with a unit."""

from __future__ import annotations

from dataclasses import replace

from annotation.domain.questions.kinds.registry import KINDS
from annotation.protocols.template import StudyTemplate
from tests.e2e.rating.every_kind.kind_case import KindCase, asked_by, study_asking


def template() -> StudyTemplate:
    asked = replace(
        asked_by("miyazawa"),
        key="age",
        name="Age",
        question="At what age would you expect a child to understand this metaphor?",
        points=(),
        kind=KINDS["number"],
        bounds=(0, 120),
        settings={"number": {"unit": {"en": "years"}}},
    )
    return study_asking("miyazawa", asked)


KEYS = "(7) Enter"
CASE = KindCase(template, KEYS, lambda _shown: {"age": 7}, case_keys=KEYS, plain="7")
