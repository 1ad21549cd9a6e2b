"""`manage.py import_probing STUDY FILE...`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.io.base.readers import READERS
from annotation.models import Study
from annotation.services.items.probing_files import import_probing


class Command(BaseCommand):
    help = "Load probing questions (sentence, option0 … option3, ans_idx) into a draft; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--answers", action="store_true", help="store human_idx as answers")
        parser.add_argument("--format", choices=sorted(READERS), default="", help="default: by the ending")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        try:
            loaded = import_probing(
                study=study,
                paths=[(path, path.name) for path in options["files"]],
                answers=options["answers"],
                file_format=options["format"],
            )
        except GroundworkError as refusal:
            raise CommandError(f"Nothing was stored.\n{refusal.message}", returncode=2) from refusal
        for problem in loaded.refused:
            self.stderr.write(f"Answer refused: {problem}")
        counts = f"{loaded.questions} questions and {loaded.answers} answers"
        self.stdout.write(f"Loaded {counts} into {study.slug!r}; {len(loaded.refused)} answers refused.")
