"""`manage.py components FILE.csv`: extract the components of similes, or train an extractor on marks.

No database is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.io.base.writers import write_rows
from scoring.hauser.base.parts import Components, Part
from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.extractors import BUILT_IN, Extractor, extractor_named
from scoring.hauser.components.trained.windows import LANGUAGES
from scoring.io.long_files import LongFileRefused
from scoring.io.sentences import read_sentences, write_whole
from scoring.management.extractor_training import trained_from

PARTS = ("topic", "vehicle", "event", "property", "comparator")
COLUMNS = ("row", *(f"{part}{suffix}" for part in PARTS for suffix in ("", "_start", "_end")), "reason")


class Command(BaseCommand):
    help = (
        "Extract topic, vehicle, event, property and comparator of the similes in a CSV file, with offsets in"
        " Unicode characters. Writes one row per pair, or a row with a reason if a sentence has none. With"
        " --train, train an extractor on marked pairs instead."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV with a header, in UTF-8; for --train also JSON")
        parser.add_argument("--column", metavar="NAME", help="column of the sentences")
        parser.add_argument("--out", metavar="OUT.csv", help="CSV file to write")
        parser.add_argument(
            "--extractor",
            default=BUILT_IN,
            metavar="NAME",
            help="built-in (default), spacy:PIPELINE if spaCy is installed, such as spacy:en_core_web_sm,"
            " or trained:FOLDER",
        )
        parser.add_argument(
            "--known-similes",
            action="store_true",
            help="treat every sentence as a simile, including doubtful cases",
        )
        parser.add_argument(
            "--train",
            metavar="FOLDER",
            help="train an extractor on the marks in the file (sentence, topic, vehicle), and write it to"
            " this new folder",
        )
        parser.add_argument("--language", choices=LANGUAGES, help="for --train: language of the sentences")
        parser.add_argument(
            "--seed", type=int, default=1, help="for --train: seed of the training (default: 1)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lines = [*trained_from(options)] if options["train"] else [_extracted(options)]
        except (LongFileRefused, ExtractorUnavailable, GroundworkError) as refusal:
            message = " ".join(str(refusal).split())
            raise CommandError(f"{message} [{refusal.code}]", returncode=2) from refusal
        for line in lines:
            self.stdout.write(line)


def _extracted(options: dict[str, Any]) -> str:
    for name in ("column", "out"):
        if not options[name]:
            message = "extraction needs --column and --out; training needs --train and --language"
            raise CommandError(f"--{name} is missing: {message}. [bad_option]", returncode=2)
    counted = _Counted()
    extract = extractor_named(options["extractor"], known_similes=options["known_similes"])
    rows = _rows(Path(options["file"]), options["column"], extract, counted)
    write_whole(Path(options["out"]), write_rows(rows, COLUMNS, "csv"))
    return (
        f"{counted.sentences} sentences, {counted.pairs} pairs, {counted.without} sentences without"
        f" pairs; written to {options['out']}"
    )


class _Counted:
    def __init__(self) -> None:
        self.sentences = self.pairs = self.without = 0


def _rows(path: Path, column: str, extract: Extractor, counted: _Counted) -> Iterator[dict[str, Any]]:
    for row, sentence in read_sentences(path, column):
        extraction = extract(sentence)
        counted.sentences += 1
        counted.pairs += len(extraction.pairs)
        counted.without += not extraction.pairs
        for pair in extraction.pairs:
            yield {"row": row, **_cells(pair), "reason": ""}
        if not extraction.pairs:
            yield {**dict.fromkeys(COLUMNS), "row": row, "reason": extraction.reason}


def _cells(pair: Components) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name in PARTS:
        part: Part | None = getattr(pair, name)
        cells[name] = part.text if part else None
        cells[f"{name}_start"] = part.start if part else None
        cells[f"{name}_end"] = part.end if part else None
    return cells
