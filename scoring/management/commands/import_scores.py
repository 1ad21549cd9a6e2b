"""`manage.py import_scores STUDY FILE`: columns of scores from a file, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import FileRefused, GroundworkError
from annotation.management.studies import study_named
from annotation.services.base.jobs import claim
from scoring.io.score_columns import ITEM, METRIC
from scoring.services.metrics.score_files import import_at_once, store_file

MOST_TOLD = 20


class Command(BaseCommand):
    help = "Store columns of scores from a file as one run of imported metrics."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSONL, JSON, XLSX or Parquet")
        parser.add_argument("--run", default="", help="name of the run (default: that of the file)")
        parser.add_argument("--item", default=ITEM, metavar="COLUMN", help="the items' keys (default: item)")
        parser.add_argument(
            "--metric",
            action="append",
            default=[],
            metavar="COLUMN[=NAME]",
            help="as often as there are metrics (default: every column of numbers)",
        )
        parser.add_argument("--replace", action="store_true", help="an imported run of that name")
        parser.add_argument("--skip-bad-rows", action="store_true", help="store the others")

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
                raise CommandError(f"A worker imports this file now (job {job.pk}).", returncode=1)
            run = store_file(lease=lease)
        except FileRefused as refusal:
            problems = "\n".join(str(problem) for problem in refusal.problems[:MOST_TOLD])
            raise CommandError(f"Nothing was stored.\n{problems}", returncode=2) from refusal
        except GroundworkError as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        file.refresh_from_db()
        self.stdout.write(f"{run.name}: scores of {file.stored} items, {file.skipped} rows left out")


def _mapping(item: str, metrics: list[str]) -> dict[str, str] | None:
    """None to go by the names of the columns."""
    if not metrics:
        return None
    named = [(column, name or column) for column, _, name in (text.partition("=") for text in metrics)]
    return {item: ITEM} | {column: f"{METRIC}{name}" for column, name in named}
