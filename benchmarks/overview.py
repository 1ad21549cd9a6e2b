"""Pages of an open study of 30,000 and 100,000 items and 1,000 raters, and parts of the overview.

    python -m benchmarks.overview [--items N ...] [--raters N] [--times N] [--keep]
                                  [--save FILE] [--against FILE]

The study is that of `benchmarks.workbench`, opened, with what `benchmarks.busy_study` adds and with the
statistics of its items; all rows are inserted in bulk. Each line has seconds by the clock, processor time of
the process that makes the page, queries, and the ratio to the baseline measured in the same run: a query that
counts the responses of the study. `--save` writes the processor times of a run, say of the version before a
change, and `--against` adds the ratio to them. With `--keep`, the study is made once for both:

    export DATABASE_URL=sqlite:////tmp/large.sqlite3
    python -m benchmarks.overview --items 100000 --keep --save main.json
    python -m benchmarks.overview --items 100000 --keep --against main.json
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks import workbench  # Sets Django up.

# isort: split
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Seat, Study, User
from annotation.selectors.people.silent_raters import silent_raters
from annotation.selectors.quality.raters_to_review import find_raters_to_review
from annotation.selectors.questions.counting import submitted
from annotation.selectors.seats.unfillable_seats import find_unfillable_seats
from annotation.selectors.studies import progress
from benchmarks.busy_study import add_history, open_study
from benchmarks.workbench_study import AN_ITEM, load_or_make_study

# Name → page, and what its address asks for.
PAGES = {
    "items, first page": ("study-items", ""),
    "items, page 900": ("study-items", "page=900"),
    "items, search in the texts": ("study-items", "q=lamp+77"),
    "raters by code": ("study-raters", ""),
    "raters by code, page 30": ("study-raters", "page=30"),
    "raters by responses": ("study-raters", "sort=-done"),
    "raters by last activity": ("study-raters", "sort=-last"),
    "raters by median time": ("study-raters", "sort=-seconds"),
    "raters by failed checks": ("study-raters", "sort=-failed"),
    "raters by held-out r": ("study-raters", "sort=held_out"),
    "raters, search": ("study-raters", "q=R-07"),
    "raters, excluded": ("study-raters", "state=excluded"),
    "review": ("study-review", ""),
    "messages": ("study-messages", ""),
    "disagreement list": ("study-disagreement", ""),
    "disagreement, search": ("study-disagreement", "q=lamp+77"),
    "adjudication queue": ("study-adjudication", ""),
    "adjudication, decided": ("study-adjudication", "state=decided"),
    "adjudication, search": ("study-adjudication", "q=lamp+77"),
    "pay": ("study-pay", ""),
    "audit log": ("study-audit", ""),
    "audit log, page 900": ("study-audit", "page=900"),
}


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--items", type=int, nargs="+", default=[30_000, 100_000])
    arguments.add_argument("--raters", type=int, default=1000)
    arguments.add_argument("--times", type=int, default=3)
    arguments.add_argument("--keep", action="store_true", help="in the database itself, for the next run too")
    arguments.add_argument("--save", type=Path, help="file for the processor times of this run")
    arguments.add_argument("--against", type=Path, help="file of an earlier run, the baseline")
    asked = arguments.parse_args()
    before = json.loads(asked.against.read_text(encoding="utf-8")) if asked.against else {}
    found: dict[str, float] = {}
    for items in asked.items:
        with workbench.database(keep=asked.keep):
            found |= run(items, asked.raters, asked.times, before)
    if asked.save:
        asked.save.write_text(json.dumps(found, indent=2), encoding="utf-8")


def run(items: int, raters: int, times: int, before: Mapping[str, float]) -> dict[str, float]:
    """Make the study and measure; returns the processor times by size and line."""
    study, user = ready_study(items, raters)
    workbench.say(f"{connection.vendor}: {items} items × {AN_ITEM} ratings, {raters} raters")
    client = Client()
    client.force_login(user)
    baseline = measure(lambda: submitted(study).count(), times).wall
    table = Table(f"{connection.vendor}, {items} items: ", baseline, times, before)
    report_pages(table, client, study)
    for name, act in parts_of_overview(study).items():
        table.report(name, act)
    return table.found


def ready_study(items: int, raters: int) -> tuple[Study, User]:
    """The study of an earlier run, or one made now, with all that its pages show."""
    study, user = load_or_make_study(items, raters)
    if not Seat.objects.filter(form__study=study).exists():
        open_study(study)
        study.refresh_from_db()
        add_history(study, user)
        workbench.figures(study, user)
    study.refresh_from_db()
    return study, user


def report_pages(table: Table, client: Client, study: Study) -> None:
    """The overview as it comes, the lists, and one row of each."""
    address = reverse("study", args=[study.slug])
    table.report("counting the responses", lambda: submitted(study).count())
    table.report("overview, nothing in the cache", lambda: ask(client, address, cached=False))
    table.report("its counts, loaded next", lambda: ask(client, f"{address}?counts", part=True, cached=False))
    table.report("its raters to review, loaded last", lambda: ask(client, address, part=True, cached=False))
    table.report("overview", lambda: ask(client, address))
    table.report("part that is fetched again", lambda: ask(client, address, part=True))
    for name, (page, query) in PAGES.items():
        table.report(name, partial(ask, client, f"{reverse(page, args=[study.slug])}?{query}"))
    flags = f"{reverse('study-raters', args=[study.slug])}?flags=1"
    table.report("flags of raters, loaded next", partial(ask, client, flags, part=True))
    rater = reverse("study-rater", args=[study.slug, study.raters.earliest("pk").code])
    item = reverse("study-item", args=[study.slug, study.items.earliest("pk").key])
    case = reverse("study-case", args=[study.slug, study.cases.earliest("pk").pk])
    table.report("one rater", partial(ask, client, rater))
    table.report("panel of one rater", partial(ask, client, rater, part=True))
    table.report("one item", partial(ask, client, item))
    table.report("one case", partial(ask, client, case))


def parts_of_overview(study: Study) -> dict[str, Callable[[], object]]:
    return {
        "coverage": lambda: progress.coverage(study),
        "totals": lambda: progress.totals(study, []),
        "raters to review": lambda: uncached(lambda: find_raters_to_review(study)),
        "slots nobody can fill": lambda: find_unfillable_seats(study),
        "silent raters": lambda: silent_raters(study, timezone.now()),
        "rows of raters": lambda: progress.rater_rows(study),
        "responses per day": lambda: progress.per_day(study),
        "items lacking context": lambda: progress.items_lacking_context(study),
    }


def ask(client: Client, address: str, *, part: bool = False, cached: bool = True) -> None:
    if not cached:
        caches["fragments"].clear()
    answer = client.get(address, headers={"HX-Request": "true"} if part else {})
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}")


def uncached(act: Callable[[], object]) -> None:
    caches["fragments"].clear()
    act()


class Measured(NamedTuple):
    """Median and slowest wall clock and least processor time in seconds, and the number of queries.

    With PostgreSQL on this machine, `processor` has the time of its backend too.
    """

    wall: float
    slowest: float
    processor: float
    queries: int


def measure(act: Callable[[], object], times: int) -> Measured:
    queries: list[int] = []

    def counted() -> None:
        with CaptureQueriesContext(connection) as found:
            act()
        queries.append(len(found))

    took = [workbench.measure_times(counted) for _ in range(times)]
    wall = [one for one, _, _ in took]
    processor = min(own + of_database for _, own, of_database in took)
    return Measured(statistics.median(wall), max(wall), processor, queries[-1])


@dataclass
class Table:
    """The lines so far; `baseline` are the seconds of a ratio of 1, `before` the processor times of a run."""

    heading: str
    baseline: float
    times: int
    before: Mapping[str, float]
    found: dict[str, float] = field(default_factory=dict)

    def report(self, name: str, act: Callable[[], object]) -> None:
        """A line of the table."""
        found = measure(act, self.times)
        self.found[self.heading + name] = found.processor
        line = f"{name:34}{found.wall:8.2f} s, slowest {found.slowest:8.2f} s, CPU {found.processor:8.2f} s"
        line += f", {found.queries:3} queries, {found.wall / self.baseline:7.1f} × counting"
        if (before := self.before.get(self.heading + name)) is not None:
            line += f", {found.processor / before:5.2f} × {before:.2f} s before"
        workbench.say(f"{line}, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
