"""Words in Hebrew on a page of the interface, and whether each takes the direction of its own letters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from html.parser import HTMLParser

ISOLATED = re.compile("\u2068[^\u2069]*\u2069")
HEBREW = re.compile("[\u0590-\u05ff]")
VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
# What no one reads in the page, or what has no direction of its own.
UNSEEN = frozenset({"script", "style", "title", "svg", "datalist"})
STRONG = frozenset({"L", "R", "AL"})


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def direction(self) -> str | None:
        return self.attributes.get("dir") or ("auto" if self.tag == "bdi" else None)

    def own_text(self) -> str:
        """Its words, as `dir="auto"` reads them: without elements that have a direction themselves."""
        return "".join(
            one
            if isinstance(one, str)
            else ""
            if one.direction or one.tag in {"script", "style", "textarea"}
            else one.own_text()
            for one in self.children
        )


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.place = self.root = Element("document", {})
        self.words: list[tuple[str, Element]] = []
        self.filled: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, dict(attrs), self.place)
        self.place.children.append(made)
        if HEBREW.search(made.attributes.get("value") or "") and tag == "input":
            self.filled.append(made)
        if tag not in VOID:
            self.place = made

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.place.tag == tag, f"</{tag}> closes <{self.place.tag}>"
        assert self.place.parent is not None
        self.place = self.place.parent

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        self.place.children.append(data)
        if HEBREW.search(ISOLATED.sub("", data)):
            self.words.append((data, self.place))


def without_direction(page: str) -> tuple[int, list[str]]:
    """How many Hebrew words a page shows, and those that follow the direction of the page.

    Those are right whose nearest element with a direction has `dir="auto"` and no letters before them.
    """
    tree = _Tree()
    tree.feed(page)
    seen = [(words, place) for words, place in tree.words if not _is_unseen(place)]
    lost = [_named(place, words) for words, place in seen if not _is_own(place)]
    hidden = [one for one in tree.filled if one.attributes.get("type") not in {"hidden", "radio", "checkbox"}]
    lost += [_named(one, "") for one in hidden if one.direction != "auto"]
    return len(seen) + len(hidden), lost


def _is_unseen(place: Element | None) -> bool:
    return place is not None and (place.tag in UNSEEN or _is_unseen(place.parent))


def _is_own(place: Element) -> bool:
    at: Element | None = place
    while at is not None and at.direction is None:
        at = at.parent
    if at is None or at.direction != "auto":
        return False
    first = next((one for one in at.own_text() if unicodedata.bidirectional(one) in STRONG), "")
    # Browsers give each line of these a direction of its own.
    return at.tag in {"textarea", "pre"} or HEBREW.match(first) is not None


def _named(place: Element, words: str) -> str:
    parts: list[str] = []
    at: Element | None = place
    while at is not None and len(parts) < 3:
        parts.append(".".join([at.tag, *(at.attributes.get("class") or "").split()]))
        at = at.parent
    return f"{' < '.join(parts)}: {words.strip()[:40]}"
