"""`manage.py import_items STUDY FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.errors import GroundworkError
from annotation.models import Study
from annotation.services.imports import import_items


class Command(BaseCommand):
    help = "Load items from a CSV, TSV, JSONL, JSON, XLSX or Parquet file; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        try:
            count = import_items(study=study, path=options["file"])
        except GroundworkError as refusal:
            raise CommandError(f"Nothing was stored.\n{refusal.message}", returncode=2) from refusal
        self.stdout.write(f"Loaded {count} items into {study.slug!r}.")
