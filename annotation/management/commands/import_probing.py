"""`manage.py import_probing STUDY FILE...`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.io.base.readers import READERS
from annotation.management.studies import all_or_nothing, study_named
from annotation.services.items.probing_files import import_probing


class Command(BaseCommand):
    help = "Import probing questions (sentence, option0 … option3, ans_idx) into a draft; all or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--answers", action="store_true", help="import human_idx as ratings")
        parser.add_argument(
            "--format", choices=sorted(READERS), default="", help="file format (default: by the extension)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        with all_or_nothing():
            loaded = import_probing(
                study=study,
                paths=[(path, path.name) for path in options["files"]],
                answers=options["answers"],
                file_format=options["format"],
            )
        for problem in loaded.refused:
            self.stderr.write(f"Answer not imported: {problem}")
        counts = f"{loaded.questions} questions and {loaded.answers} answers"
        self.stdout.write(
            f"{counts} imported into {study.slug!r}; {len(loaded.refused)} answers not imported."
        )
