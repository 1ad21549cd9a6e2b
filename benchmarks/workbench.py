"""The item list, its figures and the preview of a rule at 100,000 items × 5 ratings × 3 criteria.

    python -m benchmarks.workbench [--items N] [--raters N] [--times N]

The database is that of `DATABASE_URL`, SQLite without it; the study is made in a database of the benchmark's own
and dropped with it. The baseline, measured in the same run, is a query that counts the rows of the list.
Every view is asked `--times` times through the view function's own address; the slowest is told beside the median.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import uuid
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

import numpy as np  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import get_runner, setup_test_environment  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import reverse  # noqa: E402

from annotation.models import (  # noqa: E402
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
from annotation.services.exclusion_rules import declare_rule  # noqa: E402
from annotation.services.jobs import claim  # noqa: E402
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
    print(
        f"{connection.vendor}: {items} items × {AN_ITEM} ratings × {len(CRITERIA)} criteria, {raters} raters"
    )
    print(f"figures of all items, job     {seconds(lambda: figures(study, user)):8.2f} s")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    baseline = seconds(lambda: ItemSummary.objects.filter(made__study=study).count())
    print(f"baseline, counting the rows   {1000 * baseline:8.0f} ms")
    client = Client()
    client.force_login(user)
    client.get(reverse("study-disagreement", args=[study.slug]))
    worst = 0.0
    for name, query in VIEWS.items():
        address = f"{reverse('study-disagreement', args=[study.slug])}?{query}"
        taken = [seconds(lambda address=address: ask(client, address)) for _ in range(times)]  # type: ignore[misc]
        worst = max(worst, *taken)
        print(f"{name:30}{1000 * statistics.median(taken):8.0f} ms  slowest {1000 * max(taken):.0f} ms")
    print(f"slowest of all                {1000 * worst:8.0f} ms")
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
    lease = claim(job_id=request_preview(rule=rule, actor=user, announce=False).pk)
    assert lease is not None
    print(f"preview of HAUSER's rule, job {seconds(lambda: compute_preview(lease=lease)):8.2f} s")


def figures(study: Study, user: User) -> None:
    lease = claim(job_id=request_figures(study=study, actor=user, announce=False).pk)
    assert lease is not None
    compute_figures(lease=lease)


def ask(client: Client, address: str) -> None:
    assert client.get(address).status_code == 200, address


def seconds(act: Callable[[], object]) -> float:
    """Wall-clock seconds of an act."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


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
        store(items[start : start + AT_ONCE], start, raters, chosen, effect, version, criteria, rng)
    run = ScoreRun.objects.create(study=study, name="one")
    Score.objects.bulk_create(
        (Score(run=run, item=item, metric="length", value=float(effect[n] + rng.normal())) for n, item in enumerate(items)),
        batch_size=AT_ONCE,
    )  # fmt: skip
    return study, user


def store(
    items: list[Item],
    start: int,
    raters: list[Rater],
    chosen: np.ndarray,
    effect: np.ndarray,
    version: FormVersion,
    criteria: list[Criterion],
    rng: np.random.Generator,
) -> None:
    """The answers to some items."""
    places = [
        (n, start + n, start * AN_ITEM + n * AN_ITEM + k) for n in range(len(items)) for k in range(AN_ITEM)
    ]
    assignments = Assignment.objects.bulk_create(
        Assignment(rater=raters[chosen[at]], item=items[n], form=version.form, version=version)
        for n, _, at in places
    )
    responses = Response.objects.bulk_create(
        Response(
            assignment=assignment,
            submission_key=uuid.uuid4(),
            version=version,
            cannot_rate="lacks_context" if rng.random() < 0.02 else "",
            seconds=float(rng.lognormal(2.5, 0.5)),
        )
        for assignment in assignments
    )
    Rating.objects.bulk_create(
        Rating(response=response, criterion=criterion, value=value(effect[item], rng), minimum=1, maximum=5)
        for response, (_, item, _) in zip(responses, places, strict=True)
        for criterion in criteria
    )


def value(effect: float, rng: np.random.Generator) -> int:
    return int(np.clip(round(3 + effect + rng.normal()), 1, 5))


if __name__ == "__main__":
    main()
