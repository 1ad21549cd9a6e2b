"""`manage.py import_scores STUDY FILE`: import columns of scores from a file, completely or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import FileRefused, GroundworkError
from annotation.management.studies import study_named
from annotation.services.base.jobs import claim
from scoring.io.score_columns import ITEM, METRIC
from scoring.services.metrics.score_files import import_at_once, store_file

MOST_SHOWN = 20


class Command(BaseCommand):
    help = "Import scores of metrics from a file into a study as one run."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSONL, JSON, XLSX or Parquet")
        parser.add_argument("--run", default="", help="run name (default: name of the file)")
        parser.add_argument(
            "--item", default=ITEM, metavar="COLUMN", help="column of the item ID (default: item)"
        )
        parser.add_argument(
            "--metric",
            action="append",
            default=[],
            metavar="COLUMN[=NAME]",
            help="column of a metric (repeatable; default: all columns of numbers)",
        )
        parser.add_argument("--replace", action="store_true", help="replace the imported run with this name")
        parser.add_argument(
            "--skip-bad-rows", action="store_true", help="skip rows with errors and import the rest"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        path: Path = options["file"]
        try:
            file, job = import_at_once(
                study=study,
                actor=None,
                path=path,
                name=path.name,
                mapping=_mapping(options["item"], options["metric"]),
                run=options["run"],
                replace=options["replace"],
                skip=options["skip_bad_rows"],
                announce=False,
            )
            lease = claim(job_id=job.pk)
            if lease is None:
                raise CommandError(f"A worker is already importing this file (job {job.pk}).", returncode=1)
            run = store_file(lease=lease)
        except FileRefused as refusal:
            problems = "\n".join(str(problem) for problem in refusal.problems[:MOST_SHOWN])
            raise CommandError(f"Import failed. Nothing was saved.\n{problems}", returncode=2) from refusal
        except GroundworkError as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        file.refresh_from_db()
        self.stdout.write(f"{run.name}: scores of {file.stored} items imported, {file.skipped} rows skipped")


def _mapping(item: str, metrics: list[str]) -> dict[str, str] | None:
    """None to use the names of the columns."""
    if not metrics:
        return None
    named = [(column, name or column) for column, _, name in (text.partition("=") for text in metrics)]
    return {item: ITEM} | {column: f"{METRIC}{name}" for column, name in named}
