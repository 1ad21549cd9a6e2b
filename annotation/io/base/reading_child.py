"""`python -m annotation.io.base.reading_child`: reads one file under the limits that it is given.

It does not outlive the process that started it, not even one that is killed: on Linux the kernel then kills
it (`PR_SET_PDEATHSIG`), elsewhere its limit of processor time ends it.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from annotation.domain.base.errors import FileRefused
from annotation.io.base.reading_limits import OUT_OF_MEMORY, TOO_LARGE_RESULT, TOO_MANY_CELLS

CHUNK = 2000
# Readers that yield rows one by one.
TABLES = {"annotation.io.base.readers.stream_table", "annotation.io.items.any_encoding.stream_items"}
# <linux/prctl.h>
PR_SET_PDEATHSIG = 1


def main() -> int:
    asked = json.load(sys.stdin)
    _end_with(asked["parent"])
    _limit(asked["limits"])
    try:
        with Path(asked["result"]).open("wb") as result:
            return _read(asked, result)
    except MemoryError:
        return OUT_OF_MEMORY
    except OSError as problem:
        if problem.errno != errno.EFBIG:
            raise
        return TOO_LARGE_RESULT


def _end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent ends; exit if the parent has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("The process that asked for this file has ended.")


def _limit(limits: Mapping[str, int]) -> None:
    """Set the limits before anything is read; the parent's time limit replaces those that a system lacks."""
    size = limits["megabytes"] << 20
    # Python ignores the signal for a file that grows too large, so writing fails with an error.
    sizes = {resource.RLIMIT_DATA: size, resource.RLIMIT_FSIZE: size, resource.RLIMIT_CORE: 0}
    for kind, most in (sizes | {resource.RLIMIT_CPU: limits["seconds"]}).items():
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def _read(asked: Mapping[str, Any], result: IO[bytes]) -> int:
    module, _, function = asked["reader"].rpartition(".")
    read: Callable[..., Any] = getattr(import_module(module), function)
    try:
        found = read(Path(asked["path"]), name=asked["name"], **asked["options"])
        if asked["reader"] not in TABLES:
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
    """Write rows in chunks, so that they are never all in memory; whether the cells are within the limit."""
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
