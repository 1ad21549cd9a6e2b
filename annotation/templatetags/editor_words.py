"""Labels and menus of the form editor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.questions.kinds.registry import KINDS
from config.formats.enumeration import joined

register = template.Library()
Choices = list[tuple[str, str]]
Criteria = Sequence[Mapping[str, Any]]
PARTS = {
    "criteria": gettext_lazy("Criterion %(n)d"),
    "points": gettext_lazy("point %(n)d"),
    "blocks": gettext_lazy("Text %(n)d"),
    "examples": gettext_lazy("Example %(n)d"),
    "practice": gettext_lazy("Text %(n)d of the practice item"),
}
LABELS = {
    "title": gettext_lazy("Title"),
    "key": gettext_lazy("Short name in files"),
    "name": gettext_lazy("Name"),
    "kind": gettext_lazy("Question type"),
    "question": gettext_lazy("Question"),
    "minimum": gettext_lazy("Lowest value"),
    "maximum": gettext_lazy("Highest value"),
    "asked_after": gettext_lazy("Display logic"),
    "asked_when": gettext_lazy("Answer of the earlier criterion"),
    "criteria": gettext_lazy("Criteria"),
    "points": gettext_lazy("Scale points"),
    "value": gettext_lazy("Value"),
    "keyboard": gettext_lazy("Shortcut"),
    "description": gettext_lazy("Meaning"),
    "blocks": gettext_lazy("Item texts shown"),
    "field": gettext_lazy("Column of the item"),
    "role": gettext_lazy("Display as"),
    "mark": gettext_lazy("Underlined components"),
    "of": gettext_lazy("Options for criterion"),
    "unsure": gettext_lazy("Value of the “not sure” option (always shown last)"),
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
    """`criteria[1].points[2].label` as “Criterion 2, point 3, Label”; other names stay."""
    parts = [
        PARTS[kind] % {"n": int(n) + 1}
        for kind, n in re.findall(r"(criteria|points|blocks|examples|practice)\[([0-9]+)\]", path)
    ]
    last = path.rpartition(".")[2]
    if not re.search(r"\]$", last):
        parts.append(_label(last, in_text=path.startswith("blocks")))
    return joined(parts)


def _label(name: str, *, in_text: bool) -> str:
    if name == "label":
        return _("Heading") if in_text else _("Label")
    return str(LABELS.get(name, name.replace("_", " ")))


@register.filter
def as_choices(names: Sequence[str]) -> Choices:
    """Names that are their own labels."""
    return [(name, name) for name in names]


@register.filter
def criterion_choices(criteria: Criteria) -> Choices:
    """The criteria of a form that have points, by key."""
    return [(one["key"], one["name"] or one["key"]) for one in criteria if one["key"] and one["points"]]


@register.filter
def with_current(choices: Choices, current: str) -> Choices:
    """A menu that contains the chosen name even if it no longer exists."""
    known = not current or current in {value for value, _words in choices}
    return choices if known else [*choices, (current, current)]


@register.simple_tag
def earlier_answers(criteria: Criteria, place: int) -> list[tuple[str, Choices]]:
    """The answers that can be a condition for a criterion, by earlier criterion."""
    return [
        (
            one["name"] or one["key"],
            [
                (f"{one['key']}={point['value']}", f"{point['value']} {point['label']}".strip())
                for point in one["points"]
                if point["value"]
            ],
        )
        for one in criteria[:place]
        if one["key"] and one["kind"] in KINDS and KINDS[one["kind"]].decides
    ]


@register.simple_tag
def condition_of(criterion: Mapping[str, Any]) -> str:
    """The condition of a criterion in the format of `earlier_answers`; empty if it is always shown."""
    return f"{criterion['asked_after']}={criterion['asked_when']}" if criterion["asked_after"] else ""


@register.filter
def has_answer(groups: Sequence[tuple[str, Choices]], current: str) -> bool:
    """Whether the menu contains an answer."""
    return any(value == current for _name, answers in groups for value, _words in answers)
