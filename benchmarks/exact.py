"""Raters at once against `manage.py serve`: has every item exactly the ratings it needs, whatever happens?

    python -m benchmarks.exact [--raters 12] [--items 40] [--overlap 3] [--leaving 0.33] [--runs 20]
                               [--kills 0] [--checks] [--sets] [--database URL]

Every rater works over HTTP until nothing is left. A share of them leaves in the middle and comes back
by the personal link, in another browser. With `--kills` the web server is killed (SIGKILL, all its
processes) again and again while answers are being saved; a rater whose answer was not acknowledged sends
the same page again, as the product's own page does. Afterwards the database is compared with what was
acknowledged: answers, attention checks, seats. With `--sets` an item is a set of four texts, of which raters
choose the best and the worst.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import signal
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.rater_client import Browser, Form, Page
from benchmarks.submissions import UnexpectedPage, agree, pressed
from tests.support.installation import Installation, Server

# The server is started again by its supervisor, which gives up after five ends within a minute.
BETWEEN_KILLS = 16.0
# By then everybody has joined.
FIRST_KILL = 8.0
PATIENCE = 60.0
JOIN = re.compile(r"/join/[\w-]+/")
# What a client meets while the server is killed.
CUT_OFF = (OSError, http.client.HTTPException)

MAKE = """
import json, sys
from annotation.domain.quality.checks import CheckKind
from annotation.domain.base.states import StudyState
from annotation.models import Form, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.quality.checks import create_check
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
given = json.loads({given!r})
owner, _ = User.objects.get_or_create(email="exact@example.org")
template = TEMPLATES["best_worst_novelty" if given["sets"] else "hauser"]
texts = "abcd" if given["sets"] else ("literal", "simile")
study = create_from_template(template=template, slug=given["slug"], title="Exact", owner=owner)
add_items(study=study, rows=[
    NewItem(key=f"I{{n:05d}}", fields={{name: f"Number {{n}}, {{name}}." for name in texts}})
    for n in range(given["items"])
])
Form.objects.filter(study=study).update(overlap=given["overlap"])
if given["checks"]:
    Study.objects.filter(pk=study.pk).update(check_every=4)
    study.refresh_from_db()
    create_check(study=study, actor=owner, key="told", kind=CheckKind.INSTRUCTED, form=study.forms.get(),
        settings={{"told": {{"novelty": "a>b=c>d"}} if given["sets"] else {{"quality": 4}}}},
        texts=dict.fromkeys(texts, "Choose what is told."))
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
LOOK = """
import json
from collections import Counter
from django.db.models import Count
from annotation.models import CheckVerdict, Rater, Response, Seat
answers = Response.objects.filter(assignment__rater__study__slug={slug!r})
rows = [
    [r.assignment.rater.code, r.assignment.pk, r.assignment.purpose, r.revision,
     sorted((g.criterion.key, str(g)) for g in r.ratings.all())]
    for r in answers.select_related("assignment__rater").prefetch_related("ratings__criterion")
]
per_item = answers.filter(assignment__purpose="main", current=True, late=False).values_list(
    "assignment__item").annotate(n=Count("pk"))
print("FOUND" + json.dumps({{
    "rows": rows,
    "late": answers.filter(late=True).count(),
    "per_item": [n for _, n in per_item],
    "seats": dict(Counter(Seat.objects.filter(form__study__slug={slug!r}).values_list("state", flat=True))),
    "raters": Rater.objects.filter(study__slug={slug!r}).count(),
    "verdicts": list(CheckVerdict.objects.filter(assignment__rater__study__slug={slug!r}).values_list(
        "assignment", "passed")),
}}))
"""


@dataclass(frozen=True)
class Plan:
    """What a run is to show."""

    raters: int
    items: int
    overlap: int
    leaving: float
    kills: int
    checks: bool
    pause: float = 0.0
    sets: bool = False

    @property
    def right(self) -> tuple[str, str]:
        """The criterion and the answer for which the attention check asks."""
        return ("novelty", "a>b=c>d") if self.sets else ("quality", "4")


@dataclass
class Outcome:
    """What a run has shown."""

    acknowledged: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    killed: int = 0
    resent: int = 0
    exact: int = 0
    lost: int = 0
    doubled: int = 0
    wrong_verdicts: int = 0
    seconds: float = 0.0


class Rater:
    """Works until nothing is left; may leave in the middle and come back in another browser."""

    def __init__(
        self, invitation: str, number: int, plan: Plan, seed: int, sending: threading.Event | None = None
    ) -> None:
        self._sending = sending or threading.Event()
        self._chance = random.Random(f"{seed}/{number}")
        self._invitation = invitation
        self._browser = Browser()
        self._pause = plan.pause
        self.leaves_after = (
            self._chance.randint(1, 6) if self._chance.random() < plan.leaving else plan.items * 10
        )
        self.acknowledged: dict[str, list[tuple[str, str]]] = {}
        self.resent = 0

    def work(self) -> None:
        """Rate page after page, to the end."""
        page = self._join()
        if page is None:
            return
        while True:
            time.sleep(self._chance.random() * 2 * self._pause)
            form = next((one for one in page.post_forms() if "submission_key" in one.values), None)
            if form is None:
                self._check_end(page)
                return
            if len(self.acknowledged) == self.leaves_after:
                page = self._come_back(page)
                continue
            page = self._get(self._answer(page, form))

    def _join(self) -> Page | None:
        """The first page, or None where the study is full; who is cut off sends the same consent again."""
        page, until = self._get(self._invitation), time.monotonic() + PATIENCE
        while True:
            try:
                found = agree(self._browser, page)
            except CUT_OFF:
                found = None
            except UnexpectedPage as refusal:
                if "enough raters" in str(refusal):
                    return None
                if "Consent answered 5" not in str(refusal):
                    raise
                found = None
            if found is not None:
                return found if found.status < 500 else self._get(found.url)
            if time.monotonic() > until:
                raise UnexpectedPage(f"{page.url} could not be answered")
            time.sleep(0.3)

    def _answer(self, page: Page, form: Form) -> str:
        asked = {name: values for name, values in form.radios.items() if name.startswith("answer-")}
        chosen = self._choose(asked)
        until = time.monotonic() + PATIENCE
        while True:
            self._sending.set()
            try:
                saved = self._browser.post(page.url, form, chosen | pressed(form))
            except CUT_OFF:
                saved = None
            finally:
                self._sending.clear()
            if saved is not None and saved.status == 303:
                answers = sorted(_as_stored(asked, chosen))
                self.acknowledged[form.values["assignment"]] = answers
                return saved.text
            if (saved is not None and saved.status < 500) or time.monotonic() > until:
                raise UnexpectedPage(
                    f"Saving answered {saved and saved.status}: {saved and saved.text[:800]}"
                )
            self.resent += 1
            time.sleep(0.3)

    def _choose(self, asked: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """A value for each field; fields of one question get different ones."""
        chosen: dict[str, str] = {}
        for name, values in asked.items():
            others = {chosen[one] for one in chosen if one.partition(":")[0] == name.partition(":")[0]}
            chosen[name] = self._chance.choice([one for one in values if one not in others])
        return chosen

    def _get(self, url: str) -> Page:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                page = self._browser.get(url)
            except CUT_OFF:
                page = None
            if page is not None and page.status < 500:
                return page
            if time.monotonic() > until:
                raise UnexpectedPage(f"{url} did not come back")
            time.sleep(0.3)

    def _come_back(self, page: Page) -> Page:
        """Pause, which shows the personal link; follow it in a browser that knows nothing."""
        self.leaves_after = -1
        study = urllib.parse.urlsplit(page.url).path.split("/")[2]
        pause = self._get(urllib.parse.urljoin(page.url, f"/rate/{study}/pause/"))
        link = JOIN.search(pause.text)
        if link is None:
            raise UnexpectedPage(f"No way back at {pause.url} ({pause.status}):\n{pause.text[:800]}")
        time.sleep(self._chance.random() * 2)
        self._browser = Browser()
        return self._get(urllib.parse.urljoin(page.url, link[0]))

    @staticmethod
    def _check_end(page: Page) -> None:
        if "There are no more items for you" not in page.text and page.status != 200:
            raise UnexpectedPage(f"{page.status} at {page.url}:\n{page.text[:800]}")


def _as_stored(asked: Mapping[str, Sequence[str]], chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each criterion with its answer as files hold it."""
    for name, value in chosen.items():
        key, part = name.removeprefix("answer-").partition(":")[::2]
        if not part:
            yield key, value
        elif part == "best":
            worst = chosen[f"answer-{key}:worst"]
            between = sorted(set(asked[name]) - {value, worst})
            yield key, f"{value}>{'='.join(between)}>{worst}"


def run(installation: Installation, server: Server, plan: Plan, seed: int) -> Outcome:
    """One study, from the first rater to the last, and what the database holds afterwards."""
    slug = f"exact-{seed}-{plan.items}"
    made = found(installation, MAKE.format(given=json.dumps({"slug": slug, **vars(plan)})))
    invitation = f"{server.url}/join/{made}/"
    raters = [Rater(invitation, number, plan, seed) for number in range(plan.raters)]
    outcome, started = Outcome(), time.perf_counter()
    with killing(server, plan.kills, outcome), ThreadPoolExecutor(plan.raters) as pool:
        for future in [pool.submit(rater.work) for rater in raters]:
            try:
                future.result(timeout=3000)
            except UnexpectedPage as fault:
                outcome.faults.append(str(fault)[:300])
    outcome.seconds = time.perf_counter() - started
    outcome.resent = sum(rater.resent for rater in raters)
    compare(plan, raters, json.loads(found(installation, LOOK.format(slug=slug))), outcome)
    return outcome


def compare(plan: Plan, raters: Sequence[Rater], stored: dict[str, Any], outcome: Outcome) -> None:
    """Every acknowledged answer once, exactly as many as are needed, for every check its verdict."""
    acknowledged = {int(pk): answers for rater in raters for pk, answers in rater.acknowledged.items()}
    saved = {row[1]: [tuple(pair) for pair in row[4]] for row in stored["rows"]}
    checks = {row[1] for row in stored["rows"] if row[2] == "check"}
    outcome.acknowledged["main"] = len(acknowledged.keys() - checks)
    outcome.acknowledged["checks"] = len(acknowledged.keys() & checks)
    outcome.doubled = len(stored["rows"]) - len(saved)
    outcome.lost = sum(saved.get(pk) != answers for pk, answers in acknowledged.items())
    passed = {pk: plan.right in saved[pk] for pk in checks}
    found = dict(stored["verdicts"])
    outcome.wrong_verdicts = sum(passed.get(pk) != found.get(pk) for pk in passed.keys() | found.keys())
    outcome.exact = sum(n == plan.overlap for n in stored["per_item"])
    possible_faults = {
        f"{stored['raters']} raters of {plan.raters} people": stored["raters"] > plan.raters,
        f"{outcome.doubled} answers are stored twice": outcome.doubled,
        f"{outcome.lost} acknowledged answers are lost or changed": outcome.lost,
        f"{outcome.wrong_verdicts} checks without the verdict of their answer": outcome.wrong_verdicts,
        f"{outcome.exact} of {plan.items} items have exactly {plan.overlap} ratings": outcome.exact
        != plan.items,
    }
    outcome.faults += [fault for fault, holds in possible_faults.items() if holds]


@contextmanager
def killing(server: Server, times: int, outcome: Outcome) -> Iterator[None]:
    """Kill all processes of the web server so many times while the block runs."""
    stop = threading.Event()

    def kill() -> None:
        while outcome.killed < times and not stop.wait(BETWEEN_KILLS if outcome.killed else FIRST_KILL):
            os.killpg(os.getpgid(server.child("gunicorn")), signal.SIGKILL)
            outcome.killed += 1

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def found(installation: Installation, code: str) -> str:
    """What a piece of code prints after the word FOUND."""
    result = installation.manage("shell", "--no-imports", "--command", code)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return result.stdout.partition("FOUND")[2].strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--raters", type=int, default=12)
    parser.add_argument("--items", type=int, default=40)
    parser.add_argument("--overlap", type=int, default=3)
    parser.add_argument("--leaving", type=float, default=0.33)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--kills", type=int, default=0, help="of the web server, in each run")
    parser.add_argument("--checks", action="store_true", help="an attention check every four pages")
    parser.add_argument("--sets", action="store_true", help="sets of four texts, best and worst")
    parser.add_argument("--pause", type=float, default=0.0, help="mean seconds between two pages")
    parser.add_argument("--database", help="DATABASE_URL; default: a SQLite file")
    options = parser.parse_args()
    plan = Plan(
        options.raters,
        options.items,
        options.overlap,
        options.leaving,
        options.kills,
        options.checks,
        options.pause,
        options.sets,
    )
    failed = 0
    with tempfile.TemporaryDirectory(prefix="groundwork-exact-") as folder:
        settings = {"DATABASE_URL": options.database} if options.database else {}
        installation = Installation(Path(folder) / "var", settings)
        with installation.serve("--bind", "127.0.0.1:0") as server:
            for seed in range(options.runs):
                outcome = run(installation, server, plan, seed)
                failed += bool(outcome.faults)
                print(
                    f"run {seed + 1}: {outcome.exact} of {plan.items} items with exactly {plan.overlap}; "
                    f"{outcome.acknowledged['main']} answers and {outcome.acknowledged['checks']} checks "
                    f"acknowledged; {outcome.killed} kills, {outcome.resent} sent again; "
                    f"{outcome.seconds:.0f} s; {'; '.join(outcome.faults) or 'no fault'}",
                    flush=True,
                )
    print(f"{options.runs - failed} of {options.runs} runs without a fault")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
