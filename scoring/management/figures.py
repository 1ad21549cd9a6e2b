"""Shared base of the commands that print statistics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.limits import MOST_REPLICATES, MOST_SEED
from annotation.domain.base.numbers import check_whole_number
from config.distribution import release
from scoring.stats.base.cautions import at_mean_k, cautions_of
from scoring.templatetags.reason_words import reason_words

INTERVAL = "95% CI"
FIGURE_COLUMNS = (
    "criterion",
    "coefficient",
    "variant",
    "estimate",
    INTERVAL,
    "items",
    "raters",
    "ratings",
    "CI method",
    "cautions",
)
NEW_RATERS_COLUMNS = (f"{INTERVAL}, new raters", "CI method, new raters", "cautions, new raters")
NO_INTERVAL = "none:"


def software() -> dict[str, str]:
    """The software as the contract's JSON names it."""
    return {"name": "groundwork", "version": release()}


def seed_of(asked: int | None, fingerprint: str) -> int:
    """The requested seed, else that of the data: the same data give the same intervals."""
    return int(fingerprint[:8], 16) if asked is None else asked


def value_cells(row: Mapping[str, Any], estimate: float | None) -> tuple[str, str]:
    """An estimate and its interval as numbers, or the reason why there is none."""
    if estimate is None:
        return reason_words(row["reason"]), ""
    if row["interval_method"].startswith(NO_INTERVAL):
        return f"{estimate:.3f}", reason_words(row["interval_method"].removeprefix(NO_INTERVAL))
    low = "-inf" if row["low"] is None else f"{row['low']:.3f}"
    high = "inf" if row["high"] is None else f"{row['high']:.3f}"
    return f"{estimate:.3f}", f"{low} to {high}"


def figure_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of a figure under `FIGURE_COLUMNS`."""
    raters = "?" if row["n_raters"] is None else str(row["n_raters"])
    names = (row["criterion"], row["coefficient"], row["variant"])
    counts = (str(row["n_items"]), raters, str(row["n_ratings"]))
    return (*names, *value_cells(row, row["estimate"]), *counts, *method_cells(row))


def new_raters_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of an interval for new raters under `NEW_RATERS_COLUMNS`."""
    return (value_cells(row, row["estimate"])[1], *method_cells(row))


def method_cells(row: Mapping[str, Any]) -> tuple[str, str]:
    """How the interval of a figure was computed, and what to be careful with."""
    method, signature = str(row["interval_method"]), str(row.get("signature", ""))
    cautions = [reason_words(code) for code in cautions_of(signature)]
    if other := at_mean_k(signature):
        k, estimate = other
        cautions.append(f"{estimate:.3f} for k={k:.4g}, the mean number of ratings")
    return "" if method.startswith(NO_INTERVAL) else method, "; ".join(cautions)


class FigureCommand(BaseCommand):
    """A command that prints figures or writes them as JSON."""

    def add_seed_and_json(self, parser: CommandParser) -> None:
        """Add the options `--seed` and `--json`."""
        parser.add_argument(
            "--seed", type=int, help="random seed of the intervals (default: derived from the data)"
        )
        parser.add_argument("--json", metavar="FILE", help="write the results as JSON; - for standard output")

    def check_resampling(
        self, options: Mapping[str, Any], *, fewest_replicates: int = 1, of: str = "bootstrap"
    ) -> None:
        """End the command where the option for the number of samples, or `--seed`, is outside its range."""
        try:
            check_whole_number(f"--{of}", options[of], least=fewest_replicates, most=MOST_REPLICATES)
            if options["seed"] is not None:
                check_whole_number("--seed", options["seed"], least=0, most=MOST_SEED)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal

    def print_table(self, heading: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
        """Print lines of cells under their headings, in columns as wide as their widest cell."""
        table = [heading, *lines]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for cells in table:
            line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            self.stdout.write(line.rstrip())

    def write_json(self, content: dict[str, Any], target: str | None) -> bool:
        """Write JSON to a file, or to standard output where `target` is `-`.

        Returns
        -------
        bool
            Whether standard output is taken, so that nothing else may be printed.
        """
        text = json.dumps(content, ensure_ascii=False, indent=1)
        if target == "-":
            self.stdout.write(text)
            return True
        if target:
            try:
                Path(target).write_text(text + "\n", encoding="utf-8")
            except OSError as error:
                raise CommandError(f"{target} cannot be written: {error.strerror}.", returncode=2) from error
        return False
