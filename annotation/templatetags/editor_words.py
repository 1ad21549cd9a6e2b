"""Labels and menus of the form editor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.base.numbers import as_typed
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.registry import KINDS
from annotation.forms.form_document import derived_key, has_first_points
from annotation.templatetags.rater_words import translated
from config.formats.enumeration import joined

register = template.Library()
Choices = list[tuple[str, str]]
Criteria = Sequence[Mapping[str, Any]]
# The most points without words in a row that the editor shows without folding them.
LONGEST_RUN = 11
PARTS = {
    "criteria": gettext_lazy("Criterion %(n)d"),
    "points": gettext_lazy("point %(n)d"),
    "blocks": gettext_lazy("Text %(n)d"),
    "examples": gettext_lazy("Example %(n)d"),
    "practice": gettext_lazy("Text %(n)d of the practice item"),
}
LACKING = {
    "checks": gettext_lazy("Attention checks cannot use this kind of question."),
    "calibration": gettext_lazy("Calibration items cannot have a reference value for this kind of question."),
    "conditions": gettext_lazy("No later question can depend on this kind of question."),
    "stages": gettext_lazy("This kind of question cannot decide which items a next stage receives."),
    "statistics": gettext_lazy("Reports have no statistics of this kind of question."),
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
    "top": gettext_lazy("Number of ranked options"),
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
def number_as_typed(value: float | str) -> str:
    """A stored number as its field takes it; what is no number yet, as it was typed."""
    return value if isinstance(value, str) else as_typed(str(value))


@register.simple_tag(takes_context=True)
def field_state(context: Context, *name: object, described_by: str = "") -> SafeString:
    """The attributes of a field: what describes it, whether it is wrong, and whether it has the focus."""
    field = "-".join(map(str, name))
    is_wrong = field in _wrong(context)
    described = " ".join(filter(None, [described_by, f"{field}-error" if is_wrong else ""]))
    return format_html(
        "{}{}{}",
        format_html(' aria-describedby="{}"', described) if described else "",
        mark_safe(' aria-invalid="true"') if is_wrong else "",
        mark_safe(" autofocus") if field == context.get("focus") else "",
    )


def _wrong(context: Context) -> Mapping[str, Sequence[object]]:
    """What the last attempt to save found wrong with each field."""
    return context.get("wrong") or {}


@register.simple_tag(takes_context=True)
def field_error(context: Context, *name: object) -> SafeString | str:
    """What is wrong with a field, next to it; nothing unless an attempt to save found it wrong."""
    field = "-".join(map(str, name))
    sentences = _wrong(context).get(field, [])
    if not sentences:
        return ""
    words = " ".join(str(translated(one)) for one in sentences)
    return format_html('<p class="err" id="{}-error">{}</p>', field, words)


@dataclass(frozen=True)
class PointRun:
    """Neighbouring points of a scale, each with its place; a long run of numbers without words is folded."""

    points: Sequence[tuple[int, Mapping[str, Any]]]
    is_folded: bool
    is_open: bool


@register.simple_tag(takes_context=True)
def runs_of_points(context: Context, points: Sequence[Mapping[str, Any]], place: int) -> list[PointRun]:
    """The points of a criterion in order; numbers without words have runs of their own.

    A folded run is open if the last attempt to save found one of its fields wrong.
    """
    wrong = {"-".join(name.split("-")[:3]) for name in _wrong(context)}
    runs = []
    for is_bare, run in groupby(enumerate(points), key=lambda one: _is_bare(one[1])):
        found = list(run)
        is_open = any(f"point-{place}-{inner}" in wrong for inner, _point in found)
        runs.append(PointRun(found, is_bare and len(found) > LONGEST_RUN, is_open))
    return runs


def _is_bare(point: Mapping[str, Any]) -> bool:
    is_number = str(point["value"]).removeprefix("-").isdecimal()
    return is_number and not (point["label"] or point["description"])


@register.simple_tag(takes_context=True)
def repeats_points(context: Context, criteria: Criteria, place: int) -> bool:
    """Whether a criterion has the points of the one above, no meanings yet, and no error among its points."""
    points = criteria[place]["points"]
    above = criteria[place - 1]["points"] if place else []
    named = [(point["value"], point["label"]) for point in points]
    is_wrong = any(name.startswith(f"point-{place}-") for name in _wrong(context))
    is_described = any(point["description"] for point in points)
    same = named == [(point["value"], point["label"]) for point in above]
    return bool(points) and same and not is_described and not is_wrong


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
                (f"{one['key']}={value}", str(translated(words)))
                for value, words in KINDS[one["kind"]].conditions(one["points"])
            ],
        )
        for one in criteria[:place]
        if one["key"] and one["kind"] in KINDS and KINDS[one["kind"]].conditions(one["points"])
    ]


@dataclass(frozen=True)
class ChosenCondition:
    """The condition of a criterion in the menus: `answer` as in `earlier_answers`, and its comparison."""

    answer: str
    comparison: str


@register.simple_tag
def condition_of(criterion: Mapping[str, Any], groups: Sequence[tuple[str, Choices]]) -> ChosenCondition:
    """The condition of a criterion; empty if it is always shown."""
    after, when = criterion["asked_after"], criterion["asked_when"]
    exact = f"{after}={when}" if after else ""
    if not after or has_answer(groups, exact):
        return ChosenCondition(exact, "")
    condition = Condition.read(when)
    return ChosenCondition(f"{after}={condition.value}", condition.comparison.value)


@register.simple_tag
def comparisons() -> Choices:
    """Which answers, in addition to the one in the menu, lead to a criterion."""
    return [
        (Comparison.EXACTLY.value, _("no other answer")),
        (Comparison.AT_LEAST.value, _("all higher answers")),
        (Comparison.AT_MOST.value, _("all lower answers")),
    ]


@register.filter
def words_by_language(criterion: Mapping[str, Any]) -> list[dict[str, str]]:
    """The settings of its kind that are words, in each language of rating pages, for fields."""
    own = criterion["settings"].get(criterion["kind"], {})
    worded = {name: words for name, words in own.items() if isinstance(words, Mapping)}
    found = []
    for language, name in settings.LANGUAGES:
        words = {name: words.get(language, "") for name, words in worded.items()}
        found.append({"language": language, "name": str(name), "field": language.replace("-", "_"), **words})
    return found


@register.filter
def what_it_lacks(kind: str) -> list[str]:
    """Sentences on what the answers of a kind of question cannot be used for."""
    return [str(LACKING[one]) for one in KINDS[kind].lacks] if kind in KINDS else []


@register.filter
def has_own_key(criterion: Mapping[str, Any], place: int) -> bool:
    """Whether the short name of a criterion differs from the one that is created from its name."""
    return bool(criterion["key"]) and criterion["key"] != derived_key(criterion["name"], place)


@register.filter
def starts_without_scale(criterion: Mapping[str, Any]) -> bool:
    """Whether to offer common scales at once: the points are those of a new criterion."""
    return has_first_points(dict(criterion))


@register.filter
def has_answer(groups: Sequence[tuple[str, Choices]], current: str) -> bool:
    """Whether the menu contains an answer."""
    return any(value == current for _name, answers in groups for value, _words in answers)


@register.filter
def weight_of(weights: Mapping[str, Any], value: str) -> str:
    """The weight of a point as a field shows it; empty for a point without one."""
    return str(weights.get(value, ""))
