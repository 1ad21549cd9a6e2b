"""Markdown becomes formatted text, and nothing in it can run or load anything."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.io.questions.safe_markdown import render_markdown

TAGS = {
    *("p", "br", "h2", "h3", "h4", "ul", "ol", "li", "em", "strong", "a", "code", "pre", "blockquote", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {("a", "href"), ("a", "rel"), ("a", "title"), ("ol", "start"), ("code", "class")}


class Found(HTMLParser):
    """The tags and attributes of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(tag, name) for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]


def found_in(text: str) -> Found:
    found = Found()
    found.feed(render_markdown(text))
    return found


def test_headings_lists_and_emphasis_are_formatted():
    html = render_markdown("# Rate\n\nRead it *twice*.\nThen rate.\n\n- one\n- two")
    assert "<h2>Rate</h2>" in html
    assert "<em>twice</em>" in html
    assert "<br" in html
    assert html.count("<li>") == 2


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](//evil.example/)",
        "![x](https://evil.example/pixel.png)",
        "<javascript:alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
        '[x](https://e.org "\\" onclick=\\"alert(1)")',
    ],
)
def test_nothing_runs_or_is_loaded(text):
    found = found_in(text)
    assert found.tags <= TAGS
    assert found.attributes <= ATTRIBUTES
    assert all(link.startswith(("https://", "http://", "mailto:")) for link in found.links)


@given(st.text(alphabet=st.sampled_from("<>[]()!#*_`-|:/ \n\"'=&;ajsx"), max_size=200))
def test_any_text_has_allowed_tags_alone(text):
    found = found_in(text)
    assert found.tags <= TAGS
    assert found.attributes <= ATTRIBUTES


@pytest.mark.parametrize("piece", ["[", "![", "*", ">", "`", "[a](", "<"])
def test_a_long_text_of_openings_does_not_take_long(piece):
    assert render_markdown(piece * 10_000)


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_tables_of_many_cells_stay_as_they_are_written(line_end):
    table = line_end.join(("|a" * 60 + "|", "|-" * 60 + "|", *["x"] * 60))
    html = render_markdown(f"# Rate{line_end * 2}" + (line_end * 2).join([table] * 3))
    assert "<h2>Rate</h2>" in html
    assert "<td>" not in html
    assert len(html) < 5000


def test_tables_of_a_long_guide_are_formatted():
    html = render_markdown("Read it.\n\n" * 100 + "| a | b | c |\n|---|---|---|\n" + "| 1 | 2 | 3 |\n" * 100)
    assert html.count("<td>") == 300


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["|", "a", "|-", "-", "\n", "\r", "\u2028", "> ", "\\|"]), max_size=120))
def test_no_text_has_more_cells_than_it_is_taken_to_have(pieces):
    text = "|a|a|\n|-|-|\n" + "".join(pieces)
    lines = text.replace("\r", "\n").split("\n")
    html = render_markdown(text)
    assert html.count("<td>") + html.count("<th>") <= (1 + max(line.count("|") for line in lines)) * len(
        lines
    )


def test_a_text_is_not_multiplied_by_definitions_of_links():
    text = f"[a]: https://example.org/{'x' * 5_000}\n\n" + "[a]" * 1_000
    assert len(render_markdown(text)) < 2 * len(text)
