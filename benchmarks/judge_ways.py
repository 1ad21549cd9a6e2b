"""A judge of each way on the demo study and on HANNA's public ratings; the chat judge's worker is killed.

    python -m benchmarks.judge_ways --data DIR [--kills 3]

DIR has the files that `import_published hanna` reads. They have no texts of stories, so its items have a
placeholder, and what the local model and the chat judge answer about HANNA says nothing about stories. The
chat endpoint and the local model are those of the tests: the endpoint is late, refuses, limits and answers
unreadably; the model has random weights. Prints one table of answers, one of calls, and one of agreement.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.faults.workers import kill, worker
from tests.services.judges.running.tiny_models import classifier_checkpoint
from tests.support.installation import Installation
from tests.support.outside.chat_server import ChatServer, chat_server

DEMO, HANNA = "everyday-similes", "hanna"
POINTS = ["1", "2", "3", "4", "5"]
KEY = "key-of-the-study-for-benchmarks"
# In every prompt, so that the next call has the next manner.
EVERY_PROMPT = "Criterion"
FAILURES = ("late", "busy", "fault", "lost", "away", "unreadable")
NO_ANSWERS = ("declined", "filtered", "prose", "outside", "silent", "cut")
TIMES_EACH = 3
HASTE = {"GROUNDWORK_JOB_MAX_ATTEMPTS": "20"}
SECONDS = 480.0
WITH = "answers"
FILES = """
import csv, random
from annotation.models import Rating, Study
from django.db.models import Avg
from scoring.services.judges.running.prompts import askable_criteria
draw = random.Random(7)
study = Study.objects.get(slug=SLUG)
names = list(askable_criteria(study))
rated = Rating.objects.filter(criterion__version__form__study=study, value__isnull=False,
                              response__current=True)
means = rated.order_by().values_list("response__assignment__item__key", "criterion__key")
found = {(item, key): mean for item, key, mean in means.annotate(Avg("value"))}
with open(FOLDER + f"/{SLUG}-judge.csv", "w") as file:
    rows = csv.writer(file)
    rows.writerow(["item", names[0]])
    for item in study.items.all():
        if (item.key, names[0]) in found:
            value = round(found[item.key, names[0]] + draw.gauss(0, 0.7))
            rows.writerow([item.key, min(5, max(1, value))])
with open(FOLDER + f"/{SLUG}-scores.csv", "w") as file:
    rows = csv.writer(file)
    rows.writerow(["item", "length"])
    rows.writerows([item.key, sum(map(len, map(str, item.fields.values())))] for item in study.items.all())
print(names[0])
"""
METRIC = """
from annotation.models import Study
from scoring.models import Score, ScoreRun
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.metric_judges import judge_of_metric
run = ScoreRun.objects.filter(study__slug=SLUG).order_by("-pk").first()
metrics = Score.objects.filter(run=run).order_by("metric").values_list("metric", flat=True).distinct()
metric = next((one for one in metrics if one.startswith("BARTScore-HS")), metrics[0])
judge_of_metric(run=run, metric=metric, criterion=CRITERION, notes=JudgeNotes("metric"), actor=None)
"""
CHAT = """
from annotation.models import Membership, Study
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.running.adding import add_chat_judge, chat_settings
from scoring.services.judges.running.endpoint_keys import set_key
from scoring.services.judges.running.permission import allow_texts
from scoring.services.judges.running.runs import request_run
study = Study.objects.get(slug=SLUG)
owner = Membership.objects.filter(study=study, role="owner").first().user
set_key(study=study, actor=owner, key=KEY)
asked = chat_settings("judge-1", patience=2, per_minute=6000, price_read="1", price_written="4")
judge = add_chat_judge(study=study, notes=JudgeNotes("chat"), criteria=[CRITERION], asked=asked, actor=None)
request_run(judge=allow_texts(judge=judge, actor=owner, consent_names_it=True), actor=None)
"""
STATE = """
import json
from annotation.models import Job
job = Job.objects.filter(study__slug=SLUG, kind="judge").latest("pk")
print(json.dumps([job.state, job.error]))
"""
RESULTS = """
import json, re
from django.test import Client
from annotation.models import Membership
from scoring.models import Judge, Judgement
from scoring.selectors.judges.run_state import run_state
from django.db.models import Count
judges = {}
for judge in Judge.objects.filter(study__slug=SLUG).order_by("pk"):
    rows = Judgement.objects.filter(judge=judge).order_by().values_list("reason").annotate(Count("pk"))
    judges[judge.name] = dict(rows)
chat = Judge.objects.get(study__slug=SLUG, way="chat")
state = run_state(chat)
client = Client()
client.force_login(Membership.objects.filter(study__slug=SLUG, role="owner").first().user)
page = client.get(f"/studies/{SLUG}/judges/{chat.pk}/", HTTP_HOST="localhost").content.decode()
shown = re.search(r"Calls repeated after a crash</dt>\\s*<dd>(\\d+)</dd>", page)
print(json.dumps([judges, {"planned": state.planned, "answered": state.answered, "failed": state.failed,
                           "failures": state.failures, "repeated": state.repeated, "spent": state.spent,
                           "on_page": int(shown.group(1)) if shown else None}]))
"""
REPORT = """
import json
from annotation.models import Study
from annotation.services.base.jobs import claim
from scoring.services.judges.judge_report import compute_judges, request_judges
job = request_judges(study=Study.objects.get(slug=SLUG), actor=None, replicates=200)
report = compute_judges(lease=claim(job_id=job.pk))
names = ("judge", "criterion", "estimate", "low", "high", "n_answers", "reason")
print(json.dumps([{name: row.get(name) for name in names} for row in report.tables["agreement"]]))
"""


def run_in(installation: Installation, script: str, **names: str) -> Any:
    """What a script printed last, as JSON if it is."""
    given = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    printed = installation.run_script(given + script).strip()
    try:
        return json.loads(printed)
    except ValueError:
        return printed


def done(installation: Installation, *arguments: str) -> None:
    ended = installation.manage(*arguments)
    if ended.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {ended.stderr[-2000:]}")


def add_judges(installation: Installation, slug: str, folder: Path) -> str:
    """Judges from a file, a metric and a local model; returns the criterion."""
    criterion = str(run_in(installation, FILES, SLUG=slug, FOLDER=str(folder)))
    done(installation, "import_judge", slug, str(folder / f"{slug}-judge.csv"), "--name", "file")
    if slug != HANNA:
        done(installation, "import_scores", slug, str(folder / f"{slug}-scores.csv"), "--run", "length")
    run_in(installation, METRIC, SLUG=slug, CRITERION=criterion)
    local = ("--name", "local", "--model", str(folder / "model"), "--kind", "classifier")
    done(installation, "judge", slug, *local, "--criteria", criterion)
    return criterion


def until(what: str, holds: Any) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what}: not after {SECONDS:g} s")
        time.sleep(0.02)


def run_chat(installation: Installation, server: ChatServer, slug: str, criterion: str, kills: int) -> int:
    """Run the chat judge to its end, with workers killed while a call waits; returns the calls that came."""
    manners = [manner for manner in (*FAILURES, *NO_ANSWERS) for _ in range(TIMES_EACH)]
    random.Random(7).shuffle(manners)
    before = len(server.asked)
    server.script = {EVERY_PROMPT: [""]}
    run_in(installation, CHAT, SLUG=slug, CRITERION=criterion, KEY=KEY)
    for _ in range(kills):
        killed = worker(installation)
        came = len(server.asked)
        until("calls", lambda came=came: len(server.asked) > came + 3)
        waiting = ["late"]
        server.script = {EVERY_PROMPT: waiting}
        until("a call in flight", lambda waiting=waiting: not waiting)
        kill(killed)
    server.script = {EVERY_PROMPT: manners}
    last = worker(installation)
    try:
        until("the end", lambda: run_in(installation, STATE, SLUG=slug)[0] in {"done", "failed"})
    finally:
        kill(last)
    print(slug, *run_in(installation, STATE, SLUG=slug))
    return len(server.asked) - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--kills", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, chat_server() as server:
        folder = Path(name)
        classifier_checkpoint(folder / "model", POINTS)
        own = {"GROUNDWORK_JUDGE_ADDRESS": server.base, "GROUNDWORK_JUDGE_PRIVATE": "1", **HASTE}
        installation = Installation(folder / "var", own)
        try:
            done(installation, "migrate")
            done(installation, "collectstatic", "--noinput")
            done(installation, "seed_demo")
            done(installation, "import_published", HANNA, "--data", str(given.data))
            for slug in (DEMO, HANNA):
                criterion = add_judges(installation, slug, folder)
                came = run_chat(installation, server, slug, criterion, given.kills)
                tell(installation, slug, came, given.kills)
            print(
                "keys that came:", "that of the study alone" if server.keys == {f"Bearer {KEY}"} else "others"
            )
        finally:
            installation.close()


def tell(installation: Installation, slug: str, came: int, kills: int) -> None:
    judges, calls = run_in(installation, RESULTS, SLUG=slug)
    print(f"\n{slug}: answers (empty reason) and reasons without one\n| judge | rows |\n|---|---|")
    for name, rows in judges.items():
        print(f"| {name} | {', '.join(f'{reason or WITH} {n}' for reason, n in rows.items())} |")
    print(f"{kills} kills; calls that came {came}; {json.dumps(calls)}")
    print("| judge | criterion | r | 95% CI | answers |\n|---|---|---:|---|---:|")
    for row in run_in(installation, REPORT, SLUG=slug):
        known = row["estimate"] is not None
        shown = (
            f"{row['estimate']:.3f} | {row['low']:.3f} to {row['high']:.3f}"
            if known
            else f"– | {row['reason']}"
        )
        print(f"| {row['judge'] or 'one rater'} | {row['criterion']} | {shown} | {row['n_answers']} |")


if __name__ == "__main__":
    main()
