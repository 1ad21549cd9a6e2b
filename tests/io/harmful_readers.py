"""Readers of files, as an attacker would have them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn


def read_for_ever(path: Path, *, name: str) -> NoReturn:
    """Note that the reading began, and never end it."""
    path.with_name("begun").touch()
    while True:
        pass


def write_much(path: Path, *, name: str, megabytes: int) -> None:
    """Make a file of so many megabytes, of which the disk stores only the end."""
    with path.with_name("much").open("wb") as file:
        file.seek(megabytes << 20)
        file.write(b"a")


def read_environment(path: Path, *, name: str) -> dict[str, str]:
    """Take all that the process was given in its environment."""
    return dict(os.environ)
