"""Importing 100,000 items from CSV, XLSX and the other formats: seconds for reading, checking and storing.

    python -m benchmarks.item_import [--items N] [--formats csv xlsx]

The baseline of the same run reads the CSV file by Python's csv module and stores its rows by `bulk_create`
without looking at them. The database is that of `DATABASE_URL`, SQLite without it; what is stored is dropped.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import workbench  # Sets Django up.

# isort: split
from django.db import connection

from annotation.io.base.writers import write_rows
from annotation.io.items.item_columns import by_their_names
from annotation.models import ImportFile, Item, Study, User
from annotation.services.items.item_files import request_import, store_item_upload
from annotation.services.studies.added_items import store_file
from annotation.services.studies.lifecycle import create_study

COLUMNS = ("item", "group", "system", "literal", "simile", "meta.source", "meta.length")
FORMATS = ("csv", "jsonl", "parquet", "xlsx")
CHUNK_SIZE = 1000


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=100_000)
    arguments.add_argument("--formats", nargs="+", default=FORMATS, choices=FORMATS)
    asked = arguments.parse_args()
    with workbench.database(keep=False), tempfile.TemporaryDirectory(prefix="groundwork-") as folder:
        user = User.objects.create_user("bench@example.org")
        workbench.say(f"{connection.vendor}: {asked.items} items")
        baseline(written(Path(folder), "csv", asked.items), user)
        for one in asked.formats:
            imported(written(Path(folder), one, asked.items), user)


def written(folder: Path, file_format: str, items: int) -> Path:
    """A file of so many items."""
    path = folder / f"items.{file_format}"
    with path.open("wb") as file:
        file.writelines(write_rows(rows(items), COLUMNS, file_format))
    return path


def rows(items: int) -> Iterator[dict[str, object]]:
    for number in range(items):
        yield dict(
            zip(
                COLUMNS,
                (
                    f"I{number:06d}",
                    f"G{number // 5:05d}",
                    f"system {number % 5}",
                    f"The lamp {number} hung over the old wooden table, and nobody looked at it for long.",
                    f"The lamp {number} hung over the old wooden table like a moon that had lost its sky.",
                    f"novel {number % 97}",
                    number % 40,
                ),
                strict=True,
            )
        )


def baseline(path: Path, user: User) -> None:
    study = new_study("bare", user)

    def bare() -> None:
        with path.open(encoding="utf-8", newline="") as file:
            items = [
                Item(study=study, key=row["item"], fields={"simile": row["simile"]}, position=place)
                for place, row in enumerate(csv.DictReader(file))
            ]
        Item.objects.bulk_create(items, batch_size=CHUNK_SIZE)

    workbench.report_times("baseline: csv and bulk_create", [workbench.measure_times(bare)])


def imported(path: Path, user: User) -> None:
    """Import as the pages do: store the file, choose and check its columns, and store its items in a job."""
    study = new_study(path.suffix.removeprefix("."), user)
    uploads: list[ImportFile] = []
    reading = workbench.measure_times(
        lambda: uploads.append(store_item_upload(study=study, actor=user, path=path, name=path.name))
    )
    mapping = by_their_names(uploads[0].columns)
    checking = workbench.measure_times(
        lambda: request_import(file=uploads[0], mapping=mapping, update=False, skip=False, actor=user)
    )
    job = study.jobs.get()
    storing = workbench.measure_times(lambda: store_file(lease=workbench.held(job)))
    if study.items.count() != uploads[0].n_rows:
        raise SystemExit(f"{path.name}: {study.items.count()} of {uploads[0].n_rows} items were stored.")
    for what, one in (("reading", reading), ("checking", checking), ("storing", storing)):
        workbench.report_times(f"{path.suffix} {what}", [one])
    wall, processor, database = (sum(part) for part in zip(reading, checking, storing, strict=True))
    workbench.report_times(f"{path.suffix} in all", [(wall, processor, database)])


def new_study(slug: str, user: User) -> Study:
    return create_study(slug=slug, title=slug, owner=user, consent="", instructions="")


if __name__ == "__main__":
    main()
