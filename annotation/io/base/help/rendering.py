"""Pages of the documentation as HTML, rendered from the Markdown files that the site is built from."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown import Markdown

from annotation.io.base.help.contents import DOCUMENTS, Entry, address_of

# The built site uses the same extensions (`docs/site/mkdocs.yml`).
EXTENSIONS = ("tables", "fenced_code", "toc")
# Folders whose files this server serves in addition to its pages.
SERVED = ("images/", "clients/")
PAGE = re.compile(r'<a href="(?P<target>[^":]+\.md(?:#[^"]*)?)"')
FILE = re.compile(r'(?P<attribute>src|href)="(?P<target>[^":#]+\.(?:png|svg|jpg|R|ipynb))"')
ALIGNED = re.compile(r' style="text-align: (?P<side>\w+);"')
PAGES_CACHED = 256


@dataclass(frozen=True)
class Heading:
    """A heading of a page that its table of contents names."""

    anchor: str
    title: SafeString  # HTML, with code and special characters as in the page


@dataclass(frozen=True)
class HelpPage:
    """A rendered page."""

    title: str
    body: SafeString
    headings: tuple[Heading, ...]
    anchors: frozenset[str]


def rendered(entry: Entry) -> HelpPage:
    """Render a page; a page that has not changed is rendered once in each process.

    Parameters
    ----------
    entry : Entry
        The page, as the contents name it.

    Returns
    -------
    HelpPage
        The page with links to other pages as addresses of this server.
    """
    return _rendered(entry.file, (DOCUMENTS / entry.file).stat().st_mtime_ns)


@lru_cache(maxsize=PAGES_CACHED)
def _rendered(file: str, _changed: int) -> HelpPage:
    markdown = Markdown(extensions=list(EXTENSIONS), output_format="html")
    converted = markdown.convert((DOCUMENTS / file).read_text(encoding="utf-8"))
    headings = list(_flat(markdown.toc_tokens))
    body = _with_frames(_with_addresses(_with_aligned_cells(converted), posixpath.dirname(file)))
    return HelpPage(
        title=headings[0]["name"],
        body=_trusted(body),
        headings=tuple(Heading(one["id"], _trusted(one["html"])) for one in headings if one["level"] == 2),
        anchors=frozenset(one["id"] for one in headings),
    )


def _trusted(html: str) -> SafeString:
    """HTML of the help pages is safe, because they are part of the program."""
    return mark_safe(html)  # noqa: S308


def _flat(tokens: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for token in tokens:
        yield token
        yield from _flat(token["children"])


def _with_addresses(html: str, folder: str) -> str:
    """Links to other pages and to files, and pictures, become addresses of this server."""

    def page(found: re.Match[str]) -> str:
        file, _, anchor = found["target"].partition("#")
        address = address_of(posixpath.normpath(posixpath.join(folder, file)))
        link = reverse("help-page", args=[address]) if address else reverse("help")
        return f'<a href="{link}#{anchor}"' if anchor else f'<a href="{link}"'

    def file(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, found["target"]))
        served = next((path.removeprefix(one) for one in SERVED if path.startswith(one)), path)
        return f'{found["attribute"]}="{static(f"help/{served}")}"'

    return FILE.sub(file, PAGE.sub(page, html))


def _with_aligned_cells(html: str) -> str:
    """Columns of numbers get a class: browsers refuse styles in pages of this server."""
    return ALIGNED.sub(lambda found: ' class="n"' if found["side"] == "right" else "", html)


def _with_frames(html: str) -> str:
    """Wide tables and long lines scroll within their own frame, also by keyboard."""
    # An empty first cell is no heading of its column.
    framed = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace(
        "<th></th>", "<td></td>"
    )
    return framed.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
