"""A study for the workbench: ratings with effects of item and rater, and a metric that follows the items."""

from __future__ import annotations

import uuid

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
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.studies.lifecycle import create_study
from scoring.models import Score, ScoreRun

SLUG, EMAIL = "bench", "bench@example.org"
CRITERIA = ("quality", "creativity", "informativeness")
AN_ITEM = 5
CHUNK_SIZE = 5000


def kept_study(n_items: int, n_raters: int) -> tuple[Study, User]:
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
    items = Item.objects.bulk_create(
        (
            Item(
                study=study,
                key=f"I{n:06d}",
                group=f"G{n // 5:05d}",
                system=f"system {n % 5}",
                fields={"literal": f"The lamp {n} hung there.", "simile": f"It hung like a lamp {n}."},
                position=n,
            )
            for n in range(n_items)
        ),
        batch_size=CHUNK_SIZE,
    )
    chosen = np.concatenate([rng.choice(n_raters, AN_ITEM, replace=False) for _ in range(n_items)])
    effect = rng.normal(0, 1, n_items)
    for start in range(0, n_items, CHUNK_SIZE):
        places = [
            (item.pk, raters[chosen[AN_ITEM * (start + n) + k]].pk, float(effect[start + n]))
            for n, item in enumerate(items[start : start + CHUNK_SIZE])
            for k in range(AN_ITEM)
        ]
        with transaction.atomic():
            store(places, version, criteria, rng)
    run = ScoreRun.objects.create(study=study, name="one")
    Score.objects.bulk_create(
        (
            Score(run=run, item=item, metric="length", value=float(effect[n] + rng.normal()))
            for n, item in enumerate(items)
        ),
        batch_size=CHUNK_SIZE,
    )
    # The rows were stored past the services, which tell PostgreSQL of them.
    analyze_tables(n_items, Item, Rater, Assignment, Response, Rating, Score)
    return study, user


def store(
    places: list[tuple[int, int, float]],
    version: FormVersion,
    criteria: list[Criterion],
    rng: np.random.Generator,
) -> None:
    """Answers of raters to items, each with the item's effect."""
    now, first = timezone.now(), Assignment.objects.count() + 1
    rows = [(first + n, item, rater, uuid.uuid4(), effect) for n, (item, rater, effect) in enumerate(places)]
    written = Assignment._meta.get_field("created_at").get_db_prep_value(now, connection)
    keys = [Assignment._meta.get_field("page_key").get_db_prep_value(row[3], connection) for row in rows]
    lacking = rng.random(len(rows)) < 0.02
    seconds_taken = rng.lognormal(2.5, 0.5, len(rows))
    values = np.clip(
        np.round(
            3 + np.array([row[4] for row in rows])[:, None] + rng.normal(size=(len(rows), len(criteria)))
        ),
        1,
        5,
    )
    insert_rows(
        Assignment,
        (
            "id",
            "rater_id",
            "item_id",
            "form_id",
            "version_id",
            "purpose",
            "position",
            "page_key",
            "created_at",
            "hurried_content",
        ),
        [
            (pk, rater, item, version.form_id, version.pk, "main", pk, key, written, "")
            for (pk, item, rater, _, _), key in zip(rows, keys, strict=True)
        ],
    )
    insert_rows(
        Response,
        (
            "id",
            "assignment_id",
            "revision",
            "current",
            "submission_key",
            "version_id",
            "cannot_rate",
            "remark",
            "late",
            "seconds",
            "suggestions",
        ),
        [
            (
                row[0],
                row[0],
                1,
                True,
                keys[n],
                version.pk,
                "lacks_context" if lacking[n] else "",
                "",
                False,
                float(seconds_taken[n]),
                "{}",
            )
            for n, row in enumerate(rows)
        ],
    )
    insert_rows(
        Rating,
        ("response_id", "criterion_id", "value", "minimum", "maximum", "answer", "shown"),
        [
            (row[0], one.pk, int(values[n, k]), 1, 5, "", "[]")
            for n, row in enumerate(rows)
            for k, one in enumerate(criteria)
        ],
    )
