"""Pages are built of components: what has a tag is not written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES, STYLES = ROOT / "templates", ROOT / "static" / "css"
TAGS = {"scroll": "{% data_table %}", "notice": "{% notice %}", "pages": "{% pager %}"}
WRITTEN = re.compile(rf'class="({"|".join(TAGS)})(?=[ "{{])')
EXCEPTIONS = {
    ("annotation/rating/parts/content_warning.html", "notice"): "a section of its own, with a heading",
    ("annotation/studies/overview.html", "scroll"): "a chart scrolls, and no table",
    ("annotation/studies/parts/wording_change.html", "notice"): "a section of its own, with a heading",
    ("annotation/studies/texts/open_texts.html", "notice"): "a section of its own, with a heading",
    ("scoring/reports/exports/preview.html", "scroll"): "the lines of a file scroll, and no table",
    ("scoring/reports/paper.html", "scroll"): "a source text scrolls, and no table",
    ("scoring/similes/corpus_chart.html", "scroll"): "a chart scrolls, and no table",
}
TABLE = re.compile(r"{% data_table [^%]*\bstacks\b.*?{% enddata_table %}", re.DOTALL)
CELL = re.compile(r"<td\b(?:{%.*?%}|{{.*?}}|[^>])*>", re.DOTALL)
# The box that selects a row, what can be done with it, its text, a chart with an axis, and a bar that is
# hidden on phones
WITHOUT_LABEL = re.compile(r'class="[^"]*\b(cb|acts|verbatim|barcell|plot)\b')
UNLABELLED = {"annotation/studies/texts/group.html": "a text and its translation, each below the other"}


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


def test_no_table_takes_the_layout_of_another_part_with_the_same_class() -> None:
    """A table whose class is also that of a row of buttons would be laid out as a row."""
    named = {
        name
        for template in TEMPLATES.rglob("*.html")
        for classes in re.findall(r'{% data_table [^%]*classes="([^"]*)"', template.read_text("utf-8"))
        for name in classes.split()
    }
    assert len(named) > 5
    other_layout = re.compile(
        r"^\s*\.([\w-]+)\s*{[^}]*display:\s*(?:inline-)?(?:flex|grid|block)", re.MULTILINE
    )
    laid_out = {
        name for sheet in STYLES.rglob("*.css") for name in other_layout.findall(sheet.read_text("utf-8"))
    }
    assert not named & laid_out


def cells_without_label() -> Iterator[tuple[str, str]]:
    """Each template with a cell that has neither a label nor a reason for having none."""
    for path in sorted(TEMPLATES.rglob("*.html")):
        for table in TABLE.findall(path.read_text(encoding="utf-8")):
            body = table.partition("<tbody")[2]
            for cell in CELL.findall(body):
                if "data-label=" not in cell and not WITHOUT_LABEL.search(cell):
                    yield str(path.relative_to(TEMPLATES)), cell


def test_every_cell_of_a_stacked_table_has_the_head_of_its_column():
    """Give it `data-label`; a phone shows the cells of a row below each other, without the heads."""
    assert [found for found in cells_without_label() if found[0] not in UNLABELLED] == []


def test_every_unlabelled_table_still_is():
    assert set(UNLABELLED) == {name for name, _cell in cells_without_label()}
