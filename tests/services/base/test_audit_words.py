"""Every act that a service writes into a log has words that the pages of the log show and translate."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.domain.base.log.details import DETAILS
from annotation.templatetags.audit_words import ACTS, act_words, detail_words

ROOT = Path(__file__).parents[3]
RECORDERS = {"record", "record_for_site"}


def acts_in(source: str) -> Iterator[str]:
    """The acts that calls of the audit log name."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in RECORDERS
        ):
            yield from (
                keyword.value.value
                for keyword in node.keywords
                if keyword.arg == "act"
                and isinstance(keyword.value, ast.Constant)
                and isinstance(keyword.value.value, str)
            )


def details_in(source: str) -> Iterator[str]:
    """The names of the details that calls of the audit log give."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in RECORDERS
        ):
            yield from (one.arg for one in node.keywords if one.arg not in {None, "study", "actor", "act"})


def test_every_recorded_detail_has_words() -> None:
    modules = [path for top in ("annotation", "scoring") for path in (ROOT / top).rglob("*.py")]
    named = {detail for path in modules for detail in details_in(path.read_text(encoding="utf-8"))}
    named |= {"floor", "page_seconds", "paid_for", "shown", "slots"}
    assert named - DETAILS.keys() == set()


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ({"budget": None}, "Budget: none"),
        ({"slots": 0}, "Rating slots: 0"),
        ({"n_items": 17, "n_raters": 0, "n_responses": 2}, "Items: 17; Raters: 0; Responses: 2"),
        ({"kind": "base"}, "Kind: pay"),
        ({"kind": "gold"}, "Kind: gold item"),
        ({"kind": "magic_link"}, "Kind: magic link"),
        ({"state": "in_doubt"}, "State: in doubt"),
        ({"floor": "12", "paid_for": "sitting"}, "Minimum hourly rate: 12; Payment unit: per session"),
        ({"cap": None, "label": ""}, ""),
    ],
)
def test_details_are_given_in_words(detail: dict[str, object], words: str) -> None:
    assert detail_words(detail) == words


def test_a_bundle_that_was_only_created_is_not_called_downloaded() -> None:
    assert act_words("export_bundle") == "Data bundle created"


def test_every_recorded_act_has_words() -> None:
    modules = [path for top in ("annotation", "scoring") for path in (ROOT / top).rglob("*.py")]
    named = {act for path in modules for act in acts_in(path.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert named - ACTS.keys() == set()


def test_flags_with_which_a_rater_was_not_excluded_have_words() -> None:
    seen = {"flags": ["too_fast"], "figures": {"too_fast": {"value": 0.9, "n": 30}}}
    words = detail_words(seen)
    assert "too_fast" not in words
    assert "too fast" not in words
    assert words.count("Pages answered faster than reading speed") == 2
