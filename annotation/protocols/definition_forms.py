"""Forms of a study definition: as plain data and as templates, and what in them cannot be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.questions.option_settings import OptionSettings
from annotation.domain.questions.text_languages import form_translation_problems
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.protocols.definition_examples import example_problems, practice_problems
from annotation.protocols.definition_stages import feed_document, feed_template
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, keyboard_of

Document = dict[str, Any]
POINT = ("value", "label", "description", "keyboard")
Problems = Iterator[tuple[str, str]]


def criterion_template(one: Mapping[str, Any]) -> CriterionTemplate:
    """A criterion of a definition, complete and without problems, as a template."""
    ends = (one["minimum"], one["maximum"])
    return CriterionTemplate(
        key=one["key"],
        name=one["name"],
        question=one["question"],
        kind=KINDS[one["kind"]],
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
    settings = vars(OptionSettings.of(one.settings)).copy()
    for kind in KINDS.values():
        settings |= kind.complete_settings(one.settings)
    return {**one.stored(), "points": points, "settings": settings}


def _settings(told: Mapping[str, Any]) -> Document:
    """As a criterion keeps them: only what is set."""
    found = OptionSettings.of(told).stored()
    for kind in KINDS.values():
        found |= kind.stored_settings(told)
    return found


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
        examples=form["examples"],
        practice=form["practice"],
        translations=form["translations"],
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
        "examples": [dict(one) for one in form.examples],
        "practice": [dict(one) for one in form.practice],
        # Translations from before examples and practice items had any lack the lists.
        "translations": {
            language: {"examples": [], "practice": [], **texts}
            for language, texts in form.translations.items()
        },
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
    values = [point["value"] for point in points]
    low, high = KINDS[one["kind"]].ends(one["minimum"], one["maximum"], values)
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
        for inside, sentence in KINDS[one["kind"]].problems(one):
            yield f"{path}.{inside}", sentence
        for inside, sentence in [
            *_condition_problems(one, seen),
            *_settings_problems(one),
            *_own_settings_problems(one),
        ]:
            yield f"{path}.{inside}", sentence
        seen.setdefault(one["key"], one)
    yield from _marking_problems(form["criteria"])
    for place, block in enumerate(form["blocks"]):
        yield from _block_problems(f"blocks[{place}]", block, seen)
    yield from example_problems(form["examples"], seen)
    yield from practice_problems(form["practice"], form["blocks"])
    yield from form_translation_problems(form)


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


def _own_settings_problems(one: Mapping[str, Any]) -> Problems:
    """Problems of the settings that one kind alone has."""
    for key, kind in KINDS.items():
        if key == one["kind"]:
            yield from kind.settings_problems(one)
        elif kind.stored_settings(one["settings"]):
            yield f"settings.{key}", f"Only kind {key} has them: leave them out of kind {one['kind']}."


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
