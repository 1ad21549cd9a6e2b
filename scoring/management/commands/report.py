"""`manage.py report STUDY`: the reliability figures, computed here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.management.studies import study_named
from annotation.services.base.jobs import claim
from scoring.io.how_computed import how_computed
from scoring.management.figures import FigureCommand
from scoring.models import Report
from scoring.selectors.base.figures import interval_methods
from scoring.selectors.base.reports import figures_json
from scoring.selectors.choices.choices import choice_lines
from scoring.services.reports.reliability import REPLICATES, compute_report, request_report


class Command(FigureCommand):
    help = "Compute the reliability of a study's ratings and print it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("--bootstrap", type=int, default=REPLICATES, metavar="N", help="replicates")
        parser.add_argument("--seed", type=int, help="of the intervals (default: from the data)")
        parser.add_argument("--pool-versions", action="store_true", help="all versions of a form together")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
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
                f"A worker is computing a report of this study now (job {job.pk}).", returncode=1
            )
        try:
            report = compute_report(lease=lease)
        except GroundworkError as refusal:
            lease.fail(code=refusal.code, message=refusal.message)
            raise CommandError(refusal.message, returncode=2) from refusal
        self._print(report, options["json"])

    def _print(self, report: Report, target: str | None) -> None:
        if self.write_json(figures_json(report), target):
            return
        for row in report.figures:
            value = row["reason"] if row["estimate"] is None else f"{row['estimate']:.3f}"
            ends = _ends(row)
            self.stdout.write(
                f"{row['criterion']:<18} {row['coefficient']:<17} {row['variant']:<28} {value:>8} {ends:<18}"
                f" n={row['n_items']}"
            )
        for line in choice_lines(report):
            self.stdout.write(line)
        replicates, seed = report.method["replicates"], report.method["seed"]
        self.stdout.write(how_computed(interval_methods(report), replicates=replicates, seed=seed))


def _ends(row: Mapping[str, Any]) -> str:
    """The interval of a figure, or why it has none; a figure that has no estimate says why itself."""
    if row["low"] is not None:
        return f"[{row['low']:.3f}, {row['high']:.3f}]"
    return "" if row["estimate"] is None else str(row["interval_method"])
