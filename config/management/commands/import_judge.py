"""`manage.py import_judge STUDY FILE`: import the answers of automatic judges, completely or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import FileRefused, GroundworkError
from annotation.management.studies import study_named
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.judgement_files import JudgementFile, import_judgements
from scoring.services.judges.scores_as_answers import Mapped

MOST_REPORTED = 20


class Command(BaseCommand):
    help = "Import the answers of an automatic judge from a file into a study."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSONL, JSON, XLSX or Parquet")
        parser.add_argument(
            "--name", default="", help="name of the judge (default: those in the column judge)"
        )
        parser.add_argument("--description", default="", help="what the judge is")
        parser.add_argument(
            "--values",
            choices=[one.value for one in Mapped],
            default=Mapped.ANSWERS.value,
            help="answers a rater can give; numbers between the ends of the scale; or scores that get the"
            " quantiles of the ratings (default: answers)",
        )
        parser.add_argument(
            "--same-family-as", default="", metavar="SYSTEM", help="system from the same family of models"
        )
        parser.add_argument("--saw-items", default="", help="items that it was trained or tuned on")

    def handle(self, *args: Any, **options: Any) -> None:
        notes = JudgeNotes(
            options["name"], options["description"], options["same_family_as"], options["saw_items"]
        )
        path: Path = options["file"]
        try:
            judges = import_judgements(
                study=study_named(options["study"]),
                actor=None,
                path=path,
                name=path.name,
                asked=JudgementFile(notes, Mapped(options["values"])),
            )
        except FileRefused as refusal:
            problems = "\n".join(str(problem) for problem in refusal.problems[:MOST_REPORTED])
            raise CommandError(f"Import failed. Nothing was saved.\n{problems}", returncode=2) from refusal
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal
        for judge in judges:
            self.stdout.write(f"{judge.name}: {judge.judgements.count()} answers imported")
