"""A line between two ends with a middle."""

from __future__ import annotations

from dataclasses import replace

from annotation.domain.questions.kinds.registry import KINDS
from annotation.protocols.template import Point, StudyTemplate
from tests.e2e.rating.every_kind.kind_case import KindCase, asked_by, study_asking


def template() -> StudyTemplate:
    ends = (Point("0", "does not fit at all"), Point("50", "partly"), Point("100", "fits perfectly"))
    asked = replace(asked_by("miyazawa"), key="apt", name="Aptness", points=ends, kind=KINDS["slider"])
    return study_asking("miyazawa", asked)


KEYS = "(72) Enter"
CASE = KindCase(template, KEYS, lambda _shown: {"apt": 72}, case_keys=KEYS, plain="72")
