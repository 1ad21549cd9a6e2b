"""`manage.py metaeval RATINGS SCORES`: correlations of metrics with ratings; no database is needed."""

from __future__ import annotations

import math
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.io.how_computed import how_computed
from scoring.io.long_files import READERS, STANDARD_INPUT, LongFileRefused
from scoring.io.ratings import LongRatings, read_ratings
from scoring.io.scores import read_scores, side_by_side
from scoring.management.figures import (
    INTERVAL,
    FigureCommand,
    method_cells,
    seed_of,
    software,
    value_cells,
)
from scoring.management.judges import add_judge_options, check_judge_options, judge_metrics
from scoring.stats.agreement.reliability import REPLICATES
from scoring.stats.base.association import COEFFICIENTS
from scoring.stats.data.rated_items import MeasuredItems, MeasuredItemsError
from scoring.stats.data.table import RatingsTableError
from scoring.stats.metrics.levels import LEVELS, Level
from scoring.stats.metrics.meta_evaluation import MetaEvaluation, evaluate_metrics
from scoring.stats.metrics.meta_figure import MetaFigure
from scoring.stats.metrics.pairwise.accuracy import Grouping, PairwiseAccuracy, pairwise_accuracies
from scoring.templatetags.reason_words import reason_words


class Command(FigureCommand):
    help = (
        "Compute correlations of metrics with mean ratings from two files: ratings (columns item, rater or"
        " slot, criterion, value) and scores (item, metric, value). Either may have group and system."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ratings", help="CSV, TSV, JSONL or Parquet file; - for standard input")
        parser.add_argument("scores", help="CSV, TSV, JSONL or Parquet file; - for standard input")
        parser.add_argument("--format", choices=list(READERS), default="", help="format of standard input")
        parser.add_argument(
            "--level",
            choices=LEVELS,
            action="append",
            help="level (repeatable; default: item, and group and system if items have them)",
        )
        parser.add_argument(
            "--coefficient",
            choices=COEFFICIENTS,
            action="append",
            help="coefficient (repeatable; default: all)",
        )
        parser.add_argument(
            "--without", action="append", default=[], metavar="SYSTEM", help="exclude a system (repeatable)"
        )
        parser.add_argument(
            "--pairwise",
            action="store_true",
            help="compute pairwise accuracy with calibrated ties instead of correlations",
        )
        parser.add_argument(
            "--lower",
            action="append",
            default=[],
            metavar="METRIC",
            help="lower values of this metric are better, for --pairwise and --equate (repeatable)",
        )
        add_judge_options(parser)
        parser.add_argument(
            "--bootstrap",
            type=int,
            default=REPLICATES,
            metavar="N",
            help="number of bootstrap samples; 0 for no intervals",
        )
        self.add_seed_and_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["ratings"] == options["scores"] == STANDARD_INPUT:
            raise CommandError("Only one of the files can be standard input. [bad_option]", returncode=2)
        self.check_resampling(options, fewest_replicates=0)
        check_judge_options(options)
        try:
            ratings = read_ratings(options["ratings"], file_format=_format_of(options, "ratings"))
            scores = read_scores(options["scores"], file_format=_format_of(options, "scores"))
            _refuse_unknown_metrics(options["lower"], list(scores.values.columns))
            if options["judges"]:
                judge_metrics(self, ratings, scores, options)
                return
            items = _without(side_by_side(ratings, scores), options["without"])
        except (LongFileRefused, RatingsTableError, MeasuredItemsError) as refusal:
            message = " ".join(str(refusal).split())
            raise CommandError(f"{message} [{refusal.code}]", returncode=2) from refusal
        if options["pairwise"]:
            self._compare_pairs(items, options, _data(ratings, items.fingerprint, scores.missing))
            return
        result = evaluate_metrics(
            items,
            levels=options["level"] or _levels(items),
            coefficients=options["coefficient"] or COEFFICIENTS,
            replicates=options["bootstrap"],
            seed=seed_of(options["seed"], items.fingerprint),
        )
        if not self.write_json(_as_json(ratings, result, scores.missing), options["json"]):
            self._print(items, ratings, result, scores.missing)

    def _compare_pairs(self, items: MeasuredItems, options: dict[str, Any], data: dict[str, Any]) -> None:
        seed = seed_of(options["seed"], items.fingerprint)
        found = pairwise_accuracies(
            items,
            directions=dict.fromkeys(options["lower"], "lower"),
            seed=seed,
            replicates=options["bootstrap"],
            groupings=[GROUPING_AT[level] for level in options["level"] or _levels(items)],
        )
        result = {"results": [one.to_row() for one in found], "data": data, "software": software()}
        if not self.write_json(result, options["json"]):
            self.print_table(PAIRWISE_HEADING, map(_pairwise_cells, found))
            self.stdout.write(FITTED_THRESHOLD)
            methods = [one.interval_method for one in found]
            self.stdout.write(how_computed(methods, replicates=options["bootstrap"], seed=seed))

    def _print(
        self, items: MeasuredItems, ratings: LongRatings, result: MetaEvaluation, missing: int
    ) -> None:
        left_out = ", ".join(f"{number} {reason}" for reason, number in ratings.left_out.items())
        self.stdout.write(
            f"{len(items.items)} items, {len(items.groups)} groups, {len(items.systems)} systems;"
            f" ratings not included: {left_out}; can't rate: {ratings.cannot_rate}; missing scores: {missing}"
        )
        self.print_table(HEADING, map(_cells, result.figures))
        if items.group is not None and any(figure.level == "item" for figure in result.figures):
            self.stdout.write(NO_ITEM_P)
        methods = [
            one for figure in result.figures for one in (figure.interval_method, figure.new_systems_method)
        ]
        self.stdout.write(how_computed(methods, replicates=result.replicates, seed=result.seed))


HEADING = (
    "level",
    "coefficient",
    "criterion",
    "metric",
    "estimate",
    INTERVAL,
    "p",
    "CI and p for",
    f"{INTERVAL}, new systems",
    "p, new systems",
    "n",
    "dropped",
    "CI method",
    "cautions",
)
NO_ITEM_P = (
    "Item level has no p, because items of one group are not independent. Use the confidence interval."
)


PAIRWISE_HEADING = (
    "pairs within",
    "criterion",
    "metric",
    "accuracy",
    INTERVAL,
    "held out",
    "epsilon",
    "at epsilon 0",
    "all tied",
    "pairs",
    "CI method",
    "cautions",
)
FITTED_THRESHOLD = (
    "Epsilon is fitted on the pairs that accuracy counts, so accuracy is too high. Held-out accuracy has"
    " thresholds from other groups or items. The confidence interval holds at this epsilon."
)
GROUPING_AT: dict[Level, Grouping] = {"item": "none", "group": "group", "system": "system"}
PAIRS_WITHIN = {"none": "all items", "group": "groups", "system": "systems"}


def _pairwise_cells(accuracy: PairwiseAccuracy) -> tuple[str, ...]:
    """One line of the table of pairwise accuracy."""
    row = accuracy.to_row()
    values = (row["held_out"], row["at_zero"], row["all_tied"])
    held_out, *others = ("" if value is None else f"{value:.3f}" for value in values)
    return (
        PAIRS_WITHIN[accuracy.grouping],
        accuracy.criterion,
        accuracy.metric,
        *value_cells(row, row["estimate"]),
        held_out or reason_words(accuracy.held_out_reason),
        "" if row["epsilon"] is None else f"{row['epsilon']:.3g}",
        *others,
        str(accuracy.n_pairs),
        *method_cells(row),
    )


def _cells(figure: MetaFigure) -> tuple[str, ...]:
    """One line of the table; n counts items, groups or systems, depending on the level."""
    row = figure.to_row()
    n = {"item": figure.n_items, "group": figure.n_groups, "system": figure.n_systems}[figure.level]
    return (
        figure.level,
        figure.coefficient,
        figure.criterion,
        figure.metric,
        *value_cells(row, None if figure.reason else figure.estimate),
        "" if row["p"] is None else f"{row['p']:.3g}",
        figure.holds_for,
        *_new_systems(figure),
        str(n),
        str(figure.n_dropped),
        *method_cells(row),
    )


def _new_systems(figure: MetaFigure) -> tuple[str, str]:
    """The interval and the p for new systems; empty at other levels."""
    if figure.new_systems is None:
        return "", ""
    interval = {
        "reason": figure.reason,
        "interval_method": figure.new_systems_method,
        "low": figure.new_systems.low,
        "high": figure.new_systems.high,
    }
    limits = value_cells(interval, None if figure.reason else figure.estimate)[1]
    return limits, "" if math.isnan(figure.new_systems_p) else f"{figure.new_systems_p:.3g}"


def _refuse_unknown_metrics(asked: list[str], known: list[str]) -> None:
    if unknown := sorted(set(asked) - set(known)):
        available = ", ".join(known)
        raise CommandError(
            f"There is no metric {unknown[0]!r}; available: {available}. [unknown_metric]", returncode=2
        )


def _format_of(options: dict[str, Any], which: str) -> str:
    """The requested format for standard input, by default CSV; files have their own."""
    if options[which] != STANDARD_INPUT:
        return ""
    return str(options["format"] or "csv")


def _levels(items: MeasuredItems) -> list[Level]:
    levels: list[Level] = ["item"]
    if items.group is not None:
        levels.append("group")
    if items.system is not None:
        levels.append("system")
    return levels


def _without(items: MeasuredItems, systems: list[str]) -> MeasuredItems:
    unknown = sorted(set(systems) - set(items.systems))
    if unknown:
        known = ", ".join(items.systems) or "none"
        raise MeasuredItemsError("unknown_system", f"there is no system {unknown[0]!r}; available: {known}")
    return items.only(without=systems)


def _as_json(ratings: LongRatings, result: MetaEvaluation, missing: int) -> dict[str, Any]:
    return {
        "results": [figure.to_row() for figure in result.figures],
        "data": _data(ratings, result.fingerprint, missing),
        "software": software(),
    }


def _data(ratings: LongRatings, fingerprint: str, missing: int) -> dict[str, Any]:
    return {
        "fingerprint": fingerprint,
        "excluded": ratings.excluded,
        "set_apart": {
            "cannot_rate": ratings.cannot_rate,
            "late": ratings.left_out["late"],
            "superseded": ratings.left_out["superseded"],
            "missing_scores": missing,
        },
    }
