"""`python -m annotation.io.base.reading_child`: reads one file under the limits that it is given."""

from __future__ import annotations

import json
import pickle
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from annotation.domain.base.errors import FileRefused
from annotation.io.base.reading_limits import OUT_OF_MEMORY, TOO_MANY_CELLS

CHUNK = 2000
TABLE = "annotation.io.base.readers.stream_table"


def main() -> int:
    asked = json.load(sys.stdin)
    _limit(asked["limits"])
    try:
        with Path(asked["result"]).open("wb") as result:
            return _read(asked, result)
    except MemoryError:
        return OUT_OF_MEMORY


def _limit(limits: Mapping[str, int]) -> None:
    """Set before anything is read; what a system cannot limit, the parent's patience does."""
    size = limits["megabytes"] << 20
    for kind, most in ((resource.RLIMIT_CPU, limits["seconds"]), (resource.RLIMIT_DATA, size)):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def _read(asked: Mapping[str, Any], result: IO[bytes]) -> int:
    module, _, function = asked["reader"].rpartition(".")
    read: Callable[..., Any] = getattr(import_module(module), function)
    try:
        found = read(Path(asked["path"]), name=asked["name"], **asked["options"])
        if asked["reader"] != TABLE:
            pickle.dump(("value", found), result)
            return 0
        problems, rows = found
        if not _write_rows(rows, asked["limits"]["cells"], result):
            return TOO_MANY_CELLS
        pickle.dump(("problems", [astuple(one) for one in problems.found]), result)
    except FileRefused as refused:
        pickle.dump(("refused", [astuple(one) for one in refused.problems]), result)
    return 0


def _write_rows(rows: Iterator[tuple[int, dict[str, Any]]], most: int, result: IO[bytes]) -> bool:
    """Rows in chunks, so that they are never all in memory; whether they are no more than so many cells."""
    chunk, cells = [], 0
    for row in rows:
        chunk.append(row)
        cells += max(1, len(row[1]))
        if cells > most:
            return False
        if len(chunk) == CHUNK:
            pickle.dump(("rows", chunk), result)
            chunk = []
    pickle.dump(("rows", chunk), result)
    return True


if __name__ == "__main__":
    sys.exit(main())
