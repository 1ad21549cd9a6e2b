"""`manage.py import_items STUDY FILE`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.io.base.readers import READERS
from annotation.io.base.standard_input import file_or_input
from annotation.management.studies import all_or_nothing, study_named
from annotation.services.studies.added_items import import_items


class Command(BaseCommand):
    help = "Add items from a CSV, TSV, JSONL, JSON, XLSX or Parquet file; all or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", help="file to import; - for standard input")
        parser.add_argument(
            "--format", choices=sorted(READERS), default="", help="file format (default: by the extension)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        file_format = options["format"]
        with all_or_nothing(), file_or_input(options["file"], file_format=file_format) as (path, name):
            count = import_items(study=study, path=path, name=name, file_format=file_format)
        self.stdout.write(f"{count} items imported into {study.slug!r}.")
