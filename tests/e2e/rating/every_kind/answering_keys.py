"""Keys that answer questions, and the options of a page in the order in which it shows them."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.rating.every_kind.kind_studies import SHORT, templates

OPTIONS = {
    "best-worst": ("[data-choice=best]", "points => points.map(point => point.value)"),
    "ranking": ("[data-option]", "rows => rows.map(row => row.dataset.option)"),
    "preference": (".grades input", "points => points.map(point => point.value)"),
}


def press(page: Page, keys: str) -> None:
    for typed, key in re.findall(r"\(([^)]*)\)|(\S+)", keys):
        if typed:
            page.keyboard.type(typed)
        else:
            page.keyboard.press(key)
        if key == "k":
            expect(page.get_by_role("radio", name="4 of 5").first).to_be_enabled()


TESTS = [1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1]


def expected(kind: str, shown: list[str]) -> dict[str, Any]:
    """The answers of the keys; `shown` are the options in the order of the page."""
    if kind == "best-worst":
        between = "=".join(sorted((shown[1], shown[3])))
        return {"novelty": f"{shown[0]}>{between}>{shown[2]}"}
    if kind == "ranking":
        return {"order": ">".join((shown[1], shown[0], shown[2], shown[3]))}
    if kind == "errors":
        start, end = SHORT.index("The village"), SHORT.index(" lay")
        error = {"start": start, "end": end, "category": "meaning", "severity": "major"}
        return {"errors": json.dumps([{**error, "text": "The village"}]), "overall": 40}
    if kind == "preference":
        return {"better": shown[1], "reason": "The second one ends."}
    if kind == "binary":
        return {one.key: value for one, value in zip(templates()[kind].forms[0].criteria, TESTS, strict=True)}
    rated: dict[str, dict[str, Any]] = {
        "slider": {"apt": 72},
        "magnitude": {"apt": 12.5},
        "media": {"fit": 4, "addition": 5},
    }
    return rated[kind]
