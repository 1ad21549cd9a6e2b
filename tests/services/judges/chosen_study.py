"""A study of pairs and choices with raters, and judges that answer it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.multiple import MULTIPLE
from annotation.domain.questions.kinds.preference import PREFERENCE
from annotation.models import Criterion, Item, Rating, Study
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.forms import create_form
from scoring.models import Judge, Judgement
from tests.support.people import make_cast

TONES = ("warm", "cold", "neither")
PAIRS, SWAPPED, RATERS = 36, 8, 4
FORM = FormTemplate(
    key="pairs",
    title="Pairs",
    blocks=[
        {"field": side, "label": side, "role": "side", "of": "better", "value": side} for side in ("a", "b")
    ],
    criteria=[
        CriterionTemplate(
            "better", "Better", "Which?", [Point("a", "A"), Point("b", "B"), Point("tie", "Same")], PREFERENCE
        ),
        CriterionTemplate("tone", "Tone", "Of both?", [Point(tone, tone) for tone in TONES], CHOICE),
        CriterionTemplate("devices", "Devices", "Which?", [Point("x", "X"), Point("y", "Y")], MULTIPLE),
    ],
)


def chosen_study() -> Study:
    """44 pairs by the systems owl and crow, of which the last eight are the first with exchanged sides.

    Four people each answered which text is better and which tone it has. Owl’s texts are longer.
    """
    study = make_cast(items=0, opened=False).study
    study.forms.all().delete()
    version = create_form(study=study, template=FORM).versions.get()
    items = Item.objects.bulk_create(_item(study, n) for n in range(PAIRS + SWAPPED))
    raters = [study.raters.create(code=f"M-{n}") for n in range(RATERS)]
    draw = np.random.default_rng(8)
    asked = {one.key: one for one in version.criteria.all()}
    loaded = [
        LoadedResponse(
            item=item,
            rater=rater,
            version=version,
            values={
                asked["better"]: str(draw.choice(["a", "b", "tie"], p=[0.5, 0.4, 0.1])),
                asked["tone"]: TONES[n % 3] if draw.random() < 0.7 else str(draw.choice(TONES)),
            },
        )
        for n, item in enumerate(items)
        for rater in raters
    ]
    store_responses(loaded=loaded)
    for place, rater in enumerate(raters):
        own = Rating.objects.filter(criterion=asked["better"], response__assignment__rater=rater)
        own.update(shown=["a", "b", "tie"] if place % 2 else ["b", "a", "tie"])
    return study


def _item(study: Study, n: int) -> Item:
    own = n % PAIRS
    systems = ["owl", "crow"] if own % 2 else ["crow", "owl"]
    texts = [f"{name} {own}{' and so on' * (name == 'owl')}" for name in systems]
    if n >= PAIRS:
        systems, texts = systems[::-1], texts[::-1]
    sides = ("a", "b")
    fields, metadata = (dict(zip(sides, values, strict=True)) for values in (texts, systems))
    return Item(study=study, key=f"I{n:02d}", position=n, fields=fields, metadata=metadata)


Answer = Callable[[int], Any]


def choosing(study: Study, key: str, answer: Answer, *, name: str = "Judge A", **columns: Any) -> Judge:
    """Add the answers of a judge to a criterion; `answer` gives that to an item by its place, or samples.

    A sample is an option, or a pair of an option and probabilities.
    """
    judge, _ = Judge.objects.get_or_create(study=study, name=name, defaults={"way": "file", **columns})
    criterion = Criterion.objects.get(version__form__study=study, key=key)
    Judgement.objects.bulk_create(
        _judgement(judge, item, criterion, sample, given)
        for n, item in enumerate(study.items.order_by("position"))
        for sample, given in enumerate(_samples(answer(n)), 1)
    )
    return judge


def _samples(answer: Any) -> list[Any]:
    if answer is None:
        return []
    return answer if isinstance(answer, list) else [answer]


def _judgement(judge: Judge, item: Item, criterion: Criterion, sample: int, given: Any) -> Judgement:
    option, probabilities = given if isinstance(given, tuple) else (given, None)
    return Judgement(
        judge=judge,
        item=item,
        criterion=criterion,
        sample=sample,
        answer="" if isinstance(option, frozenset) else option,
        content=sorted(option) if isinstance(option, frozenset) else None,
        probabilities=probabilities,
    )


def answers_of_raters(study: Study, key: str) -> dict[int, list[str]]:
    """The answers of the raters to a criterion, by place of the item."""
    found: dict[int, list[str]] = {}
    rows = Rating.objects.filter(criterion__key=key, criterion__version__form__study=study)
    for place, answer in rows.values_list("response__assignment__item__position", "answer"):
        found.setdefault(place, []).append(answer)
    return found
