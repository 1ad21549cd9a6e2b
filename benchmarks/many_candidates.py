"""Very many candidates, scored by workers on PostgreSQL and Redis: throughput, memory, a kill and a stop.

    python -m benchmarks.many_candidates [--candidates 1000000] [--scaling 40000] [--embedded 4000]
        [--waiting 4000]

Separate worker processes represent machines. PostgreSQL and Redis are servers of the benchmark's own, on the
same cores as the workers.

1. Scaling: the same candidates by one and two workers without models (all time is the processor's and the
   database's) and with the embedded models, and by one, two and four workers whose classifiers wait for an
   answer without the processor, as a model on another machine does (`WAIT_SECONDS` a call).
2. Volume: all candidates by two workers. Near a third of them a worker is killed with `kill -9` and another
   one started; near two thirds the database is stopped at once, and started ten seconds later. At the end
   every candidate must have every score exactly once, and a sample that is computed again in one process must
   be equal.

A worker's memory is what its processes have alone and their share of what they have together (PSS).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.support import postgres, redis_server
from tests.support.installation import ROOT, Installation, kilobytes_of_family

EACH = 5
WAIT_SECONDS = 0.1
AWAY_SECONDS = 10
VOLUME = "volume"
FIRST_GROUPS = count(1_000_000, 100_000)
WAITING = "classifiers that wait"
PROFILES = {"no models": "none", "embedded models": "embedded", WAITING: "embedded"}
HASTE = {"GROUNDWORK_JOB_LEASE_SECONDS": "15", "GROUNDWORK_JOB_SWEEP_SECONDS": "2"}
MAKE = """
from annotation.models import Study
from tests.support.studies.simile_study import make_similes
study = Study.objects.create(slug="{slug}", title="{slug}")
for start in range({first}, {end}, 5000):
    make_similes(study, groups=min(5000, {end} - start), first=start)
"""
ASK = """
from annotation.models import Study
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import checked_settings
request_scores(
    study=Study.objects.get(slug="{slug}"), actor=None, asked=checked_settings(profile="{profile}")
)
"""
LOOK = """
import json
from annotation.models import Job
job = Job.objects.get(kind="score", study__slug="{slug}")
print(json.dumps([job.state, job.done, job.total, job.seconds or 0, job.attempt]))
"""
CHECK = """
import json
from django.db import connection
from annotation.models import Study
from scoring.hauser.runs.pipeline import score_groups
from scoring.models import Score, ScoreChunk, ScoredItem, ScoreRun
from scoring.selectors.similes.similes import groups_of
from scoring.services.similes.run_environment import toolkit
from scoring.services.similes.score_settings import ScoreSettings
study = Study.objects.get(slug="{slug}")
run = ScoreRun.objects.get(study=study)
with connection.cursor() as cursor:
    cursor.execute(
        "SELECT min(n), max(n), count(*), sum(n) FROM "
        "(SELECT count(*) AS n FROM scoring_score WHERE run_id = %s GROUP BY item_id) AS scored", [run.pk]
    )
    least, most, items, scores = cursor.fetchone()
    cursor.execute("SELECT pg_database_size(current_database())")
    size = cursor.fetchone()[0]
names = [f"G{{number:04d}}" for number in range(0, {groups}, max(1, {groups} // 100))]
groups = groups_of(study, study.items.filter(group__in=names))
with toolkit(ScoreSettings("none")) as kit:
    fresh = score_groups(groups, kit.tools)
wrong = 0
for one in [one for of_group in fresh for one in of_group]:
    stored = dict(Score.objects.filter(run=run, item_id=int(one.key)).values_list("metric", "value"))
    wrong += stored != {{metric: score.value for metric, score in one.scores.items()}}
again = ScoreChunk.objects.filter(run=run, attempt__gt=1).count()
print(json.dumps([
    items, least, most, int(scores), ScoredItem.objects.filter(run=run).count(), sum(map(len, fresh)), wrong,
    again, size,
]))
"""
WAITING_WORKER = """
import sys, time
from scoring.backends.classifier import Classified
from scoring.backends.models import Models

def waiting(names):
    def answer(texts):
        time.sleep({seconds})
        return [Classified({{name: 1 / len(names) for name in names}}) for _ in texts]
    return answer

Models.nli = property(lambda models: waiting(["contradiction", "neutral", "entailment"]))
Models.sentiment = property(lambda models: waiting(["negative", "positive"]))
from config.celery import app
app.worker_main(sys.argv[1:])
"""


class Workers:
    """Worker processes of one installation."""

    def __init__(self, installation: Installation, *, waiting: bool = False) -> None:
        self._installation = installation
        self._waiting = waiting
        self.running: list[subprocess.Popen[bytes]] = []
        self._started = 0

    def start(self) -> None:
        """Start one more."""
        worker = ["worker", "--concurrency", "1", "-n", f"w{self._started}@%h"]
        program = ["-c", WAITING_WORKER.format(seconds=WAIT_SECONDS)]
        command = [*program, *worker] if self._waiting else ["-m", "celery", "-A", "config", *worker]
        with self._installation.var.with_suffix(f".{self._started}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *command],
                env=self._installation.environment | HASTE,
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._started += 1
        self.running.append(process)

    def kill(self) -> None:
        """Kill the first."""
        process = self.running.pop(0)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def megabytes(self) -> list[int]:
        """The memory of each."""
        return [kilobytes_of_family(process.pid) // 1024 for process in self.running]

    def end(self) -> None:
        while self.running:
            self.kill()


@contextmanager
def installations(folder: Path) -> Iterator[tuple[Installation, postgres.Cluster]]:
    """An installation on servers of its own."""
    with postgres.own_cluster() as cluster, redis_server.own_server() as redis:
        if cluster is None or redis is None:
            raise SystemExit("This benchmark needs PostgreSQL and Redis to be installed.")
        installation = Installation(
            folder / "var",
            {
                "DATABASE_URL": cluster.url,
                "CELERY_BROKER_URL": f"{redis.url}/0",
                "GROUNDWORK_MODEL_THREADS": "1",
                "OMP_NUM_THREADS": "1",
            },
        )
        if (done := installation.manage("migrate", "-v", "0")).returncode:
            raise SystemExit(done.stderr)
        try:
            yield installation, cluster
        finally:
            installation.close()


def make(installation: Installation, slug: str, groups: int) -> None:
    """A study whose texts no other study has, since answers of models are stored by text."""
    first = next(FIRST_GROUPS) if slug != VOLUME else 0
    installation.run_script(MAKE.format(slug=slug, first=first, end=first + groups))


def state(installation: Installation, slug: str) -> tuple[str, int, int, float, int]:
    state, done, total, seconds, attempt = json.loads(installation.run_script(LOOK.format(slug=slug)))
    return state, done, total, seconds, attempt


def finished(installation: Installation, slug: str) -> float:
    """Wait until the job is done; its seconds."""
    while True:
        is_now, done, total, seconds, _ = state(installation, slug)
        if is_now == "done":
            return seconds
        if is_now == "failed":
            raise SystemExit(f"{slug} failed after {done} of {total}")
        time.sleep(0.5)


def scale(installation: Installation, candidates: int, numbers: tuple[int, ...], way: str) -> None:
    """Throughput of candidates by several numbers of workers, each of which has worked before."""
    print(f"\n{candidates:,} candidates, {way}", flush=True)
    alone = 0.0
    for number in numbers:
        slug, before = (f"{kind}-{way}-{number}".replace(" ", "-") for kind in ("scaled", "before"))
        for name, size in ((slug, candidates), (before, 400 * number)):
            make(installation, name, size // EACH)
        workers = Workers(installation, waiting=way == WAITING)
        try:
            for _ in range(number):
                workers.start()
            time.sleep(15)
            for name in (before, slug):
                installation.run_script(ASK.format(slug=name, profile=PROFILES[way]))
                seconds = finished(installation, name)
        finally:
            workers.end()
        rate = candidates / seconds
        alone = alone or rate
        efficiency = (
            f"   {rate / alone:.2f} × one, efficiency {rate / alone / number:.2f}" if number > 1 else ""
        )
        print(f"  {number} worker{'s' * (number > 1):1}  {rate:8.0f} candidates/s{efficiency}", flush=True)


def volume(installation: Installation, cluster: postgres.Cluster, candidates: int) -> None:
    """All candidates by two workers, one of which is killed, on a database that is stopped."""
    groups = candidates // EACH
    print(f"\n{candidates:,} candidates, no models, two workers", flush=True)
    make(installation, VOLUME, groups)
    workers = Workers(installation)
    try:
        workers.start()
        workers.start()
        time.sleep(15)
        installation.run_script(ASK.format(slug=VOLUME, profile="none"))
        started, shown, killed, stopped = time.monotonic(), 0.0, False, False
        while True:
            is_now, done, total, _, attempt = state(installation, VOLUME)
            share = done / total if total > 1 else 0
            if share >= shown or is_now == "done":
                print(
                    f"  {time.monotonic() - started:6.0f} s  {done:9,}   MB {workers.megabytes()}", flush=True
                )
                shown = share + 0.1
            if is_now in {"done", "failed"}:
                print(f"  the job is {is_now}: {done:,} of {total:,}, begun {attempt} times")
                break
            if share > 1 / 3 and not killed:
                killed = True
                workers.kill()
                print(f"  a worker was killed at {done:,}", flush=True)
                workers.start()
            if share > 2 / 3 and not stopped:
                stopped = True
                installation.close()
                cluster.stop()
                print(f"  the database was stopped at {done:,}", flush=True)
                time.sleep(AWAY_SECONDS)
                cluster.start()
            time.sleep(1)
    finally:
        workers.end()
    checked(installation, groups)


def checked(installation: Installation, groups: int) -> None:
    """Print what is stored; end with an error where something is missing or wrong."""
    answer = json.loads(installation.run_script(CHECK.format(slug=VOLUME, groups=groups)))
    items, least, most, scores, explained, sample, wrong, again, size = answer
    print(
        f"  {items:,} candidates have {least} to {most} scores each, {scores:,} in all; "
        f"{explained:,} explanations;\n"
        f"  {sample} computed again: {wrong} differ; {again} chunks were begun more than once;\n"
        f"  the database has {size / 1e9:.2f} GB, {size / items:,.0f} bytes a candidate"
    )
    if wrong or least != most or {items, explained} != {groups * EACH}:
        raise SystemExit("Scores are missing, doubled or wrong.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--candidates", type=int, default=1_000_000)
    parser.add_argument("--scaling", type=int, default=40_000)
    parser.add_argument("--embedded", type=int, default=4_000)
    parser.add_argument("--waiting", type=int, default=4_000)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="groundwork-many-", ignore_cleanup_errors=True) as name,
        installations(Path(name)) as (installation, cluster),
    ):
        if options.scaling:
            scale(installation, options.scaling, (1, 2), "no models")
        if options.embedded:
            scale(installation, options.embedded, (1, 2), "embedded models")
        if options.waiting:
            scale(installation, options.waiting, (1, 2, 4), WAITING)
        if options.candidates:
            volume(installation, cluster, options.candidates // EACH * EACH)
    return 0


if __name__ == "__main__":
    sys.exit(main())
