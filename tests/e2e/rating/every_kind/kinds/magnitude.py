"""A number of the rater's own."""

from __future__ import annotations

from dataclasses import replace

from annotation.domain.questions.kinds.registry import KINDS
from annotation.protocols.template import StudyTemplate
from tests.e2e.rating.every_kind.kind_case import KindCase, asked_by, study_asking


def template() -> StudyTemplate:
    asked = replace(asked_by("miyazawa"), key="apt", name="Aptness", points=(), kind=KINDS["magnitude"])
    return study_asking("miyazawa", asked)


KEYS = "(12.5) Enter"
CASE = KindCase(template, KEYS, lambda _shown: {"apt": 12.5}, case_keys=KEYS, plain="12.5")
