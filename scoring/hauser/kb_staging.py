"""Rows on their way into a knowledge base: kept with how far the reading is, until the base is whole."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from scoring.hauser.kb_format import (
    APPLICATION_ID,
    FORMAT,
    SCHEMA,
    TOPIC_BITS,
    About,
    KnowledgeBaseError,
    Origin,
    Size,
)

# A row: three numbers of terms, the frequency n, and n · P (NaN where no plausibility is known).
ROW = np.dtype([("vehicle", "i4"), ("topic", "i4"), ("property", "i4"), ("n", "i8"), ("weighted", "f8")])
Row = tuple[int, int, int, int, float]
RowArray = np.ndarray[Any, np.dtype[np.void]]
INSERTED_TOGETHER = 100_000
STAGED = """
CREATE TABLE IF NOT EXISTS progress (identity TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS term (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS staged (id INTEGER PRIMARY KEY, rows BLOB NOT NULL);
"""
SUMMED = (
    """INSERT INTO new.pair SELECT vehicle << :bits | topic, sum(frequency), sum(weighted), count(*)
    FROM new.triple GROUP BY vehicle, topic""",
    "CREATE TEMP TABLE of_vehicle (vehicle INTEGER PRIMARY KEY, frequency INTEGER NOT NULL)",
    "INSERT INTO of_vehicle SELECT id >> :bits, sum(frequency) FROM new.pair GROUP BY 1",
    """INSERT INTO new.term SELECT term.id, term.text, coalesce(of_vehicle.frequency, 0)
    FROM main.term LEFT JOIN of_vehicle ON of_vehicle.vehicle = term.id ORDER BY term.id""",
    "CREATE UNIQUE INDEX new.term_text ON term (text, as_vehicle)",
)


class Staging:
    """A file beside the future base that survives the death of its process.

    Parameters
    ----------
    path : Path
        Its file; made where it is missing, and emptied where it belongs to other work.
    origin : Origin
        How the base is made: another file, setting or version is other work.

    Raises
    ------
    KnowledgeBaseError
        `already_running` when another process holds it; `cannot_write`.
    """

    def __init__(self, path: Path, origin: Origin) -> None:
        self._path = path
        self._origin = origin
        self._connection = _held(path)
        self.state: dict[str, Any] = {}
        row = self._connection.execute("SELECT identity, state FROM progress").fetchone()
        if row and row[0] == origin.identity:
            self.state = json.loads(row[1])
        elif row:
            self._connection.executescript("DELETE FROM progress; DELETE FROM term; DELETE FROM staged;")
        self._terms = {text: number for number, text in self._connection.execute("SELECT id, text FROM term")}
        self._new: list[tuple[int, str]] = []

    @property
    def is_resumed(self) -> bool:
        """Whether an earlier process has left something of the same work."""
        return bool(self.state)

    def term(self, text: str) -> int:
        """The number of a term, its own from the first time it is seen."""
        number = self._terms.get(text)
        if number is None:
            number = self._terms[text] = len(self._terms) + 1
            self._new.append((number, text))
        return number

    def keep(self, rows: RowArray, state: Mapping[str, Any]) -> None:
        """Store rows and how far the reading is, both or neither.

        Parameters
        ----------
        rows : ndarray of ROW, shape (rows,)
            In any order; the same triple may come many times.
        state : mapping
            What `state` of the next process is to be.
        """
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT INTO term VALUES (?, ?)", self._new)
            self._connection.execute("INSERT INTO staged (rows) VALUES (?)", (rows.tobytes(),))
            self._connection.execute("DELETE FROM progress")
            stored = (self._origin.identity, json.dumps(state, ensure_ascii=False))
            self._connection.execute("INSERT INTO progress VALUES (?, ?)", stored)
        self._new = []

    def finish(self, target: Path, *, counted: Mapping[str, Any]) -> About:
        """Sum the rows into a base, put it in its place at once, and remove the staging file.

        Parameters
        ----------
        target : Path
            The base's file; what stands there is replaced.
        counted : mapping
            What was read, for `About`.

        Returns
        -------
        About
        """
        # Named after the staging file: whoever makes the same base at the same time has another.
        new = self._path.with_name(f"{self._path.name}.new")
        new.unlink(missing_ok=True)
        self._connection.execute("ATTACH ? AS new", (str(new),))
        # The new file is nobody's until it is renamed: it needs no journal.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"user_version = {FORMAT}"):
            self._connection.execute(f"PRAGMA new.{pragma}")
        self._connection.execute(f"PRAGMA new.application_id = {APPLICATION_ID}")
        self._connection.executescript(f"BEGIN; {SCHEMA.format(schema='new')}")
        self._insert_triples()
        for statement in SUMMED:
            self._connection.execute(statement, {"bits": TOPIC_BITS})
        about = About(
            name=target.name.partition(".")[0],
            origin=self._origin,
            size=self._size(),
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            counted=dict(counted),
        )
        about.store(self._connection, "new")
        self._connection.execute("COMMIT")
        self._connection.execute("DETACH new")
        _settle(new, target)
        self.discard()
        return about

    def _insert_triples(self) -> None:
        stored = self._connection.execute("SELECT rows FROM staged ORDER BY id")
        rows = summed(np.concatenate([np.frombuffer(blob, ROW) for (blob,) in stored]))
        for start in range(0, len(rows), INSERTED_TOGETHER):
            part = rows[start : start + INSERTED_TOGETHER].tolist()
            self._connection.executemany("INSERT INTO new.triple VALUES (?, ?, ?, ?, ?)", part)

    def _size(self) -> Size:
        triples, frequency = self._connection.execute(
            "SELECT count(*), coalesce(sum(frequency), 0) FROM new.triple"
        ).fetchone()
        pairs = self._connection.execute("SELECT count(*) FROM new.pair").fetchone()[0]
        vehicles = self._connection.execute("SELECT count(*) FROM of_vehicle").fetchone()[0]
        return Size(triples, pairs, vehicles, frequency)

    def discard(self) -> None:
        """Forget the work and remove the file."""
        self.close()
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let the file go; the work can be taken up later."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def summed(rows: RowArray) -> RowArray:
    """Each triple once, in the order of its numbers, with the sums of n and of n · P.

    Parameters
    ----------
    rows : ndarray of ROW, shape (rows,)
        In any order.

    Returns
    -------
    ndarray of ROW, shape (triples,)
    """
    rows = rows[np.lexsort((rows["property"], rows["topic"], rows["vehicle"]))]
    if not len(rows):
        return rows
    changes = [np.diff(rows[column]) != 0 for column in ("vehicle", "topic", "property")]
    starts = np.concatenate([[0], np.flatnonzero(np.logical_or.reduce(changes)) + 1])
    triples: RowArray = rows[starts]
    for column in ("n", "weighted"):
        triples[column] = np.add.reduceat(rows[column], starts)
    return triples


def _held(path: Path) -> sqlite3.Connection:
    """The file, held by this process alone; one that is damaged is begun anew."""
    try:
        connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
    except sqlite3.OperationalError as fault:
        raise _refusal(path, fault) from fault
    try:
        # No other process may read it; with NORMAL a power cut costs the last blocks, never the file.
        for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA cache_size = -64000")
        connection.executescript(f"BEGIN IMMEDIATE; {STAGED} COMMIT;")
    except sqlite3.OperationalError as fault:
        connection.close()
        raise _refusal(path, fault) from fault
    except sqlite3.DatabaseError:
        connection.close()
        path.unlink()
        return _held(path)
    return connection


def _refusal(path: Path, fault: sqlite3.OperationalError) -> KnowledgeBaseError:
    if fault.sqlite_errorcode == sqlite3.SQLITE_BUSY:
        message = f"{path}: another process is making this knowledge base; wait for it"
        return KnowledgeBaseError("already_running", message)
    message = f"{path}: cannot be written ({fault}); see to the folder's rights and room"
    return KnowledgeBaseError("cannot_write", message)


def _settle(new: Path, target: Path) -> None:
    """Put a whole file on the disk and in its place; whoever reads sees the old one or the new one."""
    _flush(new)
    new.replace(target)
    _flush(target.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
