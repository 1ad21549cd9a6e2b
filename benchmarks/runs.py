"""A run of scores by one and two workers, against scoring the candidates one after the other in one process.

    python -m benchmarks.runs [--items 2000] [--workers 1 2]

Each way has an installation of its own, with nothing computed before: SQLite, the file-system queue, the
embedded models with one thread. The plain way extracts, looks up and classifies one candidate at a time, in
order, and stores nothing; it is timed for the first of them. A run's time is that of its job, from the claim
to the end: planning, storing scores and explanations are in it. Importing torch is not, for workers live
long: all have scored another study before, with other texts. Workers share a run by chunks, so there have to
be a few for each, and the time of one worker divided by that of several says what they are worth. The second
run of the same settings finds all unchanged.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.installation import ROOT, Installation

CHUNK_ITEMS = 128  # as scoring.services.similes.score_chunks has it, which needs a configured Django

SETTINGS = {"GROUNDWORK_MODEL_THREADS": "1", "OMP_NUM_THREADS": "1"}
EACH = 5
CHUNKS_A_WORKER = 3
FIRST = 520
MAKE = """
from annotation.models import Item, Study
from tests.support.studies.simile_study import make_similes
make_similes(Study.objects.create(slug="buses", title="Buses"), groups={groups})
first = Study.objects.create(slug="trams", title="Trams")
for item in make_similes(first, groups={first}):
    Item.objects.filter(pk=item.pk).update(
        fields={{name: text.replace("bus", "tram") for name, text in item.fields.items()}}
    )
"""
PLAIN = """
import time
from dataclasses import replace
from annotation.models import Study
from scoring.backends.models import Models
from scoring.hauser.base.candidates import Group
from scoring.hauser.runs.pipeline import score_groups
from scoring.selectors.similes.similes import groups_of
from scoring.services.base.model_profiles import configured_models
from scoring.services.similes.score_settings import checked_settings
from scoring.services.similes.run_environment import toolkit
configured = configured_models("embedded")
models = Models(configured.profile, configured._store, configured._compute)
with toolkit(checked_settings(profile="embedded")) as kit:
    tools = replace(kit.tools, nli=models.nli, sentiment=models.sentiment)
    for slug, number in (("trams", 10), ("buses", {number})):
        started = time.perf_counter()
        study = Study.objects.get(slug=slug)
        for group in groups_of(study, study.items.filter(position__lt=number)):
            for simile in group.candidates:
                score_groups([Group(group.key, (simile,))], tools)
print("took", time.perf_counter() - started)
"""
RUN = """
import time
from annotation.models import Job, Study
from scoring.models import ScoredItem
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import checked_settings
study = Study.objects.get(slug="{slug}")
job = request_scores(study=study, actor=None, asked=checked_settings(profile="embedded"))
while not job.ended:
    time.sleep(0.05)
    job.refresh_from_db()
print("took", job.seconds, job.state, ScoredItem.objects.filter(item__study=study).count())
"""


def printed_by(installation: Installation, code: str) -> list[str]:
    """What a piece of code prints inside an installation."""
    done = installation.manage("shell", "-v", "0", "-c", code)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.split()


@contextmanager
def workers(installation: Installation, number: int) -> Iterator[None]:
    """Worker processes that are up."""
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
    logs = [installation.var.with_suffix(f".{place}.log") for place in range(number)]
    processes = []
    for log in logs:
        with log.open("wb") as file:
            processes.append(
                subprocess.Popen(
                    command,
                    env=installation.environment,
                    cwd=ROOT,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )
    try:
        yield
    finally:
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def made(folder: Path, name: str, items: int) -> Installation:
    """A new installation with a study."""
    installation = Installation(folder / name, SETTINGS)
    if (done := installation.manage("migrate", "-v", "0")).returncode:
        raise SystemExit(done.stderr)
    printed_by(installation, MAKE.format(groups=items // EACH, first=FIRST // EACH))
    return installation


def seconds_of_plain(installation: Installation, items: int) -> float:
    """How long the plain way takes for all items, from a part of them."""
    part = min(items, FIRST)
    return float(printed_by(installation, PLAIN.format(number=part))[1]) * items / part


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--workers", type=int, nargs="+", default=(1, 2))
    options = parser.parse_args()
    items = options.items // EACH * EACH
    least = CHUNKS_A_WORKER * CHUNK_ITEMS * max(options.workers)
    if items < least:
        parser.error(
            f"--items {items} are too few chunks for {max(options.workers)} workers: at least {least}"
        )
    with tempfile.TemporaryDirectory(prefix="groundwork-runs-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        plain = seconds_of_plain(made(folder, "plain", items), items)
        print(f"{items} candidates in groups of {EACH}")
        print(f"one after the other, nothing stored  {items / plain:7.1f} items/s", flush=True)
        alone = 0.0
        for number in options.workers:
            installation = made(folder, f"workers-{number}", items)
            with workers(installation, number):
                printed_by(installation, RUN.format(slug="trams"))
                for what in ("", ", unchanged"):
                    _, took, state, scored = printed_by(installation, RUN.format(slug="buses"))
                    if (state, int(scored)) != ("done", items):
                        raise SystemExit(f"the job ended as {state} with {scored} items")
                    seconds = float(took)
                    alone = seconds if not what and number == 1 else alone
                    against = (
                        f"   {alone / seconds:.2f} × one worker" if alone and number > 1 and not what else ""
                    )
                    print(
                        f"{f'{number} workers{what}':36} {items / seconds:7.1f} items/s   "
                        f"{plain / seconds:.2f} ×{against}",
                        flush=True,
                    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
