"""A form of a study as fields of a page, read and changed part by part.

The name of a field gives its position: `title`, `criterion-0-name`, `point-0-2-label`, `block-1-field`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Collection
from itertools import count
from typing import Any

from django.http import QueryDict
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.kinds.condition import (
    Comparison,
    Condition,
    follow_up_after,
    last_with_follow_up,
)
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import DEFAULT_KIND, KINDS
from annotation.forms.scale_presets import PRESETS
from annotation.protocols.template import KEYS

Document = dict[str, Any]
PART = re.compile(r"(criterion|point|block|example|practice)-([0-9]{1,3})(?:-([0-9]{1,3}))?-([a-z_]+)")
ACT = re.compile(
    r"(add|remove|up|down|kind|copy)-(criterion|point|block|example|practice)(?:\.([0-9]{1,3}))?(?:\.([0-9]{1,3}))?"
)
PRESET_ACT = re.compile(r"preset-([a-z_]+)\.([0-9]{1,3})")
LONGEST_KEY = 60
LONGEST_NAME = 120
# The list of each kind of part, and a new part of it.
NEW_PARTS: dict[str, tuple[str, Document]] = {
    "block": ("blocks", {"field": "", "label": "", "role": "text", "mark": []}),
    "example": ("examples", {"criterion": "", "text": "", "answer": "", "right": True, "reason": ""}),
    "practice": ("practice", {"field": "", "text": ""}),
}
NUMBERS = ("minimum", "maximum")
# Parts of a criterion without a field: the field at which their problems are shown.
FIELDS = {"points": "name", "asked_when": "asked_after"}
# Kinds of answers whose scale or options the next criterion starts with.
WITH_SCALE = (Yields.NUMBER, Yields.LABEL, Yields.LABELS)
# The separator of the name and the question of a criterion in a list of several.
BEFORE_QUESTION = re.compile(r"\s*[:：]\s*")
SETTINGS_OF_POINTS = {name for kind in KINDS.values() for name in kind.fields_of_points}


def document_from(posted: QueryDict) -> Document:
    """The form of a page in the shape of a definition; unreadable numbers stay as typed."""
    parts: dict[str, dict[tuple[int, int], Document]] = {
        kind: {} for kind in ("criterion", "point", "block", "example", "practice")
    }
    for name in posted:
        found = PART.fullmatch(name)
        if found:
            kind, place, inner, field = found.groups()
            part = parts[kind].setdefault((int(place), int(inner or 0)), {})
            part[field] = _plain(posted.get(name, ""))
    typed = {one.get("key", "") for one in parts["criterion"].values()}
    document: Document = {
        "key": posted.get("key", "").strip(),
        "title": _plain(posted.get("title", "")),
        "question": _plain(posted.get("question", "")),
        "cannot_rate": "cannot_rate" in posted,
        "blocks": [_block(one) for _place, one in sorted(parts["block"].items())],
        "criteria": [
            _criterion(one, _points_at(parts["point"], place), place, typed)
            for (place, _inner), one in sorted(parts["criterion"].items())
        ],
        "examples": [_example(one) for _place, one in sorted(parts["example"].items())],
        "practice": [
            {name: one.get(name, "") for name in ("field", "text")}
            for _place, one in sorted(parts["practice"].items())
        ],
    }
    return _with_renamed(document, [one for _place, one in sorted(parts["criterion"].items())])


def derived_key(name: str, place: int, taken: Collection[str] = ()) -> str:
    """The short name in files of a criterion without one of its own, from its name or its place.

    Parameters
    ----------
    name : str
        The name on pages.
    place : int
        Its place in the form, from 0.
    taken : collection of str
        Short names that a name without Latin letters must not get.
    """
    numbered = (f"criterion-{number}" for number in count(place + 1))
    return slugify(name)[:LONGEST_KEY].strip("-") or next(key for key in numbered if key not in taken)


def with_named(document: Document, names: str) -> Document:
    """Add criteria at the end, each with the scale of the last one and the question that follows that one.

    Parameters
    ----------
    document : dict
        The form.
    names : str
        Their names, one per line, each with its question after a colon if it has one.
    """
    models, follow_up = last_with_follow_up(document["criteria"])
    for line in filter(None, map(str.strip, names.splitlines())):
        name, *question = BEFORE_QUESTION.split(line, maxsplit=1)
        added = {**_next_criterion(models), "name": name, "question": "".join(question)}
        taken = {one["key"] for one in document["criteria"]}
        added["key"] = derived_key(name, len(document["criteria"]), taken)
        document["criteria"] += [added, *([follow_up_after(added, follow_up)] if follow_up else [])]
    return document


def changed(document: Document, act: str) -> Document:
    """The form after a button: `add-criterion`, `up-criterion.1`, `remove-point.0.2`, `kind-criterion.0`.

    `copy-criterion.0` adds a copy below the criterion, `preset-agreement.0` gives it one of `PRESETS`.
    """
    if preset := PRESET_ACT.fullmatch(act):
        return _with_preset(document, preset[1], int(preset[2]))
    found = ACT.fullmatch(act)
    if not found:
        return document
    verb, kind, first, second = found.groups()
    place, inner = int(first or 0), int(second or 0)
    if verb == "kind":
        for criterion in document["criteria"][place : place + 1]:
            _reset_points(criterion)
        return document
    if verb == "copy":
        document["criteria"][place + 1 : place + 1] = map(_copied, document["criteria"][place : place + 1])
        return document
    if kind == "point":
        if place < len(document["criteria"]):
            criterion = document["criteria"][place]
            _change(criterion["points"], verb, inner, _new_point(criterion))
        return document
    new = NEW_PARTS.get(kind)
    if new is None:
        _change(document["criteria"], verb, place, _next_criterion(document["criteria"]))
    else:
        _change(document[new[0]], verb, place, copy.deepcopy(new[1]))
    return document


def _change(parts: list[Any], verb: str, place: int, new: Document) -> None:
    if verb == "add":
        parts.append(new)
    elif verb == "remove" and place < len(parts):
        del parts[place]
    elif verb in {"up", "down"}:
        other = place - 1 if verb == "up" else place + 1
        if 0 <= other < len(parts) and place < len(parts):
            parts[place], parts[other] = parts[other], parts[place]


def without_plain_ends(document: Document) -> Document:
    """A form without the ends of scales that follow from the points."""
    for one in document["criteria"]:
        values = [point["value"] for point in one["points"]]
        low, high = KINDS[one["kind"]].ends_to_edit(one["minimum"], one["maximum"], values)
        one["minimum"], one["maximum"] = low, high
    return document


def with_names(document: Document, title: str, name: str) -> Document:
    """Fill in the missing names of a form, so that it can be shown.

    Parameters
    ----------
    document : dict
        The form.
    title : str
        For a form without one.
    name : str
        For criteria without one; `%(n)d` is their place.
    """
    named = [
        {**one, "name": one["name"] or name % {"n": place}, "key": one["key"] or f"criterion-{place}"}
        for place, one in enumerate(document["criteria"], start=1)
    ]
    return {
        **document,
        "title": document["title"] or title,
        "key": document["key"] or "new",
        "criteria": named,
    }


def has_first_points(criterion: Document) -> bool:
    """Whether the points are those with which the editor starts a criterion of this kind."""
    return bool(criterion["points"] == _first_points(criterion["kind"]))


def new_form(title: str) -> Document:
    """A form with one criterion, to be filled in."""
    form: Document = {
        "key": "",
        "title": title,
        "question": "",
        "cannot_rate": True,
        "blocks": [],
        "criteria": [],
        "examples": [],
        "practice": [],
    }
    return changed(form, "add-criterion")


def _reset_points(criterion: Document) -> None:
    """Replace unedited points by the first points of the kind; a slider keeps the first and last points."""
    points, chosen = criterion["points"], KINDS.get(criterion["kind"], KINDS[DEFAULT_KIND])
    untouched = points in [_first_points(key) for key in KINDS]
    if chosen.has_two_ends and not untouched and len(points) > 1:
        criterion["points"] = [{**point, "keyboard": ""} for point in (points[0], points[-1])]
    elif untouched or chosen.has_two_ends:
        criterion["points"] = _first_points(criterion["kind"])
        for key, kind in KINDS.items():
            own = key == criterion["kind"]
            criterion["settings"] |= kind.first_settings() if own else kind.complete_settings({})


def _with_preset(document: Document, name: str, place: int) -> Document:
    """Replace the scale of a criterion by a common one."""
    preset = PRESETS.get(name)
    if preset is None:
        return document
    for criterion in document["criteria"][place : place + 1]:
        points, before = preset.documents(), criterion["points"]
        if len(points) == len(before):
            points = [
                {**point, "description": old["description"]}
                for point, old in zip(points, before, strict=True)
            ]
        criterion |= {"kind": preset.kind, "points": points, "minimum": None, "maximum": None}
        for key, kind in KINDS.items():
            own = key == preset.kind
            criterion["settings"] |= kind.first_settings() if own else kind.complete_settings({})
    return document


def _copied(criterion: Document) -> Document:
    """A copy of a criterion; its name in files is created from its own name."""
    name = _("Copy of %(name)s") % {"name": criterion["name"]} if criterion["name"] else ""
    return {**copy.deepcopy(criterion), "name": name[:LONGEST_NAME], "key": ""}


def _first_points(key: str) -> list[Document]:
    return [dict(point) for point in KINDS.get(key, KINDS[DEFAULT_KIND]).first_points]


def _new_criterion() -> Document:
    return {
        "key": "",
        "name": "",
        "question": "",
        "kind": DEFAULT_KIND,
        "minimum": None,
        "maximum": None,
        "required": True,
        "asked_after": "",
        "asked_when": "",
        "points": _first_points(DEFAULT_KIND),
        "settings": {
            "shuffled": False,
            "unsure": "",
            "answer_key": "",
            **_own_settings(DEFAULT_KIND, {}, []),
        },
    }


def _next_criterion(criteria: list[Document]) -> Document:
    """A new criterion with the scale or the options of the last one, but not with its rubric."""
    new, last = _new_criterion(), criteria[-1] if criteria else None
    kind = KINDS.get(last["kind"]) if last else None
    if last is None or kind is None or kind.yields not in WITH_SCALE:
        return new
    copied = {name: copy.deepcopy(last[name]) for name in ("kind", "minimum", "maximum", "required")}
    points = [{**point, "description": ""} for point in last["points"]]
    settings = {**copy.deepcopy(last["settings"]), "answer_key": ""}
    return {**new, **copied, "points": points, "settings": settings}


def _new_point(criterion: Document) -> Document:
    points = criterion["points"]
    last = points[-1]["value"] if points else "0"
    value = str(int(last) + 1) if re.fullmatch(r"-?[0-9]{1,3}", last) else ""
    taken = {point["keyboard"] for point in points}
    key = next((key for key in KEYS if key not in taken), "")
    return {"value": value, "label": "", "description": "", "keyboard": key}


def _points_at(points: dict[tuple[int, int], Document], place: int) -> list[Document]:
    """The points of the criterion at a place, in their order."""
    return [point for (at, _inner), point in sorted(points.items()) if at == place]


def _criterion(given: Document, points: list[Document], place: int, taken: set[str]) -> Document:
    shown = {
        name: given.get(name, "") for name in ("key", "name", "question", "kind", "asked_after", "asked_when")
    }
    if "=" in shown["asked_after"]:
        # One menu has the criterion with its answer; no key contains the separator.
        shown["asked_after"], _equals, answer = shown["asked_after"].partition("=")
        shown["asked_when"] = _compared(answer, given.get("asked_as", ""))
    shown["key"] = shown["key"] or derived_key(shown["name"], place, taken)
    numbers = {name: _number(given.get(name, "")) for name in NUMBERS}
    wanted = ("value", "label", "description", "keyboard")
    kind = KINDS.get(shown["kind"], KINDS[DEFAULT_KIND])
    written = kind.posted_points(given, [{name: point.get(name, "") for name in wanted} for point in points])
    return {
        **shown,
        **numbers,
        "required": "required" in given,
        "points": written,
        "settings": {
            "shuffled": "shuffled" in given,
            "unsure": given.get("unsure", ""),
            "answer_key": given.get("answer_key", ""),
            **_own_settings(shown["kind"], given, points),
        },
    }


def _compared(answer: str, comparison: str) -> str:
    """The condition for an answer of the menu; an answer that is a bound already is unchanged."""
    if comparison not in set(Comparison) or Condition.read(answer).comparison is not Comparison.EXACTLY:
        return answer
    return Condition(Comparison(comparison), answer).stored


def _with_renamed(document: Document, given: list[Document]) -> Document:
    """Point to the new key of each criterion whose key is derived from a name that has changed."""
    renamed = {
        one["derived"]: criterion["key"]
        for one, criterion in zip(given, document["criteria"], strict=True)
        if one.get("derived") and not one.get("key")
    }
    named = [(one, "asked_after") for one in document["criteria"]]
    named += [(one, "of") for one in document["blocks"]]
    named += [(one, "criterion") for one in document["examples"]]
    for part, name in named:
        part[name] = renamed.get(part[name], part[name])
    return document


def _own_settings(chosen: str, given: Document, points: list[Document]) -> Document:
    """The settings of every kind, those of the chosen kind as they were sent."""
    found: Document = {}
    for key, kind in KINDS.items():
        found |= kind.posted_settings(given, points) if key == chosen else kind.complete_settings({})
    return found


def _block(given: Document) -> Document:
    texts = {name: given.get(name, "") for name in ("field", "label", "role", "lang", "of", "value")}
    if texts["role"] == "side":
        texts["value"] = texts["value"] or texts["field"]
    marks = [word.strip() for word in given.get("mark", "").split(",") if word.strip()]
    return {**texts, "mark": marks, **{name: name in given for name in ("optional", "blank", "whole")}}


def _example(given: Document) -> Document:
    texts = {name: given.get(name, "") for name in ("criterion", "text", "answer", "reason")}
    return {**texts, "right": "right" in given}


def _number(text: str) -> float | str | None:
    if not text:
        return None
    return plain_number(float(text)) if re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,6})?", text) else text


def _plain(text: str) -> str:
    """Restore the line endings that browsers change."""
    return text.replace("\r\n", "\n").strip()


def field_of(path: str) -> str:
    """The name of the field for a path of the definition, such as `criteria[1].points[2].value`."""
    numbers = re.findall(r"\[([0-9]+)\]", path)
    last = path.rpartition(".")[2].partition("[")[0]
    if last in SETTINGS_OF_POINTS:
        return f"point-{numbers[0]}-0-{last}"
    if "points[" in path and len(numbers) == 2:
        return f"point-{numbers[0]}-{numbers[1]}-{last}"
    if path.startswith("criteria[") and last != "criteria":
        return f"criterion-{numbers[0]}-{FIELDS.get(last, last)}"
    for part, (listed, _new) in NEW_PARTS.items():
        if path.startswith(f"{listed}[") and last != listed:
            return f"{part}-{numbers[0]}-{last}"
    return last
