"""Where in the form editor something stands, in the words of its labels."""

from __future__ import annotations

import re

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

register = template.Library()
PARTS = {
    "criteria": gettext_lazy("Criterion %(n)d"),
    "points": gettext_lazy("point %(n)d"),
    "blocks": gettext_lazy("Text %(n)d"),
    "examples": gettext_lazy("Example %(n)d"),
    "practice": gettext_lazy("Text %(n)d of the practice item"),
}
LABELS = {
    "title": gettext_lazy("Title"),
    "key": gettext_lazy("Name in files"),
    "name": gettext_lazy("Name"),
    "kind": gettext_lazy("Answered by"),
    "question": gettext_lazy("Question"),
    "minimum": gettext_lazy("Lowest value"),
    "maximum": gettext_lazy("Highest value"),
    "asked_after": gettext_lazy("Only after an earlier answer"),
    "asked_when": gettext_lazy("Its answer"),
    "criteria": gettext_lazy("Criteria"),
    "points": gettext_lazy("Points"),
    "value": gettext_lazy("Value"),
    "keyboard": gettext_lazy("Key"),
    "description": gettext_lazy("What it means"),
    "blocks": gettext_lazy("What of an item is shown"),
    "field": gettext_lazy("Column of the item"),
    "role": gettext_lazy("Set"),
    "mark": gettext_lazy("Parts underlined"),
    "of": gettext_lazy("Options of criterion"),
    "unsure": gettext_lazy("Value of “not sure”, which stays last"),
    "answer_key": gettext_lazy("Metadata with the right value"),
    "nouns": gettext_lazy("Nouns"),
    "criterion": gettext_lazy("Criterion"),
    "text": gettext_lazy("Text"),
    "answer": gettext_lazy("Rating"),
    "reason": gettext_lazy("Reason"),
    "practice": gettext_lazy("Practice item"),
}


@register.filter
def place_in_form(path: str) -> str:
    """`criteria[1].points[2].label` as “Criterion 2, point 3, Label”; what has no label stays a name."""
    parts = [
        PARTS[kind] % {"n": int(n) + 1}
        for kind, n in re.findall(r"(criteria|points|blocks|examples|practice)\[([0-9]+)\]", path)
    ]
    last = path.rpartition(".")[2]
    if not re.search(r"\]$", last):
        parts.append(_label(last, in_text=path.startswith("blocks")))
    return ", ".join(parts)


def _label(name: str, *, in_text: bool) -> str:
    if name == "label":
        return _("Heading") if in_text else _("Label")
    return str(LABELS.get(name, name.replace("_", " ")))
