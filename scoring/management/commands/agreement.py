"""`manage.py agreement RATINGS`: reliability of the ratings of a file; no database is needed."""

from __future__ import annotations

import argparse
import math
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.io.how_computed import how_computed
from scoring.io.long_files import READERS, LongFileRefused
from scoring.io.ratings import LongRatings, read_ratings
from scoring.management.columns import add_column_options, columns_of
from scoring.management.differences import add_options, check_options, print_differences
from scoring.management.figures import (
    FIGURE_COLUMNS,
    NEW_RATERS_COLUMNS,
    FigureCommand,
    figure_cells,
    new_raters_cells,
    seed_of,
    software,
)
from scoring.stats.agreement.alpha import LEVELS
from scoring.stats.agreement.new_raters.figures import NewRatersResult, figures_for_new_raters
from scoring.stats.agreement.reliability import REPLICATES, ReliabilityResult, reliability
from scoring.stats.base.result import Figure
from scoring.stats.data.table import RatingsTable, RatingsTableError


class Command(FigureCommand):
    help = (
        "Compute the reliability of ratings in a file (columns item, rater or slot, criterion, value,"
        " or others that options name)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ratings", help="CSV, TSV, JSONL or Parquet file; - for standard input")
        parser.add_argument("--format", choices=list(READERS), default="", help="format of standard input")
        parser.add_argument(
            "--level",
            choices=LEVELS,
            action="append",
            help="level of measurement for Krippendorff's alpha (repeatable; default: ordinal and interval)",
        )
        parser.add_argument("--scale", type=_scale, metavar="1-5", help="lowest and highest value")
        parser.add_argument("--slots", action="store_true", help="raters are anonymous slots, not persons")
        parser.add_argument(
            "--criterion", action="append", metavar="NAME", help="use only this criterion (repeatable)"
        )
        parser.add_argument(
            "--bootstrap", type=int, default=REPLICATES, metavar="N", help="number of bootstrap samples"
        )
        parser.add_argument(
            "--bca",
            action="store_true",
            help="use bias-corrected and accelerated (BCa) intervals for every count-based coefficient",
        )
        parser.add_argument(
            "--new-raters",
            action="store_true",
            help="add the confidence intervals that hold for new raters as well as new items",
        )
        add_column_options(parser)
        add_options(parser)
        self.add_seed_and_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check_resampling(options)
        check_options(options)
        if options["compare"] or options["other"]:
            print_differences(self, options)
            return
        try:
            ratings = read_ratings(
                options["ratings"],
                slots=options["slots"],
                file_format=options["format"],
                criteria=options["criterion"],
                scale=options["scale"],
                columns=columns_of(options),
            )
            table = RatingsTable.from_frame(
                ratings.frame, identified=ratings.identified, scales=_scales(ratings, options["scale"])
            )
        except (LongFileRefused, RatingsTableError) as refusal:
            raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal
        how = {
            "seed": seed_of(options["seed"], table.fingerprint),
            "replicates": options["bootstrap"],
        }
        result = reliability(
            table,
            **how,
            levels=tuple(options["level"] or ("ordinal", "interval")),
            limits="bca" if options["bca"] else "measured",
        )
        others = figures_for_new_raters(table, **how) if options["new_raters"] else None
        if not self.write_json(_as_json(ratings, result, others), options["json"]):
            self._print(ratings, result, others)

    def _print(self, ratings: LongRatings, result: ReliabilityResult, others: NewRatersResult | None) -> None:
        counts = ", ".join(f"{number} {reason}" for reason, number in ratings.left_out.items())
        self.stdout.write(
            f"{len(ratings.frame)} rows; not included: {counts}; can't rate: {ratings.cannot_rate}"
        )
        lines = [figure_cells(figure.to_row()) for figure in result.figures]
        if others is None:
            self.print_table(FIGURE_COLUMNS, lines)
        else:
            of_new_raters = {_name(figure): new_raters_cells(figure.to_row()) for figure in others.figures}
            none = ("",) * len(NEW_RATERS_COLUMNS)
            found = [of_new_raters.get(_name(figure), none) for figure in result.figures]
            self.print_table(
                (*FIGURE_COLUMNS, *NEW_RATERS_COLUMNS),
                [(*line, *more) for line, more in zip(lines, found, strict=True)],
            )
            self.stdout.write(MEANINGS)
        figures = [*result.figures, *(others.figures if others else ())]
        methods = (figure.interval_method for figure in figures)
        self.stdout.write(how_computed(methods, replicates=result.replicates, seed=result.seed))


MEANINGS = (
    "Bootstrap intervals over items or groups are for new items rated by these raters; those of the columns"
    " for new raters are for new items rated by new raters of the same kind."
)


def _name(figure: Figure) -> tuple[str, str, str]:
    return figure.criterion, figure.coefficient, figure.variant


def _scale(text: str) -> tuple[float, float]:
    least, dash, greatest = text[1:].partition("-") if text.startswith("-") else text.partition("-")
    try:
        low = float(("-" if text.startswith("-") else "") + least)
        high = float(greatest)
    except ValueError:
        low = high = 0.0
    if not dash or not -math.inf < low < high < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: enter the lowest and the highest value, such as 1-5")
    return low, high


def _scales(ratings: LongRatings, scale: tuple[float, float] | None) -> dict[str, tuple[float, float]]:
    return {} if scale is None else dict.fromkeys(ratings.frame["criterion"].unique(), scale)


def _as_json(
    ratings: LongRatings, result: ReliabilityResult, others: NewRatersResult | None
) -> dict[str, Any]:
    new_raters = {} if others is None else {"new_raters": [figure.to_row() for figure in others.figures]}
    return {
        "results": [figure.to_row() for figure in result.figures],
        **new_raters,
        "data": {
            "fingerprint": result.fingerprint,
            "excluded": ratings.excluded,
            "set_apart": {
                "cannot_rate": ratings.cannot_rate,
                "late": ratings.left_out["late"],
                "superseded": ratings.left_out["superseded"],
            },
        },
        "software": software(),
    }
