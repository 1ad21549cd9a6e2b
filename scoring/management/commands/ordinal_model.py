"""`manage.py ordinal_model RATINGS`: an ordinal mixed model of ratings in a file; no database is needed."""

from __future__ import annotations

import zlib
from itertools import pairwise
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.io.long_files import READERS, LongFileRefused
from scoring.io.ratings import LongRatings, read_ratings
from scoring.management.columns import add_column_options, columns_of
from scoring.management.figures import INTERVAL, FigureCommand, software
from scoring.stats.agreement.ordinal.adjusted_means import Estimate
from scoring.stats.agreement.ordinal.as_json import model_json, refusal_json
from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.ordinal_model import OrdinalModel, ordinal_model
from scoring.stats.agreement.ordinal.rater_thresholds import RaterThresholds, rater_thresholds

RATER_HEADS = ("rater", "ratings", "severity", INTERVAL, "infit", "outfit")
SMALLEST_P = 0.0001


class Command(FigureCommand):
    help = (
        "Fit an ordinal mixed model to ratings in a file (columns item, rater, criterion, value; system and"
        " group if there are any): adjusted means of systems, severity of raters, shares of variance."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ratings", help="CSV, TSV, JSONL or Parquet file; - for standard input")
        parser.add_argument("--format", choices=list(READERS), default="", help="format of standard input")
        parser.add_argument(
            "--criterion", action="append", metavar="NAME", help="use only this criterion (repeatable)"
        )
        parser.add_argument(
            "--rater-thresholds",
            action="store_true",
            help="also fit thresholds of each rater, and test whether raters use the scale alike",
        )
        add_column_options(parser)
        self.add_seed_and_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            ratings = read_ratings(
                options["ratings"],
                file_format=options["format"],
                criteria=options["criterion"],
                columns=columns_of(options),
            )
        except LongFileRefused as refusal:
            raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal
        if not ratings.identified:
            raise CommandError(
                f"{options['ratings']}: the model needs a column rater that names persons."
                " [anonymous_raters]",
                returncode=2,
            )
        models, refused = _fitted(ratings, options["seed"])
        own = _own_thresholds(ratings, models) if options["rater_thresholds"] else {}
        if not self.write_json(_as_json(models, refused, own), options["json"]):
            self._print(models, refused)
            for criterion, found in own.items():
                self._print_thresholds(criterion, found)

    def _print(self, models: list[OrdinalModel], refused: dict[str, NotFitted]) -> None:
        for model in models:
            self.stdout.write(
                f"\n{model.criterion}: {model.counts.sum()} ratings by {len(model.raters)} raters"
            )
            self.print_table(("system", "ratings", "mean", "adjusted", INTERVAL), _system_cells(model))
            if model.adjusted.contrasts:
                self.stdout.write("")
                self.print_table(
                    ("difference", "estimate", f"simultaneous {INTERVAL}", "p"), _contrast_cells(model)
                )
            self.stdout.write("")
            self.print_table(RATER_HEADS, _rater_cells(model))
            self.stdout.write("")
            self.print_table(("variance of", "logits²", "share"), _variance_cells(model))
        for criterion, refusal in refused.items():
            self.stdout.write(f"\n{criterion}: no model: {refusal} [{refusal.code}]")
        self.stdout.write(
            "\nCumulative logit mixed model; systems are fixed, items, raters and groups random; Laplace"
            " approximation. Adjusted: expected rating if every such rater had rated every such item."
            " Severity: points below the average rater. Infit and outfit: 1 as the model expects, larger is"
            " less predictable."
        )

    def _print_thresholds(self, criterion: str, own: RaterThresholds | NotFitted) -> None:
        if isinstance(own, NotFitted):
            self.stdout.write(f"\n{criterion}: no thresholds of each rater: {own} [{own.code}]")
            return
        self.stdout.write(
            f"\n{criterion}: thresholds of each rater; likelihood ratio {own.statistic:.1f} with"
            f" {own.freedom} degrees of freedom, p {own.p:.4f}, against raters who differ in severity alone"
        )
        heads = (f"{below:g}|{above:g}" for below, above in pairwise(own.values.tolist()))
        rows = zip(own.raters, own.thresholds.tolist(), strict=True)
        self.print_table(("rater", *heads), [(name, *(f"{one:.3f}" for one in of)) for name, of in rows])


def _own_thresholds(
    ratings: LongRatings, models: list[OrdinalModel]
) -> dict[str, RaterThresholds | NotFitted]:
    found: dict[str, RaterThresholds | NotFitted] = {}
    for model in models:
        try:
            found[model.criterion] = rater_thresholds(
                ratings.frame[ratings.frame["criterion"] == model.criterion]
            )
        except NotFitted as refusal:
            found[model.criterion] = refusal
    return found


def _fitted(ratings: LongRatings, seed: int | None) -> tuple[list[OrdinalModel], dict[str, NotFitted]]:
    models: list[OrdinalModel] = []
    refused: dict[str, NotFitted] = {}
    for criterion, frame in ratings.frame.groupby("criterion", sort=False):
        name = str(criterion)
        try:
            models.append(ordinal_model(frame, seed=zlib.crc32(name.encode()) if seed is None else seed))
        except NotFitted as refusal:
            refused[name] = refusal
    return models, refused


def _range(estimate: Estimate) -> str:
    return f"{estimate.low:.3f} to {estimate.high:.3f}"


def _system_cells(model: OrdinalModel) -> list[tuple[str, ...]]:
    rows = zip(model.systems, model.counts, model.plain, model.adjusted.means, strict=True)
    return [(name, str(n), f"{mean:.3f}", f"{one.value:.3f}", _range(one)) for name, n, mean, one in rows]


def _contrast_cells(model: OrdinalModel) -> list[tuple[str, ...]]:
    return [
        (
            f"{model.systems[one.first]} − {model.systems[one.second]}",
            f"{one.difference.value:.3f}",
            _range(one.difference),
            f"{one.p:.4f}" if one.p >= SMALLEST_P else f"< {SMALLEST_P:.4f}",
        )
        for one in model.adjusted.contrasts
    ]


def _rater_cells(model: OrdinalModel) -> list[tuple[str, ...]]:
    cells: list[tuple[str, ...]] = []
    for rater in model.raters:
        severity: tuple[str, ...] = ("–", "the variance of raters is estimated as 0")
        if rater.severity:
            severity = (f"{rater.severity.value:+.3f}", _range(rater.severity))
        cells.append(
            (rater.rater, str(rater.ratings), *severity, f"{rater.infit:.2f}", f"{rater.outfit:.2f}")
        )
    return cells


def _variance_cells(model: OrdinalModel) -> list[tuple[str, ...]]:
    return [(one.factor, f"{one.variance:.3f}", f"{one.share:.0%}") for one in model.variances]


def _as_json(
    models: list[OrdinalModel],
    refused: dict[str, NotFitted],
    own: dict[str, RaterThresholds | NotFitted],
) -> dict[str, Any]:
    return {
        "models": [model_json(model, own.get(model.criterion)) for model in models],
        "refused": [refusal_json(name, refusal) for name, refusal in refused.items()],
        "software": software(),
    }
