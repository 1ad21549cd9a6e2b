"""Differences of two reliabilities, for `manage.py agreement`."""

from __future__ import annotations

import argparse
import math
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.io.how_computed import how_computed
from scoring.io.long_files import STANDARD_INPUT, LongFileRefused
from scoring.io.ratings import read_ratings
from scoring.management.columns import columns_of
from scoring.management.figures import (
    INTERVAL,
    FigureCommand,
    method_cells,
    seed_of,
    software,
    value_cells,
)
from scoring.stats.agreement.comparing.differences import (
    Design,
    ReliabilityDifference,
    compare_reliability,
    equivalence,
)
from scoring.stats.agreement.comparing.weighted import COMPARED
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import Ratings, RatingsTable, RatingsTableError

BY_DEFAULT = ("alpha-ordinal", "alpha-interval", "fleiss", "ac2-quadratic", "icc2", "icc2k", "icc3k")
Pair = tuple[tuple[str, Ratings], tuple[str, Ratings]]
HEADING = (
    "first",
    "second",
    "coefficient",
    "of first",
    "of second",
    "difference",
    INTERVAL,
    "p",
    "90% CI",
    "equivalence",
    "Feldt p",
    "items",
    "in both",
    "cautions",
)
VERDICTS = {
    "equivalent": "within ±{0:g}",
    "beyond_margin": "beyond ±{0:g}",
    "undecided": "inconclusive for ±{0:g}",
}


def add_options(parser: CommandParser) -> None:
    """Add the options that compare two criteria or two files."""
    parser.add_argument(
        "--compare", nargs=2, metavar=("FIRST", "SECOND"), help="compare two criteria of the file"
    )
    parser.add_argument(
        "--other", metavar="FILE", help="compare with a second study or version with the same criteria"
    )
    parser.add_argument(
        "--same-items",
        action="store_true",
        help="with --other: items of both files with the same name are the same, and are drawn together",
    )
    parser.add_argument(
        "--coefficient",
        choices=sorted(COMPARED),
        action="append",
        help=f"coefficient to compare (repeatable; default: {', '.join(BY_DEFAULT)})",
    )
    parser.add_argument(
        "--margin", type=_margin, help="greatest difference that does not matter, for a test of equivalence"
    )


def check_options(options: dict[str, Any]) -> None:
    """End the command where an option has no effect on what the others ask for."""
    compares = bool(options["compare"] or options["other"])
    unused = ["new_raters", "bca", "level"] if compares else ["same_items", "coefficient", "margin"]
    unused += ["same_items", "criterion"] if options["compare"] else []
    for name in unused:
        if options[name]:
            what = "without --compare or --other"
            if compares:
                what = "with --compare" if options["compare"] else "with --other"
            option = f"--{name.replace('_', '-')}"
            raise CommandError(f"{option} has no effect {what}; leave it out. [bad_option]", returncode=2)


def print_differences(command: FigureCommand, options: dict[str, Any]) -> None:
    """Compare two criteria of a file, or the criteria of two files, as the options say."""
    if options["compare"] and options["other"]:
        raise CommandError("Use --compare or --other, not both. [bad_option]", returncode=2)
    tables = [_table(options, name) for name in (options["ratings"], options["other"]) if name]
    seed = seed_of(options["seed"], tables[0].fingerprint)
    resampling = Resampling(options["bootstrap"], seed)
    design: Design = "paired" if options["compare"] or options["same_items"] else "independent"
    found = [
        (pair, compare_reliability(pair[0][1], pair[1][1], name, design=design, resampling=resampling))
        for pair in _pairs(tables, options)
        for name in options["coefficient"] or BY_DEFAULT
    ]
    rows = [_row(pair, one, options["margin"]) for pair, one in found]
    fingerprints = [table.fingerprint for table in tables]
    result = {"results": rows, "data": {"fingerprints": fingerprints}, "software": software()}
    if not command.write_json(result, options["json"]):
        command.print_table(HEADING, [_cells(row, options["margin"]) for row in rows])
        methods = [one.interval_method for _, one in found]
        command.stdout.write(how_computed(methods, replicates=options["bootstrap"], seed=seed))


def _margin(text: str) -> float:
    try:
        margin = float(text)
    except ValueError:
        margin = math.nan
    if not 0 < margin < 2:
        raise argparse.ArgumentTypeError(f"{text!r}: enter a number above 0 and below 2, such as 0.1")
    return margin


def _table(options: dict[str, Any], path: str) -> RatingsTable:
    try:
        ratings = read_ratings(
            path,
            slots=options["slots"],
            file_format=_format(path, options),
            criteria=options["criterion"],
            scale=options["scale"],
            columns=columns_of(options),
        )
        names = ratings.frame["criterion"].unique()
        scales = {} if options["scale"] is None else dict.fromkeys(names, options["scale"])
        return RatingsTable.from_frame(ratings.frame, identified=ratings.identified, scales=scales)
    except (LongFileRefused, RatingsTableError) as refusal:
        raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal


def _format(path: str, options: dict[str, Any]) -> str:
    return str(options["format"]) if path == STANDARD_INPUT else ""


def _pairs(tables: list[RatingsTable], options: dict[str, Any]) -> list[Pair]:
    """What is compared: two criteria of one table, or each criterion that both tables have."""
    first = tables[0].criteria
    if options["compare"]:
        for name in options["compare"]:
            if name not in first:
                known = ", ".join(first)
                raise CommandError(
                    f"There is no criterion {name!r}; available: {known}. [unknown_criterion]", returncode=2
                )
        one, other = options["compare"]
        return [((one, first[one]), (other, first[other]))]
    second = tables[1].criteria
    if not first.keys() & second.keys():
        raise CommandError("The files have no criterion in common. [unknown_criterion]", returncode=2)
    return [((name, first[name]), (name, second[name])) for name in first if name in second]


def _row(pair: Pair, difference: ReliabilityDifference, margin: float | None) -> dict[str, Any]:
    row = {"first_criterion": pair[0][0], "second_criterion": pair[1][0], **difference.to_row()}
    if margin is not None:
        row |= {"margin": margin, "equivalence": equivalence(row, margin)}
    return row


def _cells(row: dict[str, Any], margin: float | None) -> tuple[str, ...]:
    verdict = row.get("equivalence")
    narrow = "" if row["low_90"] is None else f"{row['low_90']:.3f} to {row['high_90']:.3f}"
    return (
        row["first_criterion"],
        row["second_criterion"],
        " ".join(part for part in (row["coefficient"], row["variant"]) if part),
        *("" if row[key] is None else f"{row[key]:.3f}" for key in ("first", "second")),
        *value_cells(row, row["estimate"]),
        "" if row["p"] is None else f"{row['p']:.3g}",
        narrow,
        VERDICTS[verdict].format(margin) if verdict else "",
        "" if row["feldt_p"] is None else f"{row['feldt_p']:.3g}",
        f"{row['n_first']}, {row['n_second']}",
        str(row["n_shared"]),
        method_cells(row)[1],
    )
