"""Pages of an open study of 100,000 items and 1,000 raters, and parts of the overview: seconds and queries.

    python -m benchmarks.overview [--items N] [--raters N] [--times N] [--keep]

The study is that of `benchmarks.workbench`, opened: an item has a rating slot for each of its ratings, every
tenth item a free one more. The baseline, measured in the same run, is a query that counts its responses.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

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
    arguments.add_argument("--items", type=int, default=100_000)
    arguments.add_argument("--raters", type=int, default=1000)
    arguments.add_argument("--times", type=int, default=3)
    arguments.add_argument("--keep", action="store_true", help="in the database itself, for the next run too")
    asked = arguments.parse_args()
    with workbench.database(keep=asked.keep):
        run(asked.items, asked.raters, asked.times)


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
    report("baseline: counting the responses", lambda: submitted(study).count(), times)
    report("overview, nothing in the cache", lambda: ask(client, address, cached=False), times)
    report("overview", lambda: ask(client, address), times)
    report("part that is fetched again", lambda: ask(client, address, part=True), times)
    for name, (page, query) in PAGES.items():
        report(name, partial(ask, client, f"{reverse(page, args=[study.slug])}?{query}"), times)
    one = {"study-rater": study.raters.first(), "study-item": study.items.first()}
    for page, row in one.items():
        key = getattr(row, "code", None) or getattr(row, "key", "")
        report(page, partial(ask, client, reverse(page, args=[study.slug, key])), times)
    panel = reverse("study-rater", args=[study.slug, one["study-rater"].code])  # type: ignore[union-attr]
    report("panel of one rater", partial(ask, client, panel, part=True), times)
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
        report(name, act, times)


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


def report(name: str, act: Callable[[], object], times: int) -> None:
    """Median and slowest wall clock in seconds, and the number of queries."""
    wall, queries = [], 0
    for _ in range(times):
        with CaptureQueriesContext(connection) as found:
            start = time.perf_counter()
            act()
            wall.append(time.perf_counter() - start)
        queries = len(found)
    workbench.say(
        f"{name:34}{statistics.median(wall):8.2f} s, slowest {max(wall):8.2f} s, {queries:3} queries"
    )


if __name__ == "__main__":
    main()
