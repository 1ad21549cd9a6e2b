"""The item list, its figures and the preview of a rule at 100,000 items × 5 ratings × 3 criteria.

    python -m benchmarks.workbench [--items N] [--raters N] [--times N] [--keep]

The database is that of `DATABASE_URL`, SQLite without it; the study is made in a database of the benchmark's
own and dropped with it, or left in place with `--keep`. The baseline, measured in the same run, is a query
that counts the rows of the list.
Every view is asked `--times` times through its page; wall clock, and the processor time of the process, which
on SQLite is all there is, and of the PostgreSQL backend where that runs on this machine and forks no workers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import get_runner, setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from annotation.models import ExclusionRule, Job, Study, User  # noqa: E402
from annotation.services.base.jobs import Lease, claim  # noqa: E402
from annotation.services.quality.exclusion_rules import declare_rule  # noqa: E402
from benchmarks.workbench_study import AN_ITEM, CRITERIA, load_or_make_study  # noqa: E402
from scoring.models import FigureSet, ItemSummary, Report  # noqa: E402
from scoring.services.raters.exclusion_preview import compute_preview, request_preview  # noqa: E402
from scoring.services.raters.item_figures import compute_figures, request_figures  # noqa: E402

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
    arguments.add_argument("--keep", action="store_true", help="in the database itself, for the next run too")
    asked = arguments.parse_args()
    with database(keep=asked.keep):
        run(asked.items, asked.raters, asked.times)


@contextmanager
def database(*, keep: bool) -> Iterator[None]:
    """A database of the benchmark's own, or what `DATABASE_URL` names."""
    setup_test_environment()
    if keep:
        call_command("migrate", verbosity=0)
        yield
        return
    runner = get_runner(settings)(verbosity=0, interactive=False)
    made = runner.setup_databases()
    try:
        yield
    finally:
        runner.teardown_databases(made)


def run(items: int, raters: int, times: int) -> None:
    """Make the study and measure."""
    study, user = load_or_make_study(items, raters)
    say(f"{connection.vendor}: {items} items × {AN_ITEM} ratings × {len(CRITERIA)} criteria, {raters} raters")
    # What is computed already would be taken as it is.
    FigureSet.objects.filter(study=study).update(software="")
    report_times("figures of all items, job", [measure_times(lambda: figures(study, user))])
    report_times(
        "baseline: counting the rows",
        [measure_times(lambda: ItemSummary.objects.filter(made__study=study).count()) for _ in range(times)],
    )
    client = Client()
    client.force_login(user)
    client.get(reverse("study-rules", args=[study.slug]))
    for name, query in VIEWS.items():
        address = f"{reverse('study-disagreement', args=[study.slug])}?{query}"
        report_times(name, [measure_times(partial(ask, client, address)) for _ in range(times)])
    Report.objects.filter(study=study).update(software="")
    lease = held(request_preview(rule=hauser(study, user), actor=user))
    report_times("preview of HAUSER's rule, job", [measure_times(lambda: compute_preview(lease=lease))])


def hauser(study: Study, user: User) -> ExclusionRule:
    """The rule of an earlier run, or declared now."""
    return study.exclusion_rules.first() or declare_rule(
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


def say(line: str) -> None:
    print(line, flush=True)


def report_times(name: str, times: list[tuple[float, float, float]]) -> None:
    """Median and slowest wall clock, and the least processor time of this process and of the database."""
    wall = [one for one, _, _ in times]
    say(
        f"{name:32}{1000 * statistics.median(wall):9.0f} ms, slowest {1000 * max(wall):9.0f} ms, "
        f"processor {1000 * min(one for _, one, _ in times):9.0f} ms, "
        f"database's {1000 * min(one for _, _, one in times):9.0f} ms"
    )


def figures(study: Study, user: User) -> None:
    compute_figures(lease=held(request_figures(study=study, actor=user)))


def held(job: Job) -> Lease:
    """Claim a job that no other worker knows of."""
    lease = claim(job_id=job.pk)
    if lease is None:
        raise SystemExit(f"{job} is held by another worker")
    return lease


def ask(client: Client, address: str) -> None:
    status = client.get(address).status_code
    if status != 200:
        raise SystemExit(f"{address} answers {status}")


def measure_times(act: Callable[[], object]) -> tuple[float, float, float]:
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


if __name__ == "__main__":
    main()
