"""How long a report takes while scores are computed, against the same report alone; and the memory of all.

    python -m benchmarks.queues [--items 20000] [--replicates 20000] [--reports 3] [--minutes 0]

An embedded installation as `serve` starts it: SQLite, the file-system queue, the embedded models with all
cores. A report's time is from the request to its end, waiting included. Each has a seed of its own, since
the same figures are not computed twice. The reports during the run of scores are spread over --minutes, and
that the run lasts longer than they do is checked.
Memory is the sum over all processes of what each has alone and its share of what it has with others (PSS).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.support.installation import Installation, Server, kilobytes_of_family

MAKE = """
from annotation.models import Study
from tests.support.studies.disagreement_study import make_study
from tests.support.studies.simile_study import make_similes
make_study()
make_similes(Study.objects.create(slug="buses", title="Buses"), groups={groups})
"""
REPORT = """
import time
from annotation.models import Job, Study
from scoring.services.reports.reliability import request_report
study = Study.objects.exclude(slug="buses").get()
job = request_report(study=study, actor=None, replicates={replicates}, seed={seed})
while not job.ended:
    time.sleep(0.05)
    job.refresh_from_db()
waited, seconds = job.started_at - job.created_at, job.finished_at - job.created_at
scores = Job.objects.filter(kind="score").last()
print(job.state, waited.total_seconds(), seconds.total_seconds(), scores.done if scores else 0)
"""
SCORES = """
import time
from annotation.models import Study
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import checked_settings
study = Study.objects.get(slug="buses")
job = request_scores(study=study, actor=None, asked=checked_settings(profile="embedded"))
while not job.done:
    time.sleep(0.1)
    job.refresh_from_db()
"""
STATE = """
from annotation.models import Job
job = Job.objects.get(kind="score")
print(job.state, job.done, job.total, job.seconds_left)
"""


def seconds_of_reports(installation: Installation, replicates: int, seeds: range, every: float = 0) -> float:
    """The median time of reports that are asked for one after the other, one each `every` seconds."""
    times: list[float] = []
    started = time.monotonic()
    for number, seed in enumerate(seeds):
        time.sleep(max(0.0, started + number * every - time.monotonic()))
        answer = installation.run_script(REPORT.format(replicates=replicates, seed=seed))
        state, waited, seconds, scored = answer.split()
        if state != "done":
            raise SystemExit(f"a report ended as {state}")
        print(f"  a report: {seconds} s, of which it waited {waited} s; {scored} items scored", flush=True)
        times.append(float(seconds))
    return statistics.median(times)


def memory(server: Server) -> str:
    """What all processes of the server have together."""
    return f"{kilobytes_of_family(server.process.pid) / 1024:.0f} MB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--replicates", type=int, default=20_000)
    parser.add_argument("--reports", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=0)
    options = parser.parse_args()
    every = 60 * options.minutes / options.reports
    with tempfile.TemporaryDirectory(prefix="groundwork-queues-", ignore_cleanup_errors=True) as name:
        installation = Installation(Path(name) / "var", {})
        with installation.serve("--bind", "127.0.0.1:0") as server:
            print(f"memory after the start               {memory(server)}")
            installation.run_script(MAKE.format(groups=options.items // 5))
            seconds_of_reports(installation, 100, range(1))
            alone = seconds_of_reports(installation, options.replicates, range(1, 1 + options.reports))
            print(f"report alone                         {alone:.1f} s", flush=True)
            installation.run_script(SCORES)
            seeds = range(101, 101 + options.reports)
            during = seconds_of_reports(installation, options.replicates, seeds, every)
            print(f"report beside a run of scores        {during:.1f} s   {during / alone:.2f} ×", flush=True)
            state, done, total, left = installation.run_script(STATE).split()
            print(f"the run of scores meanwhile          {state}, {done} of {total}, seconds left: {left}")
            print(f"memory with all libraries loaded     {memory(server)}")
        installation.close()
        if state != "running":
            raise SystemExit("The run of scores ended before the reports: ask for more --items.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
