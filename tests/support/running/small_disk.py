"""A disk of a few megabytes, which a test can fill; needs root, as `mount` does."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PIECES = (1 << 20, 4096)


@dataclass(frozen=True)
class SmallDisk:
    """Where it is mounted."""

    folder: Path

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"

    def fill(self) -> None:
        """Leave no room for one more page of a file."""
        with self._filler.open("ab", buffering=0) as file:
            for size in PIECES:
                with contextlib.suppress(_Full):
                    while True:
                        _write(file.fileno(), bytes(size))

    def make_room(self) -> None:
        self._filler.unlink()


class _Full(Exception):
    pass


def _write(descriptor: int, piece: bytes) -> None:
    try:
        os.write(descriptor, piece)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise _Full from error


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int = 64) -> Iterator[SmallDisk | None]:
    """Mount one in the memory of this machine; None where we may not."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
