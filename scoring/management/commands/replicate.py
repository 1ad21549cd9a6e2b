"""`manage.py replicate NAME --data DIR`: a paper's tables, printed and computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.management.figures import FigureCommand
from scoring.replication.files import PublishedFileError
from scoring.replication.printing import as_json, as_text
from scoring.replication.registry import REPLICATIONS


class Command(FigureCommand):
    help = "Recompute the tables of a published study from its public files."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=list(REPLICATIONS))
        parser.add_argument(
            "--data", type=Path, required=True, metavar="DIR", help="folder with your copy of the files"
        )
        parser.add_argument(
            "--all", action="store_true", help="also print results that the paper does not report"
        )
        parser.add_argument("--json", metavar="FILE", help="write all cells as JSON; - for standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        replication = REPLICATIONS[options["name"]]
        try:
            cells = replication.cells(options["data"]).cells
        except PublishedFileError as refusal:
            raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal
        if options["json"] and self.write_json(as_json(replication, cells), options["json"]):
            return
        for line in as_text(replication, cells, every=options["all"]):
            self.stdout.write(line)
