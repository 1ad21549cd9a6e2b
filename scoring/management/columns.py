"""Options that say which columns of a file of ratings hold what."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.io.wide_files import Columns


def add_column_options(parser: CommandParser) -> None:
    """Add the options for columns with other names, and for files with a column per criterion or rater."""
    parser.add_argument(
        "--item",
        action="append",
        metavar="COLUMN",
        help="column that identifies items (repeatable: several identify an item together; default: item)",
    )
    parser.add_argument("--rater", metavar="COLUMN", help="column of raters (default: rater or slot)")
    parser.add_argument(
        "--criterion-column",
        action="append",
        metavar="COLUMN",
        help="column that holds the ratings of one criterion (repeatable), in a file with a column each",
    )
    parser.add_argument(
        "--rater-column",
        action="append",
        metavar="COLUMN",
        help="column that holds the ratings of one rater (repeatable), in a file with a column each",
    )


def columns_of(options: dict[str, Any]) -> Columns:
    """Read the options that `add_column_options` adds."""
    if options["rater_column"] and (options["criterion_column"] or options["rater"]):
        other = "--criterion-column" if options["criterion_column"] else "--rater"
        raise CommandError(f"Use --rater-column or {other}, not both. [bad_option]", returncode=2)
    return Columns(
        item=tuple(options["item"] or ()),
        rater=options["rater"] or "",
        criteria=tuple(options["criterion_column"] or ()),
        raters=tuple(options["rater_column"] or ()),
    )
