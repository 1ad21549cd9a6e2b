"""`manage.py import_items STUDY FILE`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.domain.items.drawn_sets import USUAL_FACTOR, DrawnSets
from annotation.io.base.readers import READERS
from annotation.io.base.standard_input import file_or_input
from annotation.management.studies import all_or_nothing, study_named
from annotation.models import Study
from annotation.services.items.drawn_sets import SetDraw, TextsFile, import_drawn_sets
from annotation.services.studies.added_items import import_items


class Command(BaseCommand):
    help = "Add items from a CSV, TSV, JSONL, JSON, XLSX or Parquet file; all or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", help="file to import; - for standard input")
        parser.add_argument(
            "--format", choices=sorted(READERS), default="", help="file format (default: by the extension)"
        )

        sets = parser.add_argument_group("sets for best–worst scaling, drawn from the texts of the file")
        sets.add_argument(
            "--sets-of", default="", metavar="COLUMN", help="column of the text that is compared"
        )
        sets.add_argument(
            "--factor",
            type=float,
            default=float(USUAL_FACTOR),
            metavar="F",
            help="sets per text, such as 1.5 or 2 (default: 2)",
        )
        sets.add_argument("--within-groups", action="store_true", help="only texts of one group are in a set")
        sets.add_argument("--seed", type=int, help="random seed (default: drawn and recorded)")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        file_format = options["format"]
        with all_or_nothing(), file_or_input(options["file"], file_format=file_format) as (path, name):
            if options["sets_of"]:
                file = TextsFile(path, name=name, file_format=file_format, text=options["sets_of"])
                draw = SetDraw(options["factor"], options["within_groups"], options["seed"])
                self._write_drawn(import_drawn_sets(study=study, file=file, draw=draw), study)
            else:
                count = import_items(study=study, path=path, name=name, file_format=file_format)
                self.stdout.write(f"{count} items imported into {study.slug!r}.")

    def _write_drawn(self, drawn: DrawnSets, study: Study) -> None:
        self.stdout.write(f"{len(drawn.sets)} sets drawn into {study.slug!r}.")
        for times, items in drawn.shown.items():
            self.stdout.write(f"texts in {times} sets: {items}")
        for times, pairs in drawn.meetings.items():
            self.stdout.write(f"pairs of texts together in {times} sets: {pairs}")
