"""Lists of people: the names or codes of a small table."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from annotation.domain.base.messages import message
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.base.readers import read_rows

# Columns that identify the person of a row: the first that is filled.
COLUMNS = ("email", "name", "code")
ADDED = ("rater", "link")
FORMATS = frozenset({".csv", ".tsv"})
MOST_BYTES = 1024 * 1024
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


class SentFile(Protocol):
    """A file as a form receives it."""

    name: str | None
    size: int | None

    def read(self) -> bytes: ...


@dataclass(frozen=True)
class People:
    """The rows of a list as they were sent, and the person that each row names."""

    rows: list[dict[str, str]]
    names: list[str]

    def with_links(self, links: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], list[dict[str, str]]]:
        """The columns and rows of the list with the rater code and the link of each person added.

        Columns of these names, as in a list that was downloaded before, are replaced.
        """
        columns = tuple(dict.fromkeys(name for row in self.rows for name in row if name not in ADDED))
        rows = [
            {**row, **dict(zip(ADDED, added, strict=True))}
            for row, added in zip(self.rows, links, strict=True)
        ]
        return (*columns, *ADDED), rows


def people_in(sent: SentFile) -> People:
    """The people in the order of the rows; names without spaces around them.

    Parameters
    ----------
    sent : SentFile
        A CSV or TSV file of at most 1 MB with a column `email`, `name` or `code`; other columns stay.

    Raises
    ------
    FileRefused
        `unknown_format`, `too_large`, `missing_column`, or as `read_rows`; and, for each row with a problem,
        `no_names`, `no_address`, `bad_address` or `doubled_name`.
    """
    name = Path(sent.name or "list.csv").name
    ending = Path(name).suffix.lower()
    if ending not in FORMATS:
        raise refusal(name, "unknown_format", message("send a CSV or TSV file"))
    if (sent.size or 0) > MOST_BYTES:
        raise refusal(name, "too_large", message("the file is larger than 1 MB"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"list{ending}"
        path.write_bytes(sent.read())
        rows = read_rows(path, name=name)
    texts = {number: {column: str(value) for column, value in row.items()} for number, row in rows}
    if not any(column in row for column in COLUMNS for row in texts.values()):
        sentence = message("the column “email”, “name” or “code” is missing")
        raise refusal(name, "missing_column", sentence, row=1)
    _check_rows(name, texts)
    return People(list(texts.values()), [_person(row) for row in texts.values()])


def _check_rows(name: str, texts: Mapping[int, Mapping[str, str]]) -> None:
    """Refuse rows without a person, rows with the person of an earlier row, and invalid addresses."""
    problems, first = Problems(name), dict[str, int]()
    by_address = any(row.get("email", "").strip() for row in texts.values())
    for number, row in texts.items():
        person, address = _person(row), row.get("email", "").strip()
        plain = " ".join(person.split()).casefold()
        if not person:
            problems.add(number, "", "no_names", message("the row needs an email address, a name or a code"))
        elif by_address and not address:
            sentence = message("the email address is missing; add it, or remove this column from the list")
            problems.add(number, "email", "no_address", sentence)
        elif address and not ADDRESS.fullmatch(address):
            sentence = message("“%(text)s” is not an email address", text=address)
            problems.add(number, "email", "bad_address", sentence)
        elif (before := first.setdefault(plain, number)) != number:
            sentence = message("“%(name)s” is also in row %(row)d; remove one", name=person, row=before)
            problems.add(number, "", "doubled_name", sentence)
    problems.refuse_if_any()


def _person(row: Mapping[str, str]) -> str:
    given = (row.get(column, "").strip() for column in COLUMNS)
    return next((text for text in given if text), "")
