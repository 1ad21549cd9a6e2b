"""What a browser would send of a form in a page, before anybody changes a field."""

from __future__ import annotations

from html.parser import HTMLParser


def filled_fields(page: str, form_id: str) -> dict[str, list[str]]:
    """The values of the fields of a form by name; buttons are not among them."""
    reader = _Reader(form_id)
    reader.feed(page)
    return reader.fields


class _Reader(HTMLParser):
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
