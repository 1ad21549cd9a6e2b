"""Rows for a knowledge base, stored with the progress of reading until the base is complete."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import numpy as np

from scoring.hauser.knowledge.file_format import (
    APPLICATION_ID,
    FORMAT,
    SCHEMA,
    TOPIC_BITS,
    About,
    KnowledgeBaseError,
    Origin,
    Size,
)
from scoring.hauser.knowledge.index import write_index
from scoring.hauser.knowledge.sums import PAIR, ROW, VEHICLE, Counts, RowArray, summed, summed_by

INSERTED_TOGETHER = 100_000
STAGED = """
CREATE TABLE IF NOT EXISTS progress (identity TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS term (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS staged (id INTEGER PRIMARY KEY, rows BLOB NOT NULL);
"""
COPIED = (
    "INSERT INTO new.term SELECT id, text FROM main.term ORDER BY id",
    "CREATE UNIQUE INDEX new.term_text ON term (text)",
)


class Staging:
    """A file next to the future base that survives the end of its process.

    Parameters
    ----------
    path : Path
        Its file; made where it is missing, and emptied where it belongs to other work.
    origin : Origin
        Origin of the base; work on another file, setting or version is not continued.

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
        """Whether an earlier process has stored a part of the same work."""
        return bool(self.state)

    def term(self, text: str) -> int:
        """The number of a term; a new term gets the next number."""
        number = self._terms.get(text)
        if number is None:
            number = self._terms[text] = len(self._terms) + 1
            self._new.append((number, text))
        return number

    def keep(self, rows: RowArray, state: Mapping[str, Any]) -> None:
        """Store rows and the position of the reading in one transaction.

        Parameters
        ----------
        rows : ndarray of ROW, shape (rows,)
            In any order; the same triple may come many times.
        state : mapping
            `state` for the next process.
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
        """Sum the rows into a base, move it to its path at once, and remove the staging file.

        Parameters
        ----------
        target : Path
            The file of the base; an existing file is replaced.
        counted : mapping
            Counts for `About`.
        """
        new = self._begun()
        triples = self._triples()
        pairs, together = summed_by(PAIR, triples)
        vehicles, _ = summed_by(VEHICLE, pairs)
        self._insert(triples, pairs, together)
        about = About(
            name=target.name.partition(".")[0],
            origin=self._origin,
            size=Size(len(triples), len(pairs), len(vehicles), int(vehicles["n"].sum())),
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            counted=dict(counted),
        )
        about.store(self._connection, "new")
        self._connection.execute("COMMIT")
        self._connection.execute("DETACH new")
        with new.open("ab") as file:
            write_index(file, list(self._terms), pairs, together, vehicles)
        _settle(new, target)
        self.discard()
        return about

    def _begun(self) -> Path:
        """The file of the new base, attached as `new`, in a transaction and without rows."""
        # Named after the staging file, so that two processes that build the same base do not share it.
        new = self._path.with_name(f"{self._path.name}.new")
        new.unlink(missing_ok=True)
        self._connection.execute("ATTACH ? AS new", (str(new),))
        # No process uses the new file until it is renamed, so it needs no journal.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"user_version = {FORMAT}"):
            self._connection.execute(f"PRAGMA new.{pragma}")
        self._connection.execute(f"PRAGMA new.application_id = {APPLICATION_ID}")
        self._connection.executescript(f"BEGIN; {SCHEMA.format(schema='new')}")
        return new

    def _triples(self) -> RowArray:
        stored = self._connection.execute("SELECT rows FROM staged ORDER BY id")
        return summed(np.concatenate([np.frombuffer(blob, ROW) for (blob,) in stored]))

    def _insert(self, triples: RowArray, pairs: RowArray, together: Counts) -> None:
        """Terms, triples and pairs into the new base; `together` is how many triples each pair has."""
        for statement in COPIED:
            self._connection.execute(statement)
        for start in range(0, len(triples), INSERTED_TOGETHER):
            part = triples[start : start + INSERTED_TOGETHER].tolist()
            self._connection.executemany("INSERT INTO new.triple VALUES (?, ?, ?, ?, ?)", part)
        numbers = pairs["vehicle"].astype(np.int64) << TOPIC_BITS | pairs["topic"]
        columns = (numbers, pairs["n"], pairs["weighted"], together)
        for start in range(0, len(pairs), INSERTED_TOGETHER):
            cells = [column[start : start + INSERTED_TOGETHER].tolist() for column in columns]
            self._connection.executemany("INSERT INTO new.pair VALUES (?, ?, ?, ?)", zip(*cells, strict=True))

    def discard(self) -> None:
        """Forget the work and remove the file."""
        self.close()
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file; the work can be continued later."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _held(path: Path) -> sqlite3.Connection:
    """The file, locked by this process alone; a damaged one is started again."""
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
        message = f"{path}: another process is creating this knowledge base; wait until it is complete"
        return KnowledgeBaseError("already_running", message)
    message = f"{path}: cannot be written ({fault}); check the folder's permissions and free space"
    return KnowledgeBaseError("cannot_write", message)


def _settle(new: Path, target: Path) -> None:
    """Write a whole file to disk and move it to its path; readers see the old file or the new one."""
    _flush(new)
    new.replace(target)
    _flush(target.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
