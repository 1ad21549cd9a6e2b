"""Pages of an open study of 30,000 and 100,000 items and 1,000 raters, and parts of the overview.

    python -m benchmarks.overview [--items N ...] [--raters N] [--times N] [--keep]

The study is that of `benchmarks.workbench`, opened: an item has a rating slot for each of its ratings,
every tenth item a free one more; all rows are inserted in bulk. Each line has seconds by the clock,
processor time of the process that makes the page, queries, and the ratio to the baseline measured in the
same run: a query that counts the responses of the study.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from benchmarks import workbench  # Sets Django up.

# isort: split
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.models import Assignment, Seat, Study
from annotation.selectors.people.silent_raters import silent_raters
from annotation.selectors.quality.raters_to_review import find_raters_to_review
from annotation.selectors.questions.counting import submitted
from annotation.selectors.seats.unfillable_seats import find_unfillable_seats
from annotation.selectors.studies import progress
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.bulk_copy import insert_rows
from benchmarks.workbench_study import AN_ITEM, kept_study

# So many items need one more rating than they have.
ONE_MORE_EVERY = 10
PAGES = {
    "items, first page": ("study-items", ""),
    "items, page 900": ("study-items", "page=900"),
    "items, search in the texts": ("study-items", "q=lamp+77"),
    "raters by code": ("study-raters", ""),
    "raters by code, page 30": ("study-raters", "page=30"),
    "raters by last activity": ("study-raters", "sort=-last"),
    "raters by median time": ("study-raters", "sort=-seconds"),
    "raters, search": ("study-raters", "q=R-07"),
    "review": ("study-review", ""),
    "messages": ("study-messages", ""),
}


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, nargs="+", default=[30_000, 100_000])
    arguments.add_argument("--raters", type=int, default=1000)
    arguments.add_argument("--times", type=int, default=3)
    arguments.add_argument("--keep", action="store_true", help="in the database itself, for the next run too")
    asked = arguments.parse_args()
    for items in asked.items:
        with workbench.database(keep=asked.keep):
            run(items, asked.raters, asked.times)


def run(items: int, raters: int, times: int) -> None:
    """Make the study and measure."""
    study, user = kept_study(items, raters)
    if not Seat.objects.filter(form__study=study).exists():
        open_study(study)
    study.refresh_from_db()
    workbench.say(f"{connection.vendor}: {items} items × {AN_ITEM} ratings, {raters} raters")
    client = Client()
    client.force_login(user)
    address = reverse("study", args=[study.slug])
    baseline = measure(lambda: submitted(study).count(), times)
    report = partial(say_times, baseline=baseline.wall, times=times)
    report("baseline: counting the responses", lambda: submitted(study).count())
    report("overview, nothing in the cache", lambda: ask(client, address, cached=False))
    report("its counts, loaded next", lambda: ask(client, f"{address}?counts", part=True, cached=False))
    report("its raters to review, loaded last", lambda: ask(client, address, part=True, cached=False))
    report("overview", lambda: ask(client, address))
    report("part that is fetched again", lambda: ask(client, address, part=True))
    for name, (page, query) in PAGES.items():
        report(name, partial(ask, client, f"{reverse(page, args=[study.slug])}?{query}"))
    one = {"study-rater": study.raters.first(), "study-item": study.items.first()}
    for page, row in one.items():
        key = getattr(row, "code", None) or getattr(row, "key", "")
        report(page, partial(ask, client, reverse(page, args=[study.slug, key])))
    panel = reverse("study-rater", args=[study.slug, one["study-rater"].code])  # type: ignore[union-attr]
    report("panel of one rater", partial(ask, client, panel, part=True))
    parts: dict[str, Callable[[], object]] = {
        "coverage": lambda: progress.coverage(study),
        "totals": lambda: progress.totals(study, []),
        "raters to review": lambda: uncached(lambda: find_raters_to_review(study)),
        "slots nobody can fill": lambda: find_unfillable_seats(study),
        "silent raters": lambda: silent_raters(study, timezone.now()),
        "rows of raters": lambda: progress.rater_rows(study),
        "responses per day": lambda: progress.per_day(study),
        "items lacking context": lambda: progress.items_lacking_context(study),
    }
    for name, act in parts.items():
        report(name, act)


def open_study(study: Study) -> None:
    """A rating slot for each assignment, free ones for what else the items need; all raters are at work."""
    given = Assignment.objects.filter(rater__study=study).order_by("item_id", "pk")
    slots: dict[int, int] = {}
    rows: list[tuple[int, int, int, int, str, int | None]] = []
    for form, item, rater in given.values_list("form", "item", "rater").iterator(chunk_size=10_000):
        slots[item] = slots.get(item, 0) + 1
        rows.append((form, item, slots[item], 0, SeatState.FILLED.value, rater))
    form = study.forms.get().pk
    for place, item in enumerate(study.items.order_by("position").values_list("pk", flat=True)):
        needed = AN_ITEM + (place % ONE_MORE_EVERY == 0)
        rows += [
            (form, item, slot, 0, SeatState.FREE.value, None)
            for slot in range(slots.get(item, 0) + 1, needed + 1)
        ]
    with transaction.atomic():
        insert_rows(Seat, ("form_id", "item_id", "slot", "shuffle", "state", "rater_id"), rows)
    study.raters.update(state=RaterState.ACTIVE.value)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN.value, opened_at=timezone.now())
    analyze_tables(len(rows), Seat)


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
    """Median and slowest wall clock and least processor time in seconds, and the number of queries."""

    wall: float
    slowest: float
    processor: float
    queries: int


def measure(act: Callable[[], object], times: int) -> Measured:
    wall, processor, queries = [], [], 0
    for _ in range(times):
        with CaptureQueriesContext(connection) as found:
            start, own = time.perf_counter(), time.process_time()
            act()
            wall.append(time.perf_counter() - start)
            processor.append(time.process_time() - own)
        queries = len(found)
    return Measured(statistics.median(wall), max(wall), min(processor), queries)


def say_times(name: str, act: Callable[[], object], *, baseline: float, times: int) -> None:
    """A line of the table; `baseline` are the seconds that a ratio of 1 stands for."""
    found = measure(act, times)
    workbench.say(
        f"{name:34}{found.wall:8.2f} s, slowest {found.slowest:8.2f} s, processor {found.processor:8.2f} s, "
        f"{found.queries:3} queries, {found.wall / baseline:7.1f} × baseline"
    )


if __name__ == "__main__":
    main()
