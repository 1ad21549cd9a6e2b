"""Raters at once against `manage.py serve`: are all acknowledged ratings stored once, and how fast?

    python -m benchmarks.submissions [--raters 20] [--submissions 200] [--var FOLDER]

Every rater opens the invitation link, agrees, and answers page after page without think time, over
HTTP, as a browser without JavaScript would. The baseline of the same run is `/health/live`: the same
clients and server, with a view that does nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.rater_client import Browser, Form, Page
from tests.support.installation import Installation, Server

LOCKED = "database is locked"
Answers = tuple[tuple[str, str], ...]


class UnexpectedPage(RuntimeError):
    """The server answered something a rater cannot go on with."""


@dataclass
class Sitting:
    """What one rater saw acknowledged, in order, and how long the server took."""

    acknowledged: list[Answers] = field(default_factory=list)
    page_seconds: list[float] = field(default_factory=list)
    save_seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """The figures of one run."""

    sittings: Sequence[Sitting]
    seconds: float
    baseline_per_second: float
    stored: Sequence[tuple[Answers, ...]]
    stored_twice: int
    locked: int

    @property
    def acknowledged(self) -> int:
        return sum(len(sitting.acknowledged) for sitting in self.sittings)

    @property
    def stored_as_acknowledged(self) -> bool:
        """Each rater's stored answers are those acknowledged to one rater, in the same order."""
        acknowledged = Counter(tuple(sitting.acknowledged) for sitting in self.sittings)
        return acknowledged == Counter(self.stored) and self.stored_twice == 0

    def lines(self) -> list[str]:
        per_second = self.acknowledged / self.seconds
        pages = [value for sitting in self.sittings for value in sitting.page_seconds]
        saves = [value for sitting in self.sittings for value in sitting.save_seconds]
        return [
            f"raters at once            {len(self.sittings)}",
            f"acknowledged submissions  {self.acknowledged}",
            f"stored as acknowledged    {'yes' if self.stored_as_acknowledged else 'NO'}",
            f"'{LOCKED}'      {self.locked}",
            f"items per second          {per_second:.1f}  (page and save)",
            f"page p95                  {1000 * percentile(pages, 0.95):.0f} ms",
            f"save p95                  {1000 * percentile(saves, 0.95):.0f} ms",
            f"baseline /health/live     {self.baseline_per_second:.0f} requests per second",
            f"items / baseline          {per_second / self.baseline_per_second:.3f}",
        ]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


MORE_RATINGS = """
from annotation.models import Form, User
from annotation.services.seats.more_ratings import raise_overlap

form = Form.objects.get(study__slug="everyday-similes")
owner = User.objects.get(email="owner@example.org")
raise_overlap(form=form, items=form.study.items.all(), to=20, actor=owner)
"""


def measure(installation: Installation, *, raters: int, submissions: int) -> Outcome:
    """Start a demo server in the installation, let the raters work, stop it, and look into its database."""
    with installation.serve("--demo", "--bind", "127.0.0.1:0") as server:
        invitation = invitation_link(server)
        # Each rater holds items ahead of those that are sent, so the demo's own slots would not do.
        installation.run_script(MORE_RATINGS)
        sit(Browser(), invitation, 0, seed=0)
        shares = [submissions // raters + (number < submissions % raters) for number in range(raters)]
        started = time.perf_counter()
        with ThreadPoolExecutor(raters) as pool:
            work = [
                pool.submit(sit, Browser(), invitation, share, seed=number + 1)
                for number, share in enumerate(shares)
            ]
            sittings = [future.result(timeout=300) for future in work]
        seconds = time.perf_counter() - started
        baseline = baseline_per_second(server, clients=raters)
        printed = server.printed
    logs = [path.read_text(encoding="utf-8") for path in (installation.var / "log").glob("*.log")]
    locked = sum(text.count(LOCKED) for text in [printed, *logs])
    stored, twice = stored_answers(installation)
    return Outcome(sittings, seconds, baseline, stored, twice, locked)


def invitation_link(server: Server) -> str:
    return next(address for address in server.addresses if "/join/" in address)


def sit(browser: Browser, invitation: str, submissions: int, *, seed: int) -> Sitting:
    """One rater: link, consent, then page and answer in turn."""
    chance, sitting = random.Random(seed), Sitting()
    page = agree(browser, browser.get(invitation))
    for _ in range(submissions):
        form = rating_form(page)
        chosen = {name: chance.choice(values) for name, values in form.radios.items()}
        saved = browser.post(page.url, form, chosen | pressed(form))
        if saved.status != 303:
            raise UnexpectedPage(f"Saving answered {saved.status} at {saved.url}:\n{saved.text[:2000]}")
        sitting.acknowledged.append(as_answers(chosen))
        sitting.save_seconds.append(saved.seconds)
        page = browser.get(saved.text)
        sitting.page_seconds.append(page.seconds)
    return sitting


def agree(browser: Browser, page: Page) -> Page:
    """Send the consent form, every box ticked, and go where it leads."""
    here = urllib.parse.urlsplit(page.url).path
    for form in page.post_forms():
        target = urllib.parse.urlsplit(urllib.parse.urljoin(page.url, form.action)).path
        if target == here:
            answer = browser.post(page.url, form, form.checkboxes | pressed(form))
            if 300 <= answer.status < 400:
                return browser.get(answer.text)
            raise UnexpectedPage(f"Consent answered {answer.status}:\n{answer.text[:2000]}")
    raise UnexpectedPage(f"No consent form at {page.url} ({page.status}):\n{page.text[:2000]}")


def rating_form(page: Page) -> Form:
    for form in page.post_forms():
        if "submission_key" in form.values and form.radios:
            form.radios = {name: v for name, v in form.radios.items() if name.startswith("answer-")}
            return form
    raise UnexpectedPage(f"No rating form at {page.url} ({page.status}):\n{page.text[:2000]}")


def pressed(form: Form) -> dict[str, str]:
    """The button that Enter would press."""
    return dict(form.buttons[:1])


def as_answers(chosen: dict[str, str]) -> Answers:
    return tuple(sorted((name.removeprefix("answer-"), value) for name, value in chosen.items()))


def baseline_per_second(server: Server, *, clients: int, requests: int = 600) -> float:
    """The server's floor: the same clients, an address that touches nothing."""
    url = server.url + "/health/live"

    def ask(_: int) -> None:
        browser = Browser()
        for _ in range(requests // clients):
            if browser.get(url).status != 200:
                raise UnexpectedPage(f"{url} did not answer 200")

    return requests // clients * clients / timed(lambda: _all_at_once(ask, clients))


def timed(act: Callable[[], None]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _all_at_once(act: Callable[[int], None], clients: int) -> None:
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(act, range(clients)))


LOOK = """
import json
from annotation.models import Response
raters, responses = {}, Response.objects.filter(assignment__rater__simulated=False)
for response in responses.order_by("submitted_at", "pk").prefetch_related("ratings__criterion"):
    answers = sorted((rating.criterion.key, str(rating)) for rating in response.ratings.all())
    raters.setdefault(response.assignment.rater_id, []).append(answers)
twice = responses.exclude(revision=1).count()
print(json.dumps([list(raters.values()), twice]))
"""


def stored_answers(installation: Installation) -> tuple[list[tuple[Answers, ...]], int]:
    """What the database holds for each real rater, in order; and how many rows are second revisions."""
    result = installation.manage("shell", "--no-imports", "--command", LOOK)
    if result.returncode:
        raise RuntimeError(result.stderr)
    raters, twice = json.loads(result.stdout.splitlines()[-1])
    stored = [tuple(tuple((key, value) for key, value in answers) for answers in rater) for rater in raters]
    return stored, twice


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--raters", type=int, default=20)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--var", type=Path, help="keep the data here (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-bench-") as folder:
        installation = Installation(options.var or Path(folder) / "var", {})
        outcome = measure(installation, raters=options.raters, submissions=options.submissions)
    print(*outcome.lines(), sep="\n")
    complete = outcome.acknowledged == options.submissions
    return 0 if complete and outcome.stored_as_acknowledged and not outcome.locked else 1


if __name__ == "__main__":
    sys.exit(main())
