"""What the commands that print figures share."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser


def software() -> dict[str, str]:
    """The software as the contract's JSON names it."""
    return {"name": "groundwork", "version": version("groundwork")}


def seed_of(asked: int | None, fingerprint: str) -> int:
    """The requested seed, else that of the data: the same data give the same intervals."""
    return int(fingerprint[:8], 16) if asked is None else asked


class FigureCommand(BaseCommand):
    """A command that prints figures or writes them as JSON."""

    def add_seed_and_json(self, parser: CommandParser) -> None:
        """Add the options `--seed` and `--json`."""
        parser.add_argument("--seed", type=int, help="of the intervals (default: from the data)")
        self.add_json(parser)

    def add_json(self, parser: CommandParser) -> None:
        """Add the option `--json`."""
        parser.add_argument("--json", metavar="FILE", help="write the figures as JSON; - is standard output")

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
            Path(target).write_text(text + "\n", encoding="utf-8")
        return False
