"""`manage.py compare_runs STUDY OTHER`: how closely a second run of a study repeats the first."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.management.studies import study_named
from scoring.management.figures import FigureCommand, software
from scoring.services.metrics.repetition import compare_studies
from scoring.templatetags.reason_words import reason_words

COLUMNS = ("criterion", "type", "result", "of", "n", "first", "second", "estimate")
TYPES = {"cv": "I", "pearson": "II", "spearman": "II", "alpha": "III", "orders": "IV"}
NAMES = {
    "cv": "CV* (%)",
    "pearson": "Pearson r",
    "spearman": "Spearman rho",
    "alpha": "Krippendorff's alpha of medians",
    "orders": "pairs of systems in the same order",
}


class Command(FigureCommand):
    help = (
        "Compare two runs of one study: means of systems (type I), correlations of means (II), agreement of"
        " labels (III) and orders of systems (IV). Items and criteria are matched by their keys."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the first run")
        parser.add_argument("other", help="slug of the run that repeats it")
        parser.add_argument("--json", metavar="FILE", help="write the results to a file; - prints them")

    def handle(self, *args: Any, **options: Any) -> None:
        runs = [study_named(options[name]) for name in ("study", "other")]
        try:
            compared = compare_studies(*runs)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal
        body = {"studies": [run.slug for run in runs], **compared, "software": software()}
        if not self.write_json(body, options["json"]):
            self._print(compared)

    def _print(self, compared: dict[str, Any]) -> None:
        rows = [_cells(one["criterion"], row) for one in compared["criteria"] for row in one["results"]]
        self.print_table(COLUMNS, rows)
        for one in compared["criteria"]:
            first, second, both = one["n_items"]
            self.stdout.write(f"{one['criterion']}: {first} and {second} rated items, {both} in both runs")
        if compared["has_simulated"]:
            self.stdout.write("At least one of the two studies has simulated responses.")


def _cells(criterion: str, row: dict[str, Any]) -> list[str]:
    numbers = [_number(row[key]) for key in ("first", "second")]
    estimate = reason_words(row["reason"]) if row["reason"] else _number(row["estimate"])
    result = row["result"]
    return [criterion, TYPES[result], NAMES[result], row["of"], str(row["n"]), *numbers, estimate]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
