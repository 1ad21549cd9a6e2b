"""Raters, jobs and exports while every part is killed (SIGKILL): is anything lost, doubled or done twice?

    python -m benchmarks.faults [--database sqlite postgresql] [--runs 10] [--raters 12] [--items 40]
                                [--overlap 3] [--pause 1.5] [--gap 4.5] [--out var/faults.jsonl]

`manage.py serve` runs with its web server and three workers; with `postgresql` on a PostgreSQL and a Redis of
their own, which lose their processes too, and the Redis all that it held. While raters answer and come back,
and workers do jobs of all four queues, score 300 similes, compute a report and write a bundle, one part after
another is killed. Afterwards the database is compared with what was acknowledged, every job with what it
left, and `verify` looks at everything. Each run is one line of the file of results.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.exact import CUT_OFF, LOOK, MAKE, Outcome, Plan, Rater, compare
from benchmarks.submissions import UnexpectedPage
from tests.backup.making import VERIFY
from tests.support import postgres, redis_server
from tests.support.installation import Installation, Server, command_line, descendants

# The supervisor gives a process up after five ends within a minute: the turns of this one leave two of each
# part, and two more come at the end of a run, when the report and the export begin.
SELDOM = 31.0
JOBS_END_WITHIN = 180.0
HASTE = {
    "DJANGO_SETTINGS_MODULE": "tests.support.trial_jobs.settings",
    "GROUNDWORK_JOB_LEASE_SECONDS": "2",
    "GROUNDWORK_JOB_SWEEP_SECONDS": "1",
    "GROUNDWORK_JOB_MAX_ATTEMPTS": "20",
}
ASK_AT_ONCE = """
import json
from annotation.models import Study
from annotation.services.base.jobs import enqueue
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import checked_settings
from tests.support.studies.simile_study import make_similes
study = Study.objects.get(slug=SLUG)
similes = Study.objects.create(slug=SLUG + "-similes", title="Similes")
make_similes(similes, groups=GROUPS)
asked = [request_scores(study=similes, actor=None, asked=checked_settings(profile="none"))]
asked += [enqueue(kind=f"trial_{queue}", study=study, params={"steps": STEPS}, created_by=None)
          for queue in ("short", "reports", "models", "messages")]
print("FOUND" + json.dumps([job.pk for job in asked]))
"""
REPORT = """
from annotation.models import Study
from scoring.services.reports.reliability import request_report
study = Study.objects.get(slug=SLUG)
print("FOUND", request_report(study=study, actor=None, replicates=100_000, seed=1).pk)
"""
EXPORT = """
from annotation.models import Study
from scoring.services.reports.bundles import request_bundle
print("FOUND", request_bundle(study=Study.objects.get(slug=SLUG), actor=None).pk)
"""
WAIT_UNTIL_BEGUN = """
import time
from annotation.models import Job
job, until = Job.objects.get(pk=JOB), time.monotonic() + 60
while job.state == "queued" and time.monotonic() < until:
    time.sleep(0.005)
    job.refresh_from_db()
print("FOUND 1")
"""
LOOK_AT_JOBS = """
import json
from annotation.models import AuditEntry, Job
from annotation.selectors.base.archives import archive_path
from scoring.models import Report, Score, ScoredItem, ScoreRun
from zipfile import ZipFile
def results(job):
    if job.kind == "reliability":
        return Report.objects.filter(job=job).count()
    if job.kind == "score":
        run = ScoreRun.objects.get(study=job.study)
        metrics = Score.objects.filter(run=run).values("metric").distinct().count()
        items = job.study.items.count()
        whole = ScoredItem.objects.filter(run=run).count() == items
        return run.revision if whole and Score.objects.filter(run=run).count() == items * metrics else 0
    act = {"bundle": "export_bundle"}.get(job.kind, "trial_done")
    if job.kind == "bundle":
        with ZipFile(archive_path(job)) as archive:
            assert archive.testzip() is None
        assert not list(archive_path(job).parent.glob("*.part")), "a part of an archive is left over"
    return list(AuditEntry.objects.filter(act=act).values_list("detail__job", flat=True)).count(job.pk)
jobs = Job.objects.filter(pk__in=JOBS).select_related("study")
ended = all(job.ended for job in jobs)
found = {job.pk: [job.kind, job.state, job.attempt, job.error_code, ended and results(job)] for job in jobs}
print("FOUND" + json.dumps({"ended": ended, "jobs": found}))
"""


@dataclass
class Site:
    """An installation, and what can be killed of it, by name, in the order in which it is."""

    installation: Installation
    server: Server
    parts: dict[str, Callable[[], None]]
    # Held while a part that scripts need is away.
    whole: threading.Lock = field(default_factory=threading.Lock)

    def found(self, script: str, **given: object) -> Any:
        """What a script in the installation prints after the word FOUND."""
        for name, value in given.items():
            script = script.replace(name, json.dumps(value))
        with self.whole:
            printed = self.installation.run_script(script)
        return json.loads(printed.partition("FOUND")[2])


@dataclass(frozen=True)
class Force:
    """Seconds between two kills, whether each part is killed once only, and how much work there is.

    `turns` are the parts that are killed, in this order; else all are, in an order of each run's own.
    """

    gap: float
    once: bool = False
    turns: Sequence[str] = ()
    groups: int = 60
    steps: int = 120


@contextlib.contextmanager
def site(database: str, folder: Path, **changed: str) -> Iterator[Site | None]:
    """A server on SQLite, or on a PostgreSQL and a Redis of its own; None where these are not installed."""
    with contextlib.ExitStack() as services:
        settings, others = HASTE | changed, {}
        if database != "sqlite":
            cluster = services.enter_context(postgres.own_cluster())
            redis = services.enter_context(redis_server.own_server())
            if cluster is None or redis is None:
                yield None
                return
            settings |= {"DATABASE_URL": cluster.url, "CELERY_BROKER_URL": f"{redis.url}/0"}
            others = {"PostgreSQL": _restarted(cluster), "Redis": _restarted(redis)}
        installation = Installation(folder / "var", settings)
        services.callback(installation.close)
        server = services.enter_context(installation.serve("--bind", "127.0.0.1:0"))
        parts = {
            "web": lambda: _kill_group(server, "gunicorn"),
            "worker": lambda: _kill_group(server, "groundwork.short"),
            "worker for reports": lambda: _kill_group(server, "groundwork.reports"),
            "worker for models": lambda: _kill_group(server, "groundwork.models"),
        }
        yield Site(installation, server, parts | others)


def _restarted(service: postgres.Cluster | redis_server.Server) -> Callable[[], None]:
    def act() -> None:
        service.kill()
        time.sleep(1)
        service.start()

    return act


def _kill_group(server: Server, word: str) -> None:
    """All processes of a child of the server; nothing where it has not been started again yet."""
    for pid in descendants(server.process.pid):
        if word in command_line(pid):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(os.getpgid(pid), signal.SIGKILL)
            return


@contextlib.contextmanager
def killing(
    site: Site, names: Iterable[str], gap: float, sending: threading.Event, killed: Counter[str]
) -> Iterator[threading.Thread]:
    """Kill one part after another, every `gap` seconds, while the block runs."""
    stop = threading.Event()

    def kill() -> None:
        for name in names:
            if stop.wait(gap):
                return
            # In the middle of an answer, where one is being saved.
            sending.wait(1)
            with site.whole:
                site.parts[name]()
            killed[name] += 1

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield thread
    finally:
        stop.set()
        thread.join()


def run(site: Site, plan: Plan, seed: int, force: Force) -> dict[str, Any]:
    """One study from the first rater to the last job; what was killed, and what was found afterwards."""
    slug, outcome, killed = f"faults-{seed}", Outcome(), Counter[str]()
    started, sending = time.monotonic(), threading.Event()
    names = list(force.turns) or random.Random(seed).sample(list(site.parts), len(site.parts))
    turns: Iterable[str] = cycle(names)
    gap = max(force.gap, SELDOM / len(names))
    if force.once:
        turns, gap = (name for name in names if name not in killed), force.gap
    made = site.installation.run_script(MAKE.format(given=json.dumps({"slug": slug, **vars(plan)})))
    invitation = f"{site.server.url}/join/{made.partition('FOUND')[2].strip()}/"
    jobs = site.found(ASK_AT_ONCE, SLUG=slug, GROUPS=force.groups, STEPS=force.steps)
    raters = [Rater(invitation, number, plan, seed, sending) for number in range(plan.raters)]
    kill_at(site, jobs[0], "worker for models", killed)
    with killing(site, turns, gap, sending, killed) as thread:
        with ThreadPoolExecutor(plan.raters) as pool:
            for future in [pool.submit(rater.work) for rater in raters]:
                try:
                    future.result(timeout=600)
                except (UnexpectedPage, *CUT_OFF) as fault:
                    outcome.faults.append(str(fault)[:300])
        for script in (REPORT, EXPORT):
            jobs.append(site.found(script, SLUG=slug))
            kill_at(site, jobs[-1], "worker for reports", killed)
            time.sleep(gap)
        if force.once:
            thread.join()
    ended = wait_for_jobs(site, jobs)
    compare(plan, raters, json.loads(_after_found(site, LOOK.format(slug=slug))), outcome)
    breaches = site.installation.run_script(VERIFY).strip()
    once = sum(row[1] == "done" and row[4] == 1 for row in ended.values())
    outcome.faults += [f"job {pk}: {row}" for pk, row in ended.items() if row[1] != "done" or row[4] != 1]
    outcome.faults += [f"verify: {breaches}"] if breaches != "[]" else []
    if once < len(jobs):
        outcome.faults.append(f"server: {site.server.printed[-1500:]}")
    return {
        "seconds": round(time.monotonic() - started),
        "killed": dict(killed),
        "answers": outcome.acknowledged["main"],
        "checks": outcome.acknowledged["checks"],
        "sent_again": sum(rater.resent for rater in raters),
        "items_exact": [outcome.exact, plan.items],
        "lost": outcome.lost,
        "doubled": outcome.doubled,
        "wrong_verdicts": outcome.wrong_verdicts,
        "jobs_once": [once, len(jobs)],
        "jobs_begun_again": sum(row[2] > 1 for row in ended.values()),
        "verify_clean": breaches == "[]",
        "faults": outcome.faults,
    }


def kill_at(site: Site, job: int, part: str, killed: Counter[str]) -> None:
    """Kill a worker in the middle of a job."""
    site.found(WAIT_UNTIL_BEGUN, JOB=job)
    site.parts[part]()
    killed[part] += 1


def _after_found(site: Site, script: str) -> str:
    return site.installation.run_script(script).partition("FOUND")[2]


def wait_for_jobs(site: Site, jobs: Sequence[int]) -> dict[str, list[Any]]:
    """Kind, state, attempts, code and number of results of each job, once all have ended."""
    until = time.monotonic() + JOBS_END_WITHIN
    while True:
        found = site.found(LOOK_AT_JOBS, JOBS=list(jobs))
        if found["ended"] or time.monotonic() > until:
            ended: dict[str, list[Any]] = found["jobs"]
            return ended
        time.sleep(1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--database", nargs="+", choices=("sqlite", "postgresql"), default=["sqlite", "postgresql"]
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--raters", type=int, default=12)
    parser.add_argument("--items", type=int, default=40)
    parser.add_argument("--overlap", type=int, default=3)
    parser.add_argument("--pause", type=float, default=1.5, help="mean seconds that a rater thinks")
    parser.add_argument("--gap", type=float, default=4.5, help="seconds between two kills")
    parser.add_argument("--out", type=Path, default=Path("var/faults.jsonl"))
    options = parser.parse_args()
    # So that what was started is stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan = Plan(options.raters, options.items, options.overlap, 0.33, 0, checks=True, pause=options.pause)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    faults = 0
    for database in options.database:
        with (
            tempfile.TemporaryDirectory(prefix="groundwork-faults-") as folder,
            site(database, Path(folder)) as here,
        ):
            if here is None:
                print(f"{database}: not installed on this machine")
                continue
            for seed in range(options.runs):
                # The last kills of a run and the first of the next are no turns of each other.
                time.sleep(SELDOM if seed else 0)
                row = {"database": database, "run": seed + 1, **run(here, plan, seed, Force(options.gap))}
                faults += bool(row["faults"])
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
                print(json.dumps(row), flush=True)
    print(f"{faults} runs with a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
