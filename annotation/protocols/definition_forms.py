"""Forms of a study definition: as plain data and as templates, and what in them cannot be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.option_settings import OptionSettings
from annotation.domain.states import CriterionKind
from annotation.domain.tuple_settings import PLAIN, TupleSettings
from annotation.protocols.definition_stages import feed_document, feed_template
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, keyboard_of

Document = dict[str, Any]
POINT = ("value", "label", "description", "keyboard")
Problems = Iterator[tuple[str, str]]
FEWEST = {
    CriterionKind.LIKERT: 2,
    CriterionKind.CHOICE: 2,
    CriterionKind.MULTIPLE: 1,
    CriterionKind.PREFERENCE: 2,
    CriterionKind.TUPLES: 1,
}
ENDS = "Give the ends of the scale, the lower one first."


def criterion_template(one: Mapping[str, Any]) -> CriterionTemplate:
    """A criterion of a definition, complete and without problems, as a template."""
    ends = (one["minimum"], one["maximum"])
    return CriterionTemplate(
        key=one["key"],
        name=one["name"],
        question=one["question"],
        kind=CriterionKind(one["kind"]),
        required=one["required"],
        asked_after=one["asked_after"],
        asked_when=one["asked_when"],
        points=tuple(Point(**point) for point in one["points"]),
        bounds=None if None in ends else ends,
        settings=_settings(one["settings"]),
    )


def criterion_document(one: CriterionTemplate) -> Document:
    """A template's criterion as it stands in a definition."""
    points = [{name: point[name] for name in POINT} for point in one.stored_points()]
    settings = {**vars(OptionSettings.of(one.settings)), "tuples": TupleSettings.of(one.settings).told()}
    return {**one.stored(), "points": points, "settings": settings}


def _settings(told: Mapping[str, Any]) -> Document:
    """As a criterion keeps them: only what is set."""
    return {**OptionSettings.of(told).stored(), **TupleSettings.of(told).stored()}


def form_template(form: Mapping[str, Any]) -> FormTemplate:
    """A form of a definition, complete and without problems, as a template."""
    return FormTemplate(
        key=form["key"],
        title=form["title"],
        question=form["question"],
        cannot_rate=form["cannot_rate"],
        blocks=[_said(block) for block in form["blocks"]],
        criteria=[criterion_template(one) for one in form["criteria"]],
        fed_by=feed_template(form["fed_by"]),
    )


def form_document(form: FormTemplate, *, overlap: int, per_rater: int | None) -> Document:
    """A template's form as it stands in a definition."""
    return {
        "key": form.key,
        "title": form.title,
        "overlap": overlap,
        "per_rater": per_rater,
        "question": form.question,
        "cannot_rate": form.cannot_rate,
        "blocks": [dict(block) for block in form.blocks],
        "criteria": [criterion_document(one) for one in form.criteria],
        "fed_by": feed_document(form.fed_by),
    }


def _said(block: Mapping[str, Any]) -> Document:
    """A block without what it leaves open."""
    return {name: value for name, value in block.items() if value or name in {"field", "label", "mark"}}


def completed_form(form: Document) -> Document:
    """A form with the ends of its scales and its keys written out, where they can be told."""
    return {**form, "criteria": [_completed(one) for one in form["criteria"]]}


def _completed(one: Document) -> Document:
    points = [
        {**point, "keyboard": keyboard_of(Point(**point), place)} for place, point in enumerate(one["points"])
    ]
    numbers = [_number(point["value"]) for point in points]
    low, high = one["minimum"], one["maximum"]
    if one["kind"] == CriterionKind.LIKERT and numbers and None not in numbers:
        low, high = numbers[0] if low is None else low, numbers[-1] if high is None else high
    return {**one, "minimum": low, "maximum": high, "points": points}


def form_problems(form: Mapping[str, Any]) -> Problems:
    """What of a form cannot be asked, as (path within the form, sentence).

    Parameters
    ----------
    form : mapping
        Of the schema's shape, completed.
    """
    seen: dict[str, Mapping[str, Any]] = {}
    for place, one in enumerate(form["criteria"]):
        path = f"criteria[{place}]"
        if one["key"] in seen:
            yield f"{path}.key", f"Another criterion of the form is called {one['key']!r}: rename one."
        for inside, sentence in _criterion_problems(one):
            yield f"{path}.{inside}", sentence
        for inside, sentence in [
            *_condition_problems(one, seen),
            *_settings_problems(one),
            *_tuples_problems(one),
        ]:
            yield f"{path}.{inside}", sentence
        seen.setdefault(one["key"], one)
    yield from _marking_problems(form["criteria"])
    for place, block in enumerate(form["blocks"]):
        yield from _block_problems(f"blocks[{place}]", block, seen)


def _criterion_problems(one: Mapping[str, Any]) -> Problems:
    kind, points = CriterionKind(one["kind"]), one["points"]
    if kind is CriterionKind.TEXT and points:
        yield "points", "An answer in words has no points: leave them out, or choose another kind."
    if len(points) < FEWEST.get(kind, 0):
        yield "points", f"Kind {kind.value} needs at least {FEWEST[kind]} points."
    yield from _point_problems(points)
    if kind is CriterionKind.LIKERT:
        yield from _scale_problems(one)
    elif one["minimum"] is not None or one["maximum"] is not None:
        yield "minimum", f"Kind {kind.value} has no ends: leave minimum and maximum out."


def _point_problems(points: Sequence[Mapping[str, Any]]) -> Problems:
    for place, point in enumerate(points):
        before = points[:place]
        if not point["value"].strip() or "|" in point["value"]:
            yield f"points[{place}].value", "Give a value without the sign |, which stands between values."
        if any(point["value"] == other["value"] for other in before):
            yield f"points[{place}].value", f"{point['value']!r} stands there twice: change one."
        if point["keyboard"] and any(point["keyboard"] == other["keyboard"] for other in before):
            yield f"points[{place}].keyboard", f"The key {point['keyboard']!r} chooses another point already."


def _scale_problems(one: Mapping[str, Any]) -> Problems:
    numbers = [_number(point["value"]) for point in one["points"]]
    for place, number in enumerate(numbers):
        if number is None:
            yield f"points[{place}].value", "A point of a Likert scale is a whole number, such as 3."
    found = [number for number in numbers if number is not None]
    if found != sorted(found):
        yield "points", "Write the points from the lowest to the highest."
    low, high = one["minimum"], one["maximum"]
    if low is None or high is None or low >= high:
        yield "minimum", ENDS
    elif found and not low <= min(found) <= max(found) <= high:
        yield "points", f"A point lies outside the scale of {low} to {high}: move the ends or the point."


def _condition_problems(one: Mapping[str, Any], earlier: Mapping[str, Mapping[str, Any]]) -> Problems:
    after, when = one["asked_after"], one["asked_when"]
    if not after:
        if when:
            yield "asked_after", "Say after which criterion, or leave asked_when out."
        return
    if after not in earlier:
        yield "asked_after", f"No earlier criterion of the form is called {after!r}."
        return
    governing = earlier[after]
    options = {point["value"] for point in governing["points"]}
    if not when or (options and when not in options):
        yield "asked_when", f"{when!r} is no answer to {after!r}: choose one of {', '.join(sorted(options))}."


def _settings_problems(one: Mapping[str, Any]) -> Problems:
    unsure, values = one["settings"]["unsure"], {point["value"] for point in one["points"]}
    if unsure and unsure not in values:
        yield (
            "settings.unsure",
            f"{unsure!r} is none of the options: choose one of {', '.join(sorted(values))}.",
        )


def _tuples_problems(one: Mapping[str, Any]) -> Problems:
    settings = TupleSettings.of(one["settings"])
    if one["kind"] == CriterionKind.TUPLES:
        for name, sentence in settings.problems([point["value"] for point in one["points"]]).items():
            yield f"settings.tuples.{name}", sentence
    elif settings != PLAIN:
        yield "settings.tuples", f"Only kind tuples has them: leave them out of kind {one['kind']}."


def _marking_problems(criteria: Sequence[Mapping[str, Any]]) -> Problems:
    """One text is marked for one question."""
    marking = [place for place, one in enumerate(criteria) if TupleSettings.of(one["settings"]).marked]
    for place in marking[1:]:
        told = (
            f"Parts are marked for {criteria[marking[0]]['key']!r} already: mark for one criterion of a form."
        )
        yield f"criteria[{place}].settings.tuples.marked", told


def _block_problems(path: str, block: Mapping[str, Any], criteria: Mapping[str, Any]) -> Problems:
    if block["role"] in {"options", "side"}:
        named = criteria.get(block["of"])
        if named is None or not named["points"]:
            yield f"{path}.of", "Name the criterion of this form to whose options it belongs."
    elif block["of"]:
        yield f"{path}.of", "Only a block of role options or side belongs to a criterion."


def _number(value: str) -> int | None:
    digits = value.removeprefix("-")
    return int(value) if digits.isdecimal() and digits.isascii() and len(digits) <= 4 else None
