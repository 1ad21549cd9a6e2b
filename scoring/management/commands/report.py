"""`manage.py report STUDY`: reliability of a study, computed in this process."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.management.studies import study_named
from annotation.services.base.jobs import claim
from scoring.io.how_computed import how_computed
from scoring.management.figures import FIGURE_COLUMNS, INTERVAL, FigureCommand, figure_cells, value_cells
from scoring.models import Report
from scoring.selectors.base.figures import interval_methods
from scoring.selectors.base.reports import figures_json
from scoring.selectors.choices.best_worst import best_worst_rows
from scoring.selectors.choices.choices import choice_rows
from scoring.selectors.choices.orders import order_rows
from scoring.services.reports.reliability import REPLICATES, compute_report, request_report

CHOICE_COLUMNS = ("criterion", "what", "estimate", INTERVAL, "counts")


class Command(FigureCommand):
    help = "Compute the reliability of a study's ratings and print it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument(
            "--bootstrap", type=int, default=REPLICATES, metavar="N", help="number of bootstrap samples"
        )
        parser.add_argument("--pool-versions", action="store_true", help="pool all versions of a form")
        self.add_seed_and_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check_resampling(options)
        study = study_named(options["study"])
        job = request_report(
            study=study,
            actor=None,
            replicates=options["bootstrap"],
            seed=options["seed"],
            pool_versions=options["pool_versions"],
            announce=False,
        )
        lease = claim(job_id=job.pk)
        if lease is None:
            raise CommandError(
                f"A worker is already computing a report of this study (job {job.pk}).", returncode=1
            )
        try:
            report = compute_report(lease=lease)
        except GroundworkError as refusal:
            lease.fail(code=refusal.code, message=refusal.message)
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal
        self._print(report, options["json"])

    def _print(self, report: Report, target: str | None) -> None:
        if self.write_json(figures_json(report), target):
            return
        if report.figures:
            self.print_table(FIGURE_COLUMNS, map(figure_cells, report.figures))
        choices = [
            (row["criterion"], what, *value_cells(row, estimate), counts)
            for row, what, estimate, counts in (
                *choice_rows(report),
                *order_rows(report),
                *best_worst_rows(report),
            )
        ]
        if choices:
            self.print_table(CHOICE_COLUMNS, choices)
        replicates, seed = report.method["replicates"], report.method["seed"]
        self.stdout.write(how_computed(interval_methods(report), replicates=replicates, seed=seed))
