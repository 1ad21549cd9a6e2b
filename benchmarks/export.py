"""A million ratings written as a file: rows per second, compared with a bare SELECT, and memory.

    python -m benchmarks.export [--ratings 1000000] [--formats csv jsonl parquet] [--bundle] [--database URL]

The baseline of the same run is one SELECT with the same columns, streamed from the database and written by
Python's csv module. Memory is what the process holds beyond what it held before, sampled while it writes.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = os.sysconf("SC_PAGE_SIZE")
MOST_MEMORY = 150
CRITERIA, RATERS_AN_ITEM, RATERS = 3, 5, 200
CHUNK_SIZE = 5000

NUMBERS = "WITH RECURSIVE n(i) AS (SELECT {low} UNION ALL SELECT i + 1 FROM n WHERE i < {high})"
ASSIGNMENTS = """
INSERT INTO annotation_assignment
    (id, rater_id, item_id, form_id, version_id, purpose, position, page_key, created_at,
     hurried_content)
{numbers} SELECT i, {rater} + (i / {each} + 37 * (i % {each})) % {raters}, {item} + i / {each}, {form},
    {version}, 'main', i, {key}, {now}, '' FROM n"""
RESPONSES = """
INSERT INTO annotation_response
    (id, assignment_id, revision, current, submission_key, version_id, cannot_rate, remark, late,
     submitted_at, seconds, suggestions, first_values, heard)
{numbers} SELECT i, i, 1, {true}, {key}, {version}, '', '', {false}, {now}, i % 60, '{{}}', '{{}}', '{{}}'
    FROM n"""
RATINGS = """
INSERT INTO annotation_rating (response_id, criterion_id, value, minimum, maximum, answer, shown)
{numbers} SELECT i, {criterion}, 1 + (i * 7 + {place}) % 5, 1, 5, '', '[]' FROM n"""
BARE = """
SELECT 'export', i.key, i."group", i.system, f.key, v.number, r.code, c.key, g.value, p.cannot_rate,
    p.cannot_rate, p.remark, p.revision, p.current, p.late, r.simulated, p.submitted_at, p.seconds,
    'false', ''
FROM annotation_rating g
JOIN annotation_response p ON p.id = g.response_id
JOIN annotation_assignment a ON a.id = p.assignment_id
JOIN annotation_item i ON i.id = a.item_id
JOIN annotation_rater r ON r.id = a.rater_id
JOIN annotation_form f ON f.id = a.form_id
JOIN annotation_formversion v ON v.id = p.version_id
JOIN annotation_criterion c ON c.id = g.criterion_id
WHERE i.study_id = %s AND p.current AND a.purpose = 'main'
ORDER BY i.position, r.code, p.revision, p.id, c.position"""


@dataclass
class Seen:
    """What a way of writing took."""

    seconds: float
    processor: float
    megabytes: float
    rows: int

    @property
    def a_second(self) -> float:
        return self.rows / self.seconds


def held() -> float:
    """Megabytes that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


@contextmanager
def sampled(peaks: list[float]) -> Iterator[None]:
    over = threading.Event()

    def sample() -> None:
        while not over.wait(0.02):
            peaks.append(held())

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def measured(write: Callable[[], int]) -> Seen:
    before, peaks = held(), [held()]
    started, processor = time.perf_counter(), time.process_time()
    with sampled(peaks):
        rows = write()
    seconds = time.perf_counter() - started
    return Seen(seconds, time.process_time() - processor, max(peaks) - before, rows)


def made(ratings: int) -> Any:
    """A study of so many ratings, made by the database itself."""
    from annotation.models import Criterion, Form, FormVersion, Item, Rater, Study

    responses = ratings // CRITERIA
    study = Study.objects.create(slug="export", title="Export", state="closed")
    form = Form.objects.create(study=study, key="similes", title="Similes", overlap=RATERS_AN_ITEM)
    version = FormVersion.objects.create(form=form)
    criteria = [
        Criterion.objects.create(version=version, key=name, name=name, minimum=1, maximum=5, position=place)
        for place, name in enumerate(("quality", "creativity", "informativeness"))
    ]
    raters = [Rater.objects.create(study=study, code=f"R-{place:03}") for place in range(RATERS)]
    texts = (
        {"simile": f"The lamp hung like moon {place}."} for place in range(responses // RATERS_AN_ITEM + 1)
    )
    Item.objects.bulk_create(
        (
            Item(study=study, key=f"I{place:06}", group=f"G{place // 4}", fields=fields, position=place)
            for place, fields in enumerate(texts)
        ),
        batch_size=CHUNK_SIZE,
    )
    _store_answers(study, version, criteria, raters[0], responses)
    return study


def _store_answers(study: Any, version: Any, criteria: list[Any], first_rater: Any, responses: int) -> None:
    """Assignments, responses and ratings, made by the database itself."""
    from django.db import connection
    from django.utils import timezone

    from annotation.models import Item

    postgres = connection.vendor == "postgresql"
    filled = {
        "numbers": NUMBERS.format(low=1, high=responses),
        "rater": first_rater.pk,
        "item": Item.objects.get(study=study, position=0).pk,
        "form": version.form_id,
        "version": version.pk,
        "each": RATERS_AN_ITEM,
        "raters": RATERS,
        "key": "gen_random_uuid()" if postgres else "lower(hex(randomblob(16)))",
        "now": f"'{timezone.now():%Y-%m-%d %H:%M:%S}'" + ("::timestamptz" if postgres else ""),
        "true": "true" if postgres else "1",
        "false": "false" if postgres else "0",
    }
    with connection.cursor() as cursor:
        for statement in (ASSIGNMENTS, RESPONSES):
            cursor.execute(statement.format(**filled))
        for place, criterion in enumerate(criteria):
            cursor.execute(RATINGS.format(**filled, criterion=criterion.pk, place=place))
        cursor.execute("ANALYZE")


def bare(study: Any, path: Path) -> int:
    """One SELECT, written by the csv module."""
    from django.db import connection, transaction

    rows = 0
    with path.open("w", newline="", encoding="utf-8") as file, transaction.atomic():
        cursor = connection.chunked_cursor()
        try:
            cursor.execute(BARE, [study.pk])
            writer = csv.writer(file)
            while some := cursor.fetchmany(CHUNK_SIZE):
                writer.writerows(some)
                rows += len(some)
        finally:
            cursor.close()
    return rows


def exported(study: Any, path: Path, *, file_format: str) -> int:
    """The export of ratings, as pages and the command have it."""
    from annotation.io.base.writers import write_rows
    from annotation.selectors.studies.exports import ratings_table

    columns, rows = ratings_table(study)
    written = 0

    def counted() -> Iterator[Any]:
        nonlocal written
        for row in rows:
            written += 1
            yield row

    with path.open("wb") as file:
        file.writelines(write_rows(counted(), columns, file_format))
    return written


def bundled(study: Any, path: Path) -> int:
    """The whole bundle."""
    from scoring.services.reports.bundles import write_bundle

    with path.open("w+b") as file:
        write_bundle(study=study, target=file, formats=(), bom=False, with_pay=True, progress=lambda *_: None)
    return int(study.items.count()) * RATERS_AN_ITEM * CRITERIA


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ratings", type=int, default=1_000_000)
    parser.add_argument("--formats", nargs="+", default=["csv"], choices=["csv", "tsv", "jsonl", "parquet"])
    parser.add_argument("--bundle", action="store_true", help="the whole bundle too")
    parser.add_argument("--database", metavar="URL", help="an empty database (default: SQLite)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-") as folder:
        os.environ |= {"GROUNDWORK_VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
        if options.database:
            os.environ["DATABASE_URL"] = options.database
        return run(options, Path(folder))


def run(options: argparse.Namespace, folder: Path) -> int:
    import django

    django.setup()
    from django.core.management import call_command

    # What is imported is no memory of the export.
    import_module("scoring.services.reports.bundles")
    call_command("migrate", verbosity=0)
    study = made(options.ratings)
    # The export first: what the other leaves behind must not hide what this one takes.
    ways: dict[str, Callable[[Any, Path], int]] = {
        **{one: partial(exported, file_format=one) for one in options.formats},
        "bare SELECT": bare,
        **({"bundle": bundled} if options.bundle else {}),
    }
    seen = {name: measured(partial(way, study, folder / "file")) for name, way in ways.items()}
    for name, one in seen.items():
        print(
            f"{name:<12} {one.rows:>9,} rows {one.a_second:>9,.0f} a second, +{one.megabytes:.0f} MB, "
            f"{one.processor:.1f} s of processor time"
        )
    share = seen[options.formats[0]].a_second / seen["bare SELECT"].a_second
    memory = max(one.megabytes for name, one in seen.items() if name != "bare SELECT")
    print(
        f"{options.formats[0]} has {share:.0%} of the rows a second of the bare SELECT; 50 % are asked for."
    )
    return 0 if share >= 0.5 and memory < MOST_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
