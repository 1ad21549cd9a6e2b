"""A study for the workbench: ratings with effects of item and rater, and a metric that follows the items."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import (
    Assignment,
    Criterion,
    Form,
    FormVersion,
    Item,
    Rater,
    Rating,
    Response,
    Study,
    User,
)
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.backup.sequences import set_last_numbers
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.studies.lifecycle import create_study
from scoring.models import Score, ScoreRun

SLUG, EMAIL = "bench", "bench@example.org"
CRITERIA = ("quality", "creativity", "informativeness")
AN_ITEM = 5
CHUNK_SIZE = 5000
# Raters begin then, and save so many pages a day, one a minute.
BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
PAGES_A_DAY = 50


def load_or_make_study(n_items: int, n_raters: int) -> tuple[Study, User]:
    """The study of an earlier run, or one made now."""
    study = Study.objects.filter(slug=SLUG).first()
    if study is None:
        return make_study(n_items, n_raters)
    return study, User.objects.get(email=EMAIL)


def make_study(n_items: int, n_raters: int) -> tuple[Study, User]:
    """Items with effects of item and rater, and a metric."""
    rng = np.random.default_rng(0)
    user = User.objects.create_user(EMAIL)
    study = create_study(slug=SLUG, title="Benchmark", owner=user, consent="", instructions="")
    form = Form.objects.create(study=study, key="similes", title="Similes", overlap=AN_ITEM)
    version = FormVersion.objects.create(form=form, blocks=[])
    criteria = [
        Criterion.objects.create(
            version=version, key=key, name=key.title(), minimum=1, maximum=5, position=place
        )
        for place, key in enumerate(CRITERIA)
    ]
    raters = Rater.objects.bulk_create(Rater(study=study, code=f"R-{n:04d}") for n in range(n_raters))
    items = _make_items(study, n_items)
    chosen = np.concatenate([rng.choice(n_raters, AN_ITEM, replace=False) for _ in range(n_items)])
    effect = rng.normal(0, 1, n_items)
    answered: Counter[int] = Counter()
    for start in range(0, n_items, CHUNK_SIZE):
        places = [
            (item.pk, raters[chosen[AN_ITEM * (start + n) + k]].pk, float(effect[start + n]))
            for n, item in enumerate(items[start : start + CHUNK_SIZE])
            for k in range(AN_ITEM)
        ]
        with transaction.atomic():
            store(places, version, criteria, rng, answered)
    run = ScoreRun.objects.create(study=study, name="one")
    values = effect + rng.normal(size=n_items)
    scores = zip(items, values.tolist(), strict=True)
    Score.objects.bulk_create(
        (Score(run=run, item=item, metric="length", value=value) for item, value in scores),
        batch_size=CHUNK_SIZE,
    )
    # The services did not store the rows and number them, so PostgreSQL needs their last numbers.
    with transaction.atomic():
        set_last_numbers(dict.fromkeys((Assignment, Response)))
    analyze_tables(n_items, Item, Rater, Assignment, Response, Rating, Score)
    return study, user


def _make_items(study: Study, n_items: int) -> list[Item]:
    """Items of five systems in groups of five."""
    items = (
        Item(
            study=study,
            key=f"I{n:06d}",
            group=f"G{n // 5:05d}",
            system=f"system {n % 5}",
            fields={"literal": f"The lamp {n} hung there.", "simile": f"It hung like a lamp {n}."},
            position=n,
        )
        for n in range(n_items)
    )
    return Item.objects.bulk_create(items, batch_size=CHUNK_SIZE)


def store(
    places: list[tuple[int, int, float]],
    version: FormVersion,
    criteria: list[Criterion],
    rng: np.random.Generator,
    answered: Counter[int],
) -> None:
    """Answers of raters to items, each with the item's effect; `answered` counts those of each rater."""
    first, number = Assignment.objects.count() + 1, len(places)
    written = Assignment._meta.get_field("created_at").get_db_prep_value(timezone.now(), connection)
    page_key = Assignment._meta.get_field("page_key")
    keys = [page_key.get_db_prep_value(uuid.uuid4(), connection) for _ in places]
    lacking = rng.random(number) < 0.02
    seconds = rng.lognormal(2.5, 0.5, number)
    effects = np.array([effect for _, _, effect in places])[:, None]
    values = np.clip(np.round(3 + effects + rng.normal(size=(number, len(criteria)))), 1, 5)
    of_assignments: dict[str, object] = {
        "version_id": version.pk,
        "form_id": version.form_id,
        "purpose": "main",
    }
    of_responses: dict[str, object] = {
        "version_id": version.pk,
        "revision": 1,
        "current": True,
        "remark": "",
        "late": False,
    }
    of_ratings = {"minimum": 1, "maximum": 5, "answer": "", "shown": "[]"}
    assignments, responses, ratings = [], [], []
    for pk, key, (item, rater, _) in zip(count(first), keys, places, strict=False):
        saved = connection.ops.adapt_datetimefield_value(_saved_at(answered[rater]))
        answered[rater] += 1
        own: dict[str, object] = {
            "id": pk,
            "rater_id": rater,
            "item_id": item,
            "position": pk,
            "page_key": key,
            "submitted_at": saved,
        }
        assignments.append({**of_assignments, **own, "created_at": written, "hurried_content": ""})
        own = {"id": pk, "assignment_id": pk, "submission_key": key, "seconds": float(seconds[pk - first])}
        own["submitted_at"] = saved
        reason = "lacks_context" if lacking[pk - first] else ""
        languages: dict[str, object] = {"interface_language": "", "text_language": ""}
        empty = {"suggestions": "{}", "first_values": "{}", "heard": "{}"}
        responses.append({**of_responses, **own, **languages, **empty, "cannot_rate": reason})
        for one, value in zip(criteria, values[pk - first], strict=True):
            ratings.append({**of_ratings, "response_id": pk, "criterion_id": one.pk, "value": int(value)})
    for model, rows in ((Assignment, assignments), (Response, responses), (Rating, ratings)):
        insert_rows(model, tuple(rows[0]), [tuple(row.values()) for row in rows])


def _saved_at(number: int) -> datetime:
    """When a rater saved the page with this number, from 0."""
    return BEGUN + timedelta(days=number // PAGES_A_DAY, minutes=number % PAGES_A_DAY)
