"""Safe rendering of researchers' Markdown to HTML: CommonMark with tables, without HTML or pictures."""

from __future__ import annotations

import re

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

# The depth of nested blocks, such as quotations in lists.
MOST_NESTED = 20
TEXTS_CACHED = 256
LARGEST_CACHED = 200_000
# Cells that a short row lacks are added to it, so a few pipes in a long text can become millions of cells.
MOST_CELLS = 5000
LINE_END = re.compile(r"\r\n?|\n")
SCHEMES = ("https://", "http://", "mailto:")
# Pages have one heading of the first level, which is their own.
SMALLEST_HEADING = 4


def render_markdown(text: str) -> SafeString:
    """Render Markdown for a page; a text of usual size is rendered once in each process.

    Line breaks stay. HTML is shown as it is written, and addresses of other schemes are no links. Tables that
    could have more than `MOST_CELLS` cells are shown as they are written.

    Parameters
    ----------
    text : str
        As it was written.
    """
    written = str(text)
    html = _cached.get(written)
    if html is None:
        html = _rendered(written)
        if len(html) <= LARGEST_CACHED:
            if len(_cached) >= TEXTS_CACHED:
                _cached.clear()
            _cached[written] = html
    return html


_cached: dict[str, SafeString] = {}


def _rendered(text: str) -> SafeString:
    parser = _parser(with_tables=_has_few_cells(text))
    tokens = parser.parse(text)
    for token in tokens:
        _make_safe(token)
    html: str = parser.renderer.render(tokens, parser.options, {})
    # Everything that was written is escaped by the renderer.
    return mark_safe(html)  # noqa: S308


def _has_few_cells(text: str) -> bool:
    """Whether tables of a text, however they are written, have at most `MOST_CELLS` cells in all."""
    lines = LINE_END.split(text)
    widest = 1 + max(line.count("|") for line in lines)
    return widest * len(lines) <= MOST_CELLS


def _parser(*, with_tables: bool) -> MarkdownIt:
    options = {"html": False, "breaks": True, "xhtmlOut": False, "maxNesting": MOST_NESTED}
    parser = MarkdownIt("commonmark", options)
    # Definitions of links would repeat a long address as often as a short name is written.
    parser.disable(["html_block", "html_inline", "image", "reference"])
    if with_tables:
        parser.enable("table")
    parser.validateLink = lambda url: url.startswith(SCHEMES)  # type: ignore[method-assign]
    return parser


def _make_safe(token: Token) -> None:
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(int(token.tag[1]) + 1, SMALLEST_HEADING)}"
    # Pages have no styles of their own.
    token.attrs.pop("style", None)
    for inner in token.children or ():
        if inner.type == "link_open":
            inner.attrSet("rel", "noopener noreferrer nofollow")
