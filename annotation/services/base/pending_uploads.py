"""Files that were read and wait until their columns are assigned."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import (
    FileProblem,
    FileRefused,
    GroundworkError,
    InvalidContent,
    NotAllowedNow,
)
from annotation.domain.base.messages import joined, message
from annotation.io.base.file_errors import refuse_many_columns
from annotation.io.base.readers import AllRows, read_all_rows
from annotation.models import ImportFile, Study, User

MOST_WAITING = 5
BEAT_EVERY_ROWS = 2000
ReadProgress = Callable[[int, int], None]


def store_pending_upload(
    *, study: Study, actor: User | None, path: Path, name: str, what: str, read: AllRows | None = None
) -> ImportFile:
    """Read a file and store its rows; of the pending files of a kind only the five newest stay.

    Parameters
    ----------
    study, actor, path
        Whose file it is, who sends it, and where it is.
    name : str
        What messages call it.
    what : str
        What its rows are, one of `ImportFile.KINDS`.
    read : AllRows or None
        Its rows, if it was read before.

    Raises
    ------
    FileRefused
        The file as a whole cannot be read; nothing was stored.
    """
    rows, problems = read or read_all_rows(path, name=name)
    columns = list(dict.fromkeys(column for _, row in rows for column in row))
    refuse_many_columns(name, columns)
    if not rows:
        raise FileRefused(problems)
    with transaction.atomic():
        file = ImportFile.objects.create(
            study=study,
            what=what,
            name=name[:200],
            columns=columns,
            n_rows=len(rows) + len({problem.row for problem in problems}),
            rows=zlib.compress(json.dumps(rows).encode(), level=1),
            problems=[_plain(problem) for problem in problems],
            created_by=actor,
        )
        _forget_all_but_newest(study, what)
    return file


def _forget_all_but_newest(study: Study, what: str) -> None:
    waiting = study.import_files.filter(what=what, stored__isnull=True).order_by("-pk")
    study.import_files.filter(pk__in=list(waiting.values_list("pk", flat=True)[MOST_WAITING:])).delete()


def rows_of(file: ImportFile) -> list[tuple[int, dict[str, Any]]]:
    """The valid rows of a pending file, with their numbers."""
    if not file.rows:
        return []
    return [(number, row) for number, row in json.loads(zlib.decompress(bytes(file.rows)))]


def set_columns(*, file: ImportFile, mapping: Mapping[str, str]) -> None:
    """Store the mapping of a pending file, complete or not, so that its table of problems follows it.

    Parameters
    ----------
    file : ImportFile
        The file; its `mapping` is replaced.
    mapping : mapping of str to str
        Column → use; may be incomplete.
    """
    file.mapping = dict(mapping)
    # A newer file may have replaced this one meanwhile: then there is no row, and none is made.
    ImportFile.objects.filter(pk=file.pk).update(mapping=file.mapping)


def refuse_if_stored(file: ImportFile) -> None:
    """Refuse a pending file that was imported before (`already_imported`)."""
    if file.stored is not None:
        raise NotAllowedNow(message("This file has already been imported."), code="already_imported")


def refuse_bad_mapping(problems: Mapping[str, str]) -> None:
    """Refuse an assignment of columns (`bad_mapping`) with its problems by column."""
    if problems:
        raise InvalidContent(
            joined([message("Choose what the columns contain."), *problems.values()]),
            code="bad_mapping",
            fields=dict(problems),
        )


@contextmanager
def delete_upload_on_error(file: ImportFile) -> Iterator[None]:
    """Delete a pending file if the code in the block is refused."""
    try:
        yield
    except GroundworkError:
        file.delete()
        raise


def _plain(problem: FileProblem) -> dict[str, Any]:
    return {name: value for name, value in problem.as_stored().items() if name != "file"}
