"""`manage.py export STUDY`: a table of a study as a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.io.writers import WRITERS, write_rows
from annotation.models import Study
from annotation.selectors.cmdag import cmdag_json
from annotation.selectors.documents import DOCUMENTS
from scoring.selectors.exports import EXPORTED, table_of


class Command(BaseCommand):
    help = "Write a study's ratings or another of its tables to a file or to standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("--what", choices=(*EXPORTED, *DOCUMENTS), default="ratings")
        parser.add_argument("--format", choices=sorted(WRITERS), default="csv", help="of a table")
        parser.add_argument("--out", default="-", metavar="FILE", help="- is standard output")
        parser.add_argument("--all-revisions", action="store_true", help="earlier revisions too")
        parser.add_argument("--rater", default="", metavar="CODE", help="of cmdag: only this annotator's")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        pieces = _pieces(study, options)
        if options["out"] == "-":
            sys.stdout.buffer.writelines(pieces)
            return
        with Path(options["out"]).open("wb") as file:
            file.writelines(pieces)


def _pieces(study: Study, options: dict[str, Any]) -> Iterator[bytes]:
    if options["what"] == "cmdag":
        return cmdag_json(study, rater=options["rater"])
    if options["what"] in DOCUMENTS:
        return DOCUMENTS[options["what"]].pieces(study)
    columns, rows = table_of(study, options["what"], all_revisions=options["all_revisions"])
    return write_rows(rows, columns, options["format"])
