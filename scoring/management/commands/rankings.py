"""`manage.py rankings FILE`: strengths and reliability of rankings; no database is needed."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
from django.core.management.base import CommandError, CommandParser

from scoring.io.long_files import READERS, LongFileRefused
from scoring.io.rankings import LongRankings, read_rankings
from scoring.management.figures import FigureCommand, seed_of, software
from scoring.stats.base.result import finite_or_none
from scoring.stats.choices.best_worst.strengths import best_worst_strengths
from scoring.stats.choices.rankings.coded_rankings import Ranked
from scoring.stats.choices.rankings.plackett_luce import Strengths, plackett_luce
from scoring.stats.choices.rankings.split_halves import SPLITS, SplitHalves, split_halves
from scoring.templatetags.reason_words import reason_words

MOST_NAMED = 5


class Command(FigureCommand):
    help = (
        "Compute scores and strengths of items and their split-half reliability from a file of rankings"
        " (columns set, item, rank, and rater) or best–worst choices (choice in place of rank)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rankings", help="CSV, TSV, JSONL or Parquet file; - for standard input")
        parser.add_argument("--format", choices=list(READERS), default="", help="format of standard input")
        parser.add_argument("--splits", type=int, default=SPLITS, metavar="N", help="number of random halves")
        self.add_seed_and_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check_resampling(options, of="splits", fewest_replicates=2)
        try:
            read = read_rankings(options["rankings"], file_format=options["format"])
        except LongFileRefused as refusal:
            raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal
        fingerprint = _fingerprint(read)
        seed = seed_of(options["seed"], fingerprint)
        halves = split_halves(read.ranked, seed=seed, splits=options["splits"])
        strengths = _best_worst(read.ranked) if read.best_worst else plackett_luce(read.ranked)
        rows = _rows(read, strengths)
        result = {
            "results": rows,
            "split_halves": {
                "spearman": finite_or_none(halves.spearman),
                "corrected": finite_or_none(halves.corrected),
                "deviation": finite_or_none(halves.deviation),
                "splits": halves.splits,
                "n_items": halves.n_items,
                "reason": halves.reason,
            },
            "strengths": {
                "log_likelihood": finite_or_none(strengths.log_likelihood),
                "reason": strengths.reason,
                "blocking": list(strengths.blocking),
            },
            "data": {"fingerprint": fingerprint, "set_apart": read.left_out, "seed": seed},
            "software": software(),
        }
        if not self.write_json(result, options["json"]):
            self._print(read, rows, strengths, halves)

    def _print(
        self,
        read: LongRankings,
        rows: list[dict[str, Any]],
        strengths: Strengths,
        halves: SplitHalves,
    ) -> None:
        counts = ", ".join(f"{number} {reason}" for reason, number in read.left_out.items())
        what = "best–worst choices" if read.best_worst else "rankings"
        self.stdout.write(
            f"{read.ranked.n_answers} {what} of {len(read.ranked.names)} items; rows not included: {counts}"
        )
        columns = ("item", "answers", "score", "strength", "standard error", "95% CI")
        self.print_table(columns, [_cells(row) for row in rows])
        if strengths.reason:
            self.stdout.write(_no_strengths(strengths))
        self.stdout.write(_of_halves(halves))


def _fingerprint(read: LongRankings) -> str:
    """SHA-256 over the coded answers."""
    ranked = read.ranked
    order = np.lexsort((ranked.item, ranked.answer))
    digest = hashlib.sha256("\x1f".join(ranked.names).encode())
    for column in (ranked.of_set, ranked.answer[order], ranked.item[order], ranked.place[order]):
        digest.update(np.ascontiguousarray(column, dtype=np.int64).tobytes())
    return digest.hexdigest()


def _best_worst(ranked: Ranked) -> Strengths:
    found = best_worst_strengths(ranked)
    of_items = (found.strength, found.error, found.log_likelihood)
    return Strengths(ranked.names, *of_items, ranked.n_answers, found.reason, found.blocking)


def _rows(read: LongRankings, strengths: Strengths) -> list[dict[str, Any]]:
    """One row for each item, the highest score or strength first."""
    ranked = read.ranked
    scores, times = ranked.mean_scores(), np.bincount(ranked.item, minlength=len(ranked.names))
    low, high = strengths.limits()
    rows = [
        {
            "item": name,
            "n": int(times[place]),
            "score": finite_or_none(float(scores[place])),
            "strength": finite_or_none(float(strengths.strength[place])),
            "error": finite_or_none(float(strengths.error[place])),
            "low": finite_or_none(float(low[place])),
            "high": finite_or_none(float(high[place])),
        }
        for place, name in enumerate(ranked.names)
    ]
    key = "score" if strengths.reason or read.best_worst else "strength"
    return sorted(rows, key=lambda row: (-row[key], row["item"]))


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    numbers = ("" if row[key] is None else f"{row[key]:.3f}" for key in ("score", "strength", "error"))
    limits = "" if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}"
    return row["item"], str(row["n"]), *numbers, limits


def _no_strengths(strengths: Strengths) -> str:
    sentence = f"No strengths: {reason_words(strengths.reason)}."
    if not strengths.blocking:
        return sentence
    named = ", ".join(strengths.blocking[:MOST_NAMED])
    more = len(strengths.blocking) - MOST_NAMED
    others = f" and {more} more" if more > 0 else ""
    return f"{sentence} No other item was ever ranked above: {named}{others}."


def _of_halves(halves: SplitHalves) -> str:
    if halves.reason:
        return f"Split-half reliability: {reason_words(halves.reason)}."
    of_all = f"{halves.corrected:.3f} for all answers (Spearman–Brown)"
    if math.isnan(halves.corrected):
        of_all = f"none for all answers: {reason_words('negative_reliability')}"
    return (
        f"Split-half reliability: mean Spearman {halves.spearman:.3f} (standard deviation"
        f" {halves.deviation:.3f}) over {halves.splits} random halves, {of_all}."
    )
