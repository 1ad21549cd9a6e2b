"""Errors marked in a text, then an overall score."""

from __future__ import annotations

import json

from annotation.protocols.registry import TEMPLATES
from tests.e2e.rating.every_kind.kind_case import SHORT, Answers, KindCase


def answers(shown: list[str]) -> Answers:
    start, end = SHORT.index("The village"), SHORT.index(" lay")
    error = {"start": start, "end": end, "category": "meaning", "severity": "major"}
    return {"errors": json.dumps([{**error, "text": "The village"}]), "overall": 40}


CASE = KindCase(
    lambda: TEMPLATES["error_spans"],
    "ArrowDown ArrowRight Shift+ArrowRight 2 m ArrowDown (40) Enter",
    answers,
    case_keys="(40) ArrowDown ArrowRight Shift+ArrowRight 2 m Enter",
)
