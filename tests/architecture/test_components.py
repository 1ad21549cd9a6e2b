"""Pages are built of components: what has a tag is not written by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
TAGS = {"scroll": "{% data_table %}", "notice": "{% notice %}", "pages": "{% pager %}"}
WRITTEN = re.compile(rf'class="({"|".join(TAGS)})(?=[ "{{])')
EXCEPTIONS = {
    ("annotation/rating/parts/content_warning.html", "notice"): "a section of its own, with a heading",
    ("annotation/studies/overview.html", "scroll"): "a chart scrolls, and no table",
    ("annotation/studies/parts/wording_change.html", "notice"): "a section of its own, with a heading",
    ("annotation/studies/texts/open_texts.html", "notice"): "a section of its own, with a heading",
    ("scoring/reports/paper.html", "scroll"): "a source text scrolls, and no table",
    ("scoring/similes/corpus_chart.html", "scroll"): "a chart scrolls, and no table",
}


def written_by_hand() -> set[tuple[str, str]]:
    """Each template outside the components with a class that a component writes."""
    found = set()
    for path in TEMPLATES.rglob("*.html"):
        name = str(path.relative_to(TEMPLATES))
        if not name.startswith("components/"):
            found |= {(name, kind) for kind in WRITTEN.findall(path.read_text(encoding="utf-8"))}
    return found


def test_what_has_a_component_is_not_written_by_hand():
    """Use the tag in `TAGS`, or say here why it does not fit."""
    assert written_by_hand() - set(EXCEPTIONS) == set()


def test_every_exception_is_still_needed():
    assert set(EXCEPTIONS) - written_by_hand() == set()


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ('<div class="scroll" tabindex="0">', ["scroll"]),
        ('<p class="notice notice--warn">', ["notice"]),
        ('<p class="notice{% if bad %} notice--error{% endif %}">', ["notice"]),
        ('<nav class="pages">', ["pages"]),
        ('<div class="notices">', []),
    ],
)
def test_markup_that_is_written_by_hand_is_found(source: str, kinds: list[str]) -> None:
    assert WRITTEN.findall(source) == kinds
