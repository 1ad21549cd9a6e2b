"""Pages compared without their layout, and what a browser would send of a form in them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

TAG = re.compile(r"\s*(<[^>]*>)\s*")


def folded(page: str) -> str:
    """The page without white space around tags, and with single spaces inside them."""
    return TAG.sub(lambda tag: re.sub(r"\s+", " ", tag[1]).replace(" >", ">"), page)


def filled_fields(page: str, form_id: str) -> dict[str, list[str]]:
    """The values of the fields of a form by name, as it was rendered; buttons are not among them."""
    reader = _FormReader(form_id)
    reader.feed(page)
    return reader.fields


class _FormReader(HTMLParser):
    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id, self.inside, self.text = form_id, False, ""
        self.fields: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("id") == self.form_id
        if not self.inside or "name" not in given:
            return
        if tag == "textarea":
            self.text = given["name"]
            self.fields.setdefault(self.text, [""])
        elif tag == "input" and (given.get("type") not in {"radio", "checkbox"} or "checked" in given):
            self.fields.setdefault(given["name"], []).append(given.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self.text:
            self.fields[self.text] = [self.fields[self.text][0] + data]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.text = ""
        elif tag == "form":
            self.inside = False
