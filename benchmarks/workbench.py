"""The item list, its figures and the preview of a rule at 100,000 items × 5 ratings × 3 criteria.

    python -m benchmarks.workbench [--items N] [--raters N] [--times N]

The database is that of `DATABASE_URL`, SQLite without it; the study is made in a database of the benchmark's
own and dropped with it. The baseline, measured in the same run, is a query that counts the rows of the list.
Every view is asked `--times` times through its page; wall clock, and the processor time of the process, which
on SQLite is all there is, and of the PostgreSQL backend where that runs on this machine and forks no workers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

import numpy as np  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import get_runner, setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.models import (  # noqa: E402
    Assignment,
    Criterion,
    Form,
    FormVersion,
    Item,
    Job,
    Rater,
    Rating,
    Response,
    Study,
    User,
)
from annotation.services.exclusion_rules import declare_rule  # noqa: E402
from annotation.services.jobs import Lease, claim  # noqa: E402
from annotation.services.planner import tell_planner  # noqa: E402
from annotation.services.raw_rows import insert_rows  # noqa: E402
from annotation.services.studies import create_study  # noqa: E402
from scoring.models import ItemSummary, Score, ScoreRun  # noqa: E402
from scoring.services.exclusion_preview import compute_preview, request_preview  # noqa: E402
from scoring.services.item_figures import compute_figures, request_figures  # noqa: E402

CRITERIA = ("quality", "creativity", "informativeness")
AN_ITEM = 5
AT_ONCE = 5000
VIEWS = {
    "first page, by spread": "",
    "by key": "sort=key",
    "by system, then sd": "sort=system,-quality.sd",
    "by sd of a criterion": "sort=-quality.sd",
    "by mean of two criteria": "sort=quality.mean,-creativity.mean",
    "by part of α": "sort=-informativeness.from_alpha",
    "by divergence from a metric": "metric=length&sort=-quality.divergence",
    "search in the texts": "q=like+a+lamp+77",
    "opposed on any criterion": "split=any",
    "opposed on quality, by range": "split=quality&sort=-quality.range",
    "included, of a system": "state=included&system=system+3&sort=-creativity.sd",
    "three bounds": "where=quality.sd>1&where=creativity.mean>=3&where=n_cannot>=1&sort=-informativeness.sd",
    "a bound on a divergence": "metric=length&where=quality.divergence>1&sort=-quality.divergence",
    "page 1,500": "sort=-quality.sd&page=1500",
}


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=100_000)
    arguments.add_argument("--raters", type=int, default=1000)
    arguments.add_argument("--times", type=int, default=3)
    asked = arguments.parse_args()
    setup_test_environment()
    runner = get_runner(settings)(verbosity=0, interactive=False)
    made = runner.setup_databases()
    try:
        run(asked.items, asked.raters, asked.times)
    finally:
        runner.teardown_databases(made)


def run(items: int, raters: int, times: int) -> None:
    """Make the study and measure."""
    study, user = make_study(items, raters)
    say(f"{connection.vendor}: {items} items × {AN_ITEM} ratings × {len(CRITERIA)} criteria, {raters} raters")
    # The rows were stored past the services, which tell PostgreSQL of them.
    tell_planner(items, Item, Rater, Assignment, Response, Rating, Score)
    tell("figures of all items, job", [taken(lambda: figures(study, user))])
    tell(
        "baseline: counting the rows",
        [taken(lambda: ItemSummary.objects.filter(made__study=study).count()) for _ in range(times)],
    )
    client = Client()
    client.force_login(user)
    client.get(reverse("study-rules", args=[study.slug]))
    for name, query in VIEWS.items():
        address = f"{reverse('study-disagreement', args=[study.slug])}?{query}"
        tell(name, [taken(lambda address=address: ask(client, address)) for _ in range(times)])  # type: ignore[misc]
    rule = declare_rule(
        study=study,
        name="HAUSER",
        conditions=[
            {"kind": "lacks_context", "raters": 1},
            {"kind": "opposition", "criterion": "quality", "low": 2, "high": 4},
        ],
        reason="benchmark",
        criteria=CRITERIA,
        actor=user,
    )
    lease = held(request_preview(rule=rule, actor=user, announce=False))
    tell("preview of HAUSER's rule, job", [taken(lambda: compute_preview(lease=lease))])


def say(line: str) -> None:
    print(line, flush=True)


def tell(name: str, times: list[tuple[float, float, float]]) -> None:
    """Median and slowest wall clock, and the least processor time of this process and of the database."""
    wall = [one for one, _, _ in times]
    say(
        f"{name:32}{1000 * statistics.median(wall):9.0f} ms, slowest {1000 * max(wall):9.0f} ms, "
        f"processor {1000 * min(one for _, one, _ in times):9.0f} ms, "
        f"database's {1000 * min(one for _, _, one in times):9.0f} ms"
    )


def figures(study: Study, user: User) -> None:
    compute_figures(lease=held(request_figures(study=study, actor=user, announce=False)))


def held(job: Job) -> Lease:
    """The lease of a job that nobody else knows of."""
    lease = claim(job_id=job.pk)
    if lease is None:
        raise SystemExit(f"{job} is held by another worker")
    return lease


def ask(client: Client, address: str) -> None:
    status = client.get(address).status_code
    if status != 200:
        raise SystemExit(f"{address} answers {status}")


def taken(act: Callable[[], object]) -> tuple[float, float, float]:
    """Seconds of an act: wall clock, processor time of this process, and of its PostgreSQL backend."""
    wall, processor, database = time.perf_counter(), time.process_time(), of_database()
    act()
    return time.perf_counter() - wall, time.process_time() - processor, of_database() - database


def of_database() -> float:
    """Processor time so far of the backend that serves this process; 0 where it cannot be read."""
    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        status = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if not status.exists():
        return 0.0
    user, system = status.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def make_study(n_items: int, n_raters: int) -> tuple[Study, User]:
    """Items with effects of item and rater, and a metric."""
    rng = np.random.default_rng(0)
    user = User.objects.create_user("bench@example.org")
    study = create_study(slug="bench", title="Benchmark", owner=user, consent="", instructions="")
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
        batch_size=AT_ONCE,
    )
    chosen = np.concatenate([rng.choice(n_raters, AN_ITEM, replace=False) for _ in range(n_items)])
    effect = rng.normal(0, 1, n_items)
    for start in range(0, n_items, AT_ONCE):
        places = [
            (item.pk, raters[chosen[AN_ITEM * (start + n) + k]].pk, float(effect[start + n]))
            for n, item in enumerate(items[start : start + AT_ONCE])
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
        batch_size=AT_ONCE,
    )
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
            )
            for n, row in enumerate(rows)
        ],
    )
    insert_rows(
        Rating,
        ("response_id", "criterion_id", "value", "minimum", "maximum", "answer", "shown"),
        [
            (row[0], one.pk, int(values[n, k]), 1, 5, "", "")
            for n, row in enumerate(rows)
            for k, one in enumerate(criteria)
        ],
    )


if __name__ == "__main__":
    main()
