"""Problems of published files as refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.domain.base.errors import FileProblem, FileRefused
from scoring.replication.files import PublishedFileError


@contextmanager
def refusing() -> Iterator[None]:
    """Turn a problem of a published file into a refusal.

    Raises
    ------
    FileRefused
        With file, row and column, as the problem names them.
    """
    try:
        yield
    except PublishedFileError as problem:
        file, _, message = str(problem).partition(": ")
        # Where the files lie is nobody's business but the server's.
        raise FileRefused([FileProblem(Path(file).name, 0, "", problem.code, message)]) from problem
