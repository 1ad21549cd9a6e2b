"""`manage.py import_ratings STUDY FILE`."""

from __future__ import annotations

import argparse
import re
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.io.base.readers import READERS
from annotation.io.base.standard_input import file_or_input
from annotation.management.studies import all_or_nothing, study_named
from annotation.services.items.published_choices import import_published_choices
from annotation.services.items.published_errors import import_published_errors
from annotation.services.items.rating_files import import_ratings


class Command(BaseCommand):
    help = "Import ratings from a CSV, TSV, JSONL, JSON, XLSX or Parquet file; all or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", help="file to import; - for standard input")
        parser.add_argument(
            "--format", choices=sorted(READERS), default="", help="file format (default: by the extension)"
        )
        parser.add_argument("--scale", type=_scale, metavar="LOW-HIGH", help="ends of the scale, such as 1-5")
        published = parser.add_mutually_exclusive_group()
        published.add_argument(
            "--best-worst",
            action="store_true",
            help="a published best–worst file: item1, item2 …, best and worst in each row",
        )
        published.add_argument(
            "--marked-errors",
            action="store_true",
            help="a published file of marked errors: system, doc, seg_id, rater, source, target, category, "
            "severity",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        file_format, scale = options["format"], options["scale"]
        with all_or_nothing(), file_or_input(options["file"], file_format=file_format) as (path, name):
            if options["best_worst"]:
                count = import_published_choices(study=study, path=path, name=name, file_format=file_format)
            elif options["marked_errors"]:
                count = import_published_errors(study=study, path=path, name=name, file_format=file_format)
            else:
                count = import_ratings(
                    study=study, path=path, name=name, scale=scale, file_format=file_format
                )
        self.stdout.write(f"{count} ratings imported into {study.slug!r}.")


def _scale(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(-?\d{1,4})-(-?\d{1,4})", text)
    if match is None or int(match[1]) >= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is no scale: give its ends, as in 1-5")
    return int(match[1]), int(match[2])
