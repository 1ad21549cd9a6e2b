"""A test with the answers yes and no, alone or in a set whose results are summed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import (
    Document,
    PointLike,
    Problems,
    Question,
    gettext_noop,
)
from annotation.domain.questions.kinds.likert import Likert
from annotation.domain.questions.kinds.settings_schema import settings_of

NO, YES = "0", "1"
LONGEST_SET = 40
SET = re.compile(r"[a-z0-9][-_a-z0-9]*", re.ASCII)
SETTINGS_SCHEMA = settings_of(
    "a yes/no test",
    {
        "set": {
            "description": "Short name of the set to which the test belongs. Tests of one set are summed.",
            "type": "string",
            "maxLength": LONGEST_SET,
            "default": "",
        },
    },
)


class Binary(Likert):
    """A scale of two points, no (0) and yes (1), one row of a page; tests of one set have a sum."""

    key = "binary"
    title = gettext_noop("yes/no test")
    missing_message = message("Choose yes or no, or select “Can’t rate”.")
    settings_schema = SETTINGS_SCHEMA
    script = "js/rating/kinds/binary.js"
    style = "css/kinds/binary.css"
    first_points = (
        {"value": NO, "label": "No", "description": "", "keyboard": "n"},
        {"value": YES, "label": "Yes", "description": "", "keyboard": "y"},
    )

    def missing(self, question: Question) -> str:
        return self.missing_message

    def end_problems(self, criterion: Document) -> Problems:
        if [point["value"] for point in criterion["points"]] != [NO, YES]:
            yield "points", message("A yes/no test has two points: 0 for no, then 1 for yes.")
        elif [criterion["minimum"], criterion["maximum"]] != [0, 1]:
            yield "minimum", message("A yes/no test goes from 0 to 1. Remove minimum and maximum.")

    def settings_problems(self, criterion: Document) -> Problems:
        name = self.set_of(criterion["settings"])
        if name and (len(name) > LONGEST_SET or not SET.fullmatch(name)):
            sentence = message("Use only small letters a to z, digits, hyphens and underscores, at most 40.")
            yield f"settings.{self.key}.set", sentence

    def set_of(self, settings: Document) -> str:
        return str(settings.get(self.key, {}).get("set", ""))

    def scale_in_words(self, low: float | None, high: float | None) -> str:
        return f"yes/no, {low} to {high}"

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: {"set": "", **settings.get(self.key, {})}}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        name = self.set_of(settings)
        return {self.key: {"set": name}} if name else {}

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        return {self.key: {"set": fields.get("set", "").strip().lower()}}

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        return {"css": f"criterion--{self.key}", "in_rows": True, "yes_first": points[::-1]}


BINARY = Binary()
