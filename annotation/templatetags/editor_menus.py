"""Menus of the form editor: names that the study has, in place of names that somebody types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

from annotation.domain.questions.kinds.registry import KINDS

register = template.Library()
Choices = list[tuple[str, str]]
Criteria = Sequence[Mapping[str, Any]]


@register.filter
def as_choices(names: Sequence[str]) -> Choices:
    """Names that are their own words."""
    return [(name, name) for name in names]


@register.filter
def criterion_choices(criteria: Criteria) -> Choices:
    """The criteria of a form that have points, by the key by which others name them."""
    return [(one["key"], one["name"] or one["key"]) for one in criteria if one["key"] and one["points"]]


@register.filter
def with_current(choices: Choices, current: str) -> Choices:
    """A menu in which the chosen name stands even where nothing has it any more."""
    known = not current or current in {value for value, _words in choices}
    return choices if known else [*choices, (current, current)]


@register.simple_tag
def earlier_answers(criteria: Criteria, place: int) -> list[tuple[str, Choices]]:
    """The answers after which a criterion can be asked, by the earlier criteria whose answers they are."""
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
    """The answer after which a criterion is asked, as `earlier_answers` writes it; empty where always."""
    return f"{criterion['asked_after']}={criterion['asked_when']}" if criterion["asked_after"] else ""


@register.filter
def has_answer(groups: Sequence[tuple[str, Choices]], current: str) -> bool:
    """Whether an answer is among those of the menu."""
    return any(value == current for _name, answers in groups for value, _words in answers)
