"""Checks of media files against the table that lists them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..bundle import read_table
from .check import Check


def check_media(folder: Path, check: Check) -> None:
    """Check that each media file of the bundle is the one that raters were sent; others are only counted."""
    table = read_table(folder / "data" / "media.csv")
    for row in table.to_dict("records"):
        file = folder / "media" / row["file"]
        if file.is_file():
            again = hashlib.sha256(file.read_bytes()).hexdigest()
            check.same(f"{row['file']} sha256", row["sha256"], again)
            check.same(f"{row['file']} size", row["size"], str(file.stat().st_size))
        else:
            check.count_skipped("media files that are not in the bundle", 1)
