"""Four texts in order."""

from __future__ import annotations

from dataclasses import replace

from annotation.domain.questions.kinds.registry import KINDS
from annotation.protocols.template import Point, StudyTemplate
from tests.e2e.rating.every_kind.kind_case import KindCase, asked_by, study_asking

SIDES = "abcd"


def template() -> StudyTemplate:
    points = tuple(Point(side, side.upper()) for side in SIDES)
    order = replace(asked_by("preference"), key="order", name="Order", points=points, kind=KINDS["ranking"])
    blocks = [
        {"field": side, "label": side.upper(), "role": "side", "of": "order", "value": side} for side in SIDES
    ]
    return study_asking("preference", order, blocks=blocks, texts=tuple(SIDES))


KEYS = "ArrowDown Space ArrowDown Space Enter"
CASE = KindCase(
    template,
    KEYS,
    lambda shown: {"order": ">".join((shown[1], shown[0], shown[2], shown[3]))},
    options=("[data-option]", "rows => rows.map(row => row.dataset.option)"),
    case_keys=KEYS,
)
