"""A study of every kind of question that is not on a scale, answered at random by raters who mostly agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from annotation.models import (
    Criterion,
    Form,
    FormVersion,
    Item,
    Rater,
    RaterKind,
    Rating,
    ScalePoint,
    Study,
    User,
)
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.studies.lifecycle import create_study

ITEMS, RATERS = 26, 5
WRITERS = ("Ada", "Bruno", "Chi", "Dov")
TEXT = "the moon was a coin lost in the sea"
UNSURE, RIGHT, TAGS = "unsure", "right", "right_tags"
Answers = dict[Criterion, int | str]


def answered_study(slug: str = "answered", *, identified: bool = True) -> Study:
    """Items partly in groups; three forms, one of them in two wordings; a rater is left out."""
    owner = User.objects.create_user(f"{slug}@example.org", "simile-and-metaphor-42")
    study = create_study(slug=slug, title="Answered", owner=owner, consent="Yes.", instructions="Read.")
    Study.objects.filter(pk=study.pk).update(identified=identified)
    study.refresh_from_db()
    Item.objects.bulk_create(_item(study, number) for number in range(ITEMS))
    kind = RaterKind.PERSON if identified else RaterKind.SLOT
    raters = [study.raters.create(code=f"R-{number}", kind=kind) for number in range(RATERS)]
    generator = np.random.default_rng(11)
    versions = [*_picking(study), _comparing(study), _marking(study)]
    loaded = [one for version in versions for one in _answers(study, raters, version, versions, generator)]
    store_responses(loaded=loaded)
    _say_what_was_shown(study, generator)
    exclude_rater(rater=raters[-1], reason="At random.", actor=owner)
    return study


def _item(study: Study, number: int) -> Item:
    a, b = number % 4, (number % 4 + 1 + number // 4 % 3) % 4
    metadata: dict[str, Any] = {
        RIGHT: ("near", "far", "off", "")[number % 4],
        TAGS: ("sound", "sound|colour", "colour")[number % 3],
        "category": ("noun", "verb")[number % 2],
        "a": WRITERS[a],
        "b": WRITERS[b],
    }
    if number % 5:
        metadata |= {"percent": 10 * (number % 3 + 1), "high": "ab"[number % 2]}
    return Item(
        study=study,
        key=f"I{number:02d}",
        group=f"G{number // 2}" if number < ITEMS - 6 else "",
        system=("crow", "heron")[number % 2],
        position=number,
        fields={"text": f"{TEXT} {number}", "options": "one\ntwo\nthree"},
        metadata=metadata,
    )


def _picking(study: Study) -> list[FormVersion]:
    """Two wordings: one option, several options, and both again with options that are texts of the item."""
    form = Form.objects.create(study=study, key="pick", title="Pick", position=1)
    blocks = [
        {"field": "text", "label": "Text", "role": "figure"},
        {"field": "options", "label": "Options", "role": "options", "of": "own"},
        {"field": "options", "label": "Options", "role": "options", "of": "owns"},
    ]
    versions = []
    for number in (1, 2):
        version = FormVersion.objects.create(form=form, number=number, question="Which?", blocks=blocks)
        keyed = {"unsure": UNSURE, "answer_key": RIGHT}
        _asks(version, "meaning", "choice", ("near", "far", UNSURE, *(["off"] if number == 2 else [])), keyed)
        _asks(version, "tags", "multiple", ("sound", "colour", "taste"), {"answer_key": TAGS})
        _asks(version, "own", "choice", ("0", "1", "2"), {"shuffled": True})
        _asks(version, "owns", "multiple", ("0", "1", "2"), {})
        versions.append(version)
    return versions


def _comparing(study: Study) -> FormVersion:
    form = Form.objects.create(study=study, key="pair", title="Pair", position=2)
    blocks = [{"field": side, "label": side, "role": "side", "of": "better", "value": side} for side in "ab"]
    version = FormVersion.objects.create(form=form, number=1, question="Which of the two?", blocks=blocks)
    _asks(version, "better", "preference", ("a+", "a", "tie", "b", "b+"), {})
    # The same key as a question of another form has.
    _asks(version, "meaning", "choice", ("near", "far"), {})
    return version


def _marking(study: Study) -> FormVersion:
    form = Form.objects.create(study=study, key="mark", title="Mark", position=3)
    blocks = [{"field": "text", "label": "Text", "role": "figure"}]
    version = FormVersion.objects.create(form=form, number=1, question="Mark.", blocks=blocks)
    _asks(version, "tuples", "tuples", ("tenor", "vehicle", "ground"), {})
    return version


def _asks(
    version: FormVersion, key: str, kind: str, options: Sequence[str], settings: Mapping[str, object]
) -> None:
    criterion = Criterion.objects.create(
        version=version,
        key=key,
        name=key,
        kind=kind,
        settings=dict(settings),
        position=version.criteria.count(),
    )
    for position, value in enumerate(options):
        ScalePoint.objects.create(criterion=criterion, value=value, label=value, position=position)


def _answers(
    study: Study,
    raters: Sequence[Rater],
    version: FormVersion,
    versions: Sequence[FormVersion],
    generator: np.random.Generator,
) -> Iterator[LoadedResponse]:
    several = sum(one.form_id == version.form_id for one in versions) > 1
    asked = [(one, [point.value for point in one.points.all()]) for one in version.criteria.all()]
    for item in study.items.all():
        if several and version.number != 1 + (item.position > 3):
            continue
        for place, rater in enumerate(raters):
            if (item.position + place) % 6 == 0:
                continue
            cannot_rate = "lacks_context" if generator.random() < 0.06 else ""
            given: Answers = {one: _given(one, options, item, generator) for one, options in asked}
            values = {} if cannot_rate else given
            yield LoadedResponse(item, rater, version, values, cannot_rate=cannot_rate)


def _given(criterion: Criterion, options: Sequence[str], item: Item, generator: np.random.Generator) -> str:
    if criterion.kind == "tuples":
        return json.dumps(_marks(item, generator))
    at_random = generator.random() < 0.4
    chosen = options[int(generator.integers(len(options))) if at_random else item.position % len(options)]
    if criterion.kind == "multiple" and generator.random() < 0.4:
        return "|".join(sorted({chosen, options[int(generator.integers(len(options)))]}))
    return str(chosen)


def _marks(item: Item, generator: np.random.Generator) -> list[dict[str, Any]]:
    """None, one or two tuples; a vehicle of two spans, grounds and some tenors that are not located."""
    text, marks = item.fields["text"], []
    for number in range(1, int(generator.choice([1, 2, 2, 3]))):
        start = 4 + int(generator.integers(2)) + 8 * (number - 1)
        spans = [("tenor", start, start + 4), ("vehicle", 15, 19)]
        if generator.random() < 0.3:
            spans.append(("vehicle", 20, 20 + int(generator.integers(2, 6))))
        words = "a split vehicle" if len(spans) > 2 else None
        lost = generator.random() < 0.15
        for part, begin, end in spans:
            nowhere = lost and part == "tenor"
            marks.append(
                {
                    "tuple": number,
                    "part": part,
                    "start": None if nowhere else begin,
                    "end": None if nowhere else end,
                    "text": (words if part == "vehicle" and words else text[begin:end]),
                }
            )
        if generator.random() < 0.8:
            word = ("round", "bright")[int(generator.integers(2))]
            marks.append({"tuple": number, "part": "ground", "start": None, "end": None, "text": word})
    return marks


def _say_what_was_shown(study: Study, generator: np.random.Generator) -> None:
    pairs = Rating.objects.filter(criterion__version__form__study=study, criterion__kind="preference")
    for rating in pairs.order_by("pk"):
        order = ["a+", "a", "tie", "b", "b+"]
        rating.shown = order if generator.random() < 0.5 else order[::-1]
        rating.save(update_fields=["shown"])
