"""`manage.py import_tuples STUDY FILE`: annotated sentences in CMDAG's own JSON."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.io.base.standard_input import file_or_input
from annotation.management.studies import all_or_nothing, study_named
from annotation.selectors.questions.tuple_tables import location_line
from annotation.services.items.tuple_files import EARLIER, import_tuples


class Command(BaseCommand):
    help = (
        "Import sentences from a CMDAG JSON file into a draft, with their tuples as responses of one rater."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", help="file to import; - for standard input")
        parser.add_argument("--rater", default=EARLIER, metavar="CODE", help="rater code for the tuples")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        with all_or_nothing(), file_or_input(options["file"], file_format="json") as (path, name):
            loaded = import_tuples(study=study, path=path, name=name, rater=options["rater"])
        self.stdout.write(f"{loaded.items} sentences imported into {study.slug!r}.")
        self.stdout.write(location_line(study))
