"""`manage.py tuples_agreement FILE`: agreement of raters on marked tuples; no database is needed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.io.how_computed import how_computed
from scoring.io.long_files import READERS, LongFileRefused
from scoring.io.tuples import LongTuples, item_groups, read_tuples, text_lengths
from scoring.management.figures import FIGURE_COLUMNS, FigureCommand, figure_cells, seed_of, software
from scoring.stats.agreement.reliability import REPLICATES
from scoring.stats.base.resampling import Resampling
from scoring.stats.spans.tuple_agreement import TupleAgreement, tuple_agreement

RENAMED = {"criterion": "part", "ratings": "tuples"}
COLUMNS = tuple(RENAMED.get(column, column) for column in FIGURE_COLUMNS)


class Command(FigureCommand):
    help = (
        "Compute agreement on tuples in a file (columns item, rater or slot, tuple, part, start, end, text)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tuples", help="JSONL, CSV, TSV or Parquet file; - for standard input")
        parser.add_argument("--format", choices=list(READERS), default="", help="format of standard input")
        parser.add_argument(
            "--items",
            metavar="FILE",
            help="file of items with texts and groups; adds α of characters",
        )
        parser.add_argument("--field", default="", help="column of the text (default: first text column)")
        parser.add_argument("--slots", action="store_true", help="raters are anonymous slots, not persons")
        parser.add_argument(
            "--bootstrap", type=int, default=REPLICATES, metavar="N", help="number of bootstrap samples"
        )
        self.add_seed_and_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check_resampling(options)
        try:
            lengths = text_lengths(options["items"], field=options["field"]) if options["items"] else None
            groups = item_groups(options["items"]) if options["items"] else None
            tuples = read_tuples(
                options["tuples"], slots=options["slots"], file_format=options["format"], lengths=lengths
            )
        except LongFileRefused as refusal:
            raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal
        seeds = {name: seed_of(options["seed"], table.fingerprint) for name, table in tuples.criteria.items()}
        found = {
            name: tuple_agreement(
                table,
                name=name,
                resampling=Resampling(options["bootstrap"], seeds[name]),
                lengths=lengths,
                groups=groups,
            )
            for name, table in tuples.criteria.items()
        }
        self._print(tuples, found, options["json"])
        if options["json"] != "-":
            for name, result in found.items():
                methods = [figure.interval_method for figure in (*result.figures, *result.pairs)]
                how = how_computed(methods, replicates=options["bootstrap"], seed=seeds[name])
                self.stdout.write(f"{name}: {how}")

    def _print(self, tuples: LongTuples, found: dict[str, TupleAgreement], target: str | None) -> None:
        if self.write_json(_as_json(tuples, found), target):
            return
        counts = ", ".join(f"{number} {reason}" for reason, number in tuples.left_out.items())
        self.stdout.write(f"rows not included: {counts}")
        self.print_table(COLUMNS, [figure_cells(row) for row in _rows(found)])


def _rows(found: dict[str, TupleAgreement]) -> list[dict[str, Any]]:
    return [one.to_row() for result in found.values() for one in (*result.figures, *result.pairs)]


def _as_json(tuples: LongTuples, found: dict[str, TupleAgreement]) -> dict[str, Any]:
    return {
        "results": _rows(found),
        "data": {
            "fingerprint": {name: result.fingerprint for name, result in found.items()},
            "set_apart": tuples.left_out,
        },
        "software": software(),
    }
