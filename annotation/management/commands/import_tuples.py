"""`manage.py import_tuples STUDY FILE`: annotated sentences in CMDAG's own JSON."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.io.base.standard_input import file_or_input
from annotation.models import Study
from annotation.selectors.questions.tuple_tables import location_line
from annotation.services.items.tuple_files import EARLIER, import_tuples


class Command(BaseCommand):
    help = "Add the sentences of a file in CMDAG's JSON to a draft, with their tuples as one rater's answers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("file", help="- is standard input")
        parser.add_argument("--rater", default=EARLIER, metavar="CODE", help="whose tuples they are")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        try:
            with file_or_input(options["file"], file_format="json") as (path, name):
                loaded = import_tuples(study=study, path=path, name=name, rater=options["rater"])
        except GroundworkError as refusal:
            raise CommandError(f"Nothing was stored.\n{refusal.message}", returncode=2) from refusal
        self.stdout.write(f"Loaded {loaded.items} sentences into {study.slug!r}.")
        self.stdout.write(location_line(study))
