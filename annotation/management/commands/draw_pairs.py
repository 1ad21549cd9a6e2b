"""`manage.py draw_pairs STUDY FILE`: pairs of one from the top of a ranking and one from the rest."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.io.base.readers import READERS
from annotation.io.base.standard_input import file_or_input
from annotation.management.studies import all_or_nothing, study_named
from annotation.services.items.drawn_pairs import PAIRS, PERCENTS, Draw, Ranking, import_drawn_pairs


class Command(BaseCommand):
    help = (
        "Draw pairs from a ranked file into a preference study: one item from the top p%%, one from the rest."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of a draft study")
        parser.add_argument(
            "file", help="file with item, a text and a value to rank by; - for standard input"
        )
        parser.add_argument("--text", required=True, metavar="COLUMN", help="column of the text")
        parser.add_argument("--by", required=True, metavar="COLUMN", help="column to rank by")
        parser.add_argument("--lowest-first", action="store_true", help="lower values are better")
        parser.add_argument("--percent", nargs="+", type=int, default=list(PERCENTS), metavar="P")
        parser.add_argument(
            "--pairs", type=int, default=PAIRS, metavar="N", help="number of pairs for each P"
        )
        parser.add_argument("--seed", type=int, help="random seed (default: drawn and recorded)")
        parser.add_argument(
            "--format", choices=sorted(READERS), default="", help="file format (default: by the extension)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        with all_or_nothing(), file_or_input(options["file"], file_format=options["format"]) as (path, name):
            ranking = Ranking(
                path,
                name=name,
                file_format=options["format"],
                text=options["text"],
                by=options["by"],
                lowest_first=options["lowest_first"],
            )
            draw = Draw(options["percent"], options["pairs"], options["seed"])
            count = import_drawn_pairs(study=study, ranking=ranking, draw=draw)
        self.stdout.write(f"{count} pairs drawn into {study.slug!r}.")
