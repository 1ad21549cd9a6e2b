"""Fourteen yes/no tests."""

from __future__ import annotations

from annotation.protocols.registry import TEMPLATES
from tests.e2e.rating.every_kind.kind_case import Answers, KindCase

TESTS = [1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1]
TEMPLATE = TEMPLATES["creativity_tests"]


def answers(shown: list[str]) -> Answers:
    return {one.key: value for one, value in zip(TEMPLATE.forms[0].criteria, TESTS, strict=True)}


KEYS = " ".join("ny"[value] for value in TESTS) + " Enter"
CASE = KindCase(lambda: TEMPLATE, KEYS, answers, case_keys=KEYS)
