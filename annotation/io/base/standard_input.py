"""Standard input as a file: `-` in place of a file's name."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.io.base.file_errors import refusal

DASH = "-"
NAME = "standard input"


@contextmanager
def file_or_input(given: str, *, file_format: str) -> Iterator[tuple[Path, str]]:
    """The named file and its name in messages; `-` is standard input, which needs a format.

    Raises
    ------
    FileRefused
        `-` without a format (`format_needed`).
    """
    if given != DASH:
        yield Path(given), Path(given).name
        return
    if not file_format:
        raise refusal(NAME, "format_needed", "name the format with --format, as in --format csv")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield path, NAME
