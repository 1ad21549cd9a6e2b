"""Reading uploaded files in a separate process with limits; the readers use its result."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from glob import escape
from pathlib import Path
from typing import IO, Any

from annotation.domain.base.errors import FileProblem, FileRefused
from annotation.domain.base.messages import message
from annotation.io.base.file_errors import refusal

CODE = "file_too_costly"
CHILD = "annotation.io.base.reading_child"
LOOK_EVERY = 0.05
# On a busy machine the process may take so many times its limit of processor seconds.
PATIENCE = 5
# Environment variables of the child: paths of programs and libraries, the language, the time zone. It reads
# untrusted files, so it gets no variables with keys, passwords and addresses of services.
INHERITED = (
    *(
        "PATH",
        "LD_LIBRARY_PATH",
        "PYTHONHOME",
        "PYTHONPYCACHEPREFIX",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUTF8",
    ),
    *("LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
)
# One arena and one thread keep its memory countable.
COUNTABLE = {
    "MALLOC_ARENA_MAX": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
# Exit statuses of the child by the limit that was exceeded.
OUT_OF_MEMORY, TOO_MANY_CELLS, TOO_LARGE_RESULT = 70, 71, 72
Seen = Callable[[int], None]
_read: ContextVar[Mapping[Path, Any] | None] = ContextVar("read_beforehand", default=None)


@dataclass(frozen=True)
class ReadingLimits:
    """The limits of reading one file."""

    seconds: int  # Of processor time
    megabytes: int  # Of the memory of the child, and of its result, which the worker loads
    cells: int  # Of a table, empty ones between filled ones included


@contextmanager
def read_beforehand(
    path: Path, *, reader: str, name: str, options: Mapping[str, Any], limits: ReadingLimits, seen: Seen
) -> Iterator[None]:
    """Read a file under limits; inside the block `content_read_from` finds what was read.

    Parameters
    ----------
    path : Path
        The file or folder; the result is stored next to it until it is used. Leftovers of a killed attempt
        are removed.
    reader : str
        Dotted path of a function `(path, name=..., **options)` with a picklable result.
    name : str
        The name of the file in messages.
    options : mapping
        Further arguments of the reader.
    limits : ReadingLimits
        Beyond them the file is refused.
    seen : callable
        Called now and then with the bytes that were read out so far; may raise to stop the reading.

    Raises
    ------
    FileRefused
        `file_too_costly`, or what the reader refuses.
    """
    for left in path.parent.glob(f"{escape(path.name)}.*.read"):
        left.unlink(missing_ok=True)
    # A name of its own, so that no other attempt writes to it or deletes it.
    result = path.with_name(f"{path.name}.{uuid.uuid4().hex}.read")
    try:
        asked: dict[str, Any] = {"reader": reader, "path": str(path), "result": str(result), "name": name}
        asked |= {"options": dict(options), "limits": asdict(limits), "parent": os.getpid()}
        _read_in_child(asked, limits, seen)
        with result.open("rb") as file:
            content = _content(file)
    finally:
        result.unlink(missing_ok=True)
    token = _read.set({path: content})
    try:
        yield
    finally:
        _read.reset(token)


def content_read_from(path: Path) -> Any:
    """The content of a file that was read beforehand; None if it was not.

    Raises
    ------
    FileRefused
        The reader refused it.
    """
    return (_read.get() or {}).get(path)


def _read_in_child(asked: Mapping[str, Any], limits: ReadingLimits, seen: Seen) -> None:
    child = subprocess.Popen(  # noqa: S603 (nothing of the file is in it)
        [sys.executable, "-m", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=_environment(),
    )
    try:
        status, error_output = _watched(child, asked, limits, seen)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    _check_status(status, error_output, asked["name"], limits)


def _environment() -> dict[str, str]:
    """The environment of the child, which imports from the same paths as this process."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return inherited | COUNTABLE | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _watched(
    child: subprocess.Popen[bytes], asked: Mapping[str, Any], limits: ReadingLimits, seen: Seen
) -> tuple[int | None, bytes]:
    """The exit status of the child, None if it had to be stopped, and its error output."""
    until = time.monotonic() + PATIENCE * limits.seconds
    given: bytes | None = json.dumps(asked).encode()
    result = Path(asked["result"])
    while True:
        try:
            _, error_output = child.communicate(given, timeout=LOOK_EVERY)
        except subprocess.TimeoutExpired:
            given = None
            if time.monotonic() > until:
                return None, b""
            seen(result.stat().st_size if result.exists() else 0)
        else:
            return child.returncode, error_output


def _check_status(status: int | None, error_output: bytes, name: str, limits: ReadingLimits) -> None:
    if status == 0:
        return
    if status == TOO_MANY_CELLS:
        what = message("the file has more than %(cells)s cells", cells=f"{limits.cells:,}")
    elif status == TOO_LARGE_RESULT:
        what = message("the content takes more than %(size)s MB", size=f"{limits.megabytes:,}")
    elif status == OUT_OF_MEMORY:
        what = message("reading the file takes more than %(size)s MB of memory", size=f"{limits.megabytes:,}")
    elif status is None or status < 0:
        what = message("reading the file takes more than %(n)d s of processor time", n=limits.seconds)
    else:
        raise RuntimeError(
            f"The process that reads files failed: {error_output.decode(errors='replace')[-2000:]}"
        )
    advice = message("%(problem)s; split it into smaller files, or save it as CSV", problem=what)
    raise refusal(name, CODE, advice)


def _content(file: IO[bytes]) -> Any:
    """The result of the child: rows in chunks and then the problems of other rows, a value, or a refusal."""
    rows: list[Any] = []
    while True:
        kind, value = pickle.load(file)  # noqa: S301 (written by a process of ours)
        if kind == "rows":
            rows.extend(value)
        elif kind == "problems":
            return rows, [FileProblem(*one) for one in value]
        elif kind == "refused":
            raise FileRefused([FileProblem(*one) for one in value])
        else:
            return value
