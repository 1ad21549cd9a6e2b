"""Criteria that are added by their names get the scale of the last one, and the reason that follows it."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.forms.form_document import new_form, with_named

pytestmark = pytest.mark.pure


def form_with_test(*, reason: bool) -> dict[str, Any]:
    form = new_form("Stories")
    (test,) = form["criteria"]
    points = [{"value": value, "label": "", "description": "", "keyboard": ""} for value in "01"]
    settings = {**test["settings"], "binary": {"set": "craft"}}
    test |= {"key": "plot", "name": "Plot", "kind": "binary", "points": points, "settings": settings}
    if reason:
        asked = {"asked_after": "plot", "asked_when": "0", "kind": "text", "points": [], "required": False}
        form["criteria"].append({**test, **asked, "key": "plot-why", "name": "Reason"})
    return form


def test_pasted_names_become_tests_of_the_same_set():
    form = with_named(form_with_test(reason=False), "Ending: Is it good?\nVoice")
    assert [(one["key"], one["kind"], one["question"]) for one in form["criteria"]] == [
        ("plot", "binary", ""),
        ("ending", "binary", "Is it good?"),
        ("voice", "binary", ""),
    ]
    assert {one["settings"]["binary"]["set"] for one in form["criteria"]} == {"craft"}


def test_a_reason_after_the_last_test_comes_after_each_added_test():
    form = with_named(form_with_test(reason=True), "Ending\nVoice")
    added = [(one["key"], one["kind"], one["asked_after"], one["asked_when"]) for one in form["criteria"]]
    assert added[2:] == [
        ("ending", "binary", "", ""),
        ("ending-why", "text", "ending", "0"),
        ("voice", "binary", "", ""),
        ("voice-why", "text", "voice", "0"),
    ]
    assert not form["criteria"][-1]["required"]
