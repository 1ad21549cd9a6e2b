"""Answers of models in a SQLite file that several processes share."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Text

Answer = TypeVar("Answer")
Json = dict[str, object]

WAIT_SECONDS = 60
DIGEST_BYTES = 16
# SQLite takes this many variables in one statement at least.
ASKED_AT_ONCE = 500
TABLES = """
CREATE TABLE IF NOT EXISTS model (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS answer (
    model INTEGER NOT NULL REFERENCES model,
    text BLOB NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (model, text)
) WITHOUT ROWID;
"""


class AnswerCache:
    """Answers by model and text.

    Texts themselves are not stored, only their digests. Each process and each of its threads opens the file
    once, and again if it was deleted, so that the object can be handed to processes and threads.

    Parameters
    ----------
    path
        The file; created when it is missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._of_thread = threading.local()

    def __reduce__(self) -> tuple[type[AnswerCache], tuple[Path]]:
        return type(self), (self.path,)

    def find(self, identity: str, texts: Sequence[Text]) -> dict[Text, Json]:
        """The answers known for some of the texts.

        Parameters
        ----------
        identity
            What the answers depend on besides the text: checkpoint, revision, precision, lengths.
        texts
            Texts or pairs.

        Raises
        ------
        ModelRefused
            `cache_broken` when the file was not written by this class.
        """
        digests = {_digest(text): text for text in texts}
        with self._opened() as connection:
            number = connection.execute("SELECT id FROM model WHERE identity = ?", (identity,)).fetchone()
            if number is None:
                return {}
            return {
                digests[digest]: json.loads(answer)
                for asked in _slices(list(digests), ASKED_AT_ONCE)
                for digest, answer in connection.execute(_asking(len(asked)), (number[0], *asked))
            }

    def store(self, identity: str, answers: Mapping[Text, Json]) -> None:
        """Add answers in one transaction; existing answers stay unchanged.

        Parameters
        ----------
        identity
            As for `find`.
        answers
            By text; each can be written as JSON.

        Raises
        ------
        ModelRefused
            `cache_broken`.
        """
        if not answers:
            return
        rows = [(_digest(text), json.dumps(answer, ensure_ascii=False)) for text, answer in answers.items()]
        with self._opened() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO model (identity) VALUES (?)", (identity,))
            connection.executemany(
                "INSERT OR IGNORE INTO answer SELECT id, ?, ? FROM model WHERE identity = ?",
                [(*row, identity) for row in rows],
            )

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection()
        except (sqlite3.DatabaseError, OSError) as error:
            self._connections().pop(os.getpid(), None)
            raise ModelRefused(
                "cache_broken",
                f"The file of model answers {self.path} cannot be used ({error}). "
                "Delete it; the models will compute the answers again.",
            ) from error

    def _connection(self) -> sqlite3.Connection:
        opened = self._connections()
        if os.getpid() not in opened or opened[os.getpid()][0] != _inode(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(TABLES)
            opened[os.getpid()] = (_inode(self.path), connection)
        return opened[os.getpid()][1]

    def _connections(self) -> dict[int, tuple[int | None, sqlite3.Connection]]:
        """By process: SQLite forbids a child to use, or even to close, a connection of its parent."""
        if not hasattr(self._of_thread, "by_process"):
            self._of_thread.by_process = {}
        found: dict[int, tuple[int | None, sqlite3.Connection]] = self._of_thread.by_process
        return found


class Remembered(Generic[Answer]):
    """A model that runs only for texts that are not in the cache, and is loaded only when it runs.

    Parameters
    ----------
    identity
        What the answers depend on besides the text.
    load
        Gives the model.
    cache
        Cache of the answers; None for no cache.
    packed, unpacked
        An answer as JSON, and back.
    """

    def __init__(
        self,
        identity: str,
        load: Callable[[], Callable[[Sequence[Text]], list[Answer]]],
        cache: AnswerCache | None,
        packed: Callable[[Answer], Json],
        unpacked: Callable[[Json], Answer],
    ) -> None:
        self.identity = identity
        self._load = load
        self._cache = cache
        self._packed = packed
        self._unpacked = unpacked

    def __call__(self, texts: Sequence[Text]) -> list[Answer]:
        """The answers to texts, in their order; each distinct text is computed at most once."""
        distinct = list(dict.fromkeys(texts))
        known = self._cache.find(self.identity, distinct) if self._cache else {}
        found = {text: self._unpacked(answer) for text, answer in known.items()}
        new = [text for text in distinct if text not in found]
        if new:
            computed = dict(zip(new, self._load()(new), strict=True))
            if self._cache:
                self._cache.store(self.identity, {text: self._packed(one) for text, one in computed.items()})
            found |= computed
        return [found[text] for text in texts]


def _inode(path: Path) -> int | None:
    return path.stat().st_ino if path.exists() else None


def _digest(text: Text) -> bytes:
    written = json.dumps(text, ensure_ascii=True)
    return hashlib.blake2b(written.encode("ascii"), digest_size=DIGEST_BYTES).digest()


def _slices(digests: list[bytes], size: int) -> Iterable[list[bytes]]:
    return (digests[start : start + size] for start in range(0, len(digests), size))


def _asking(number: int) -> str:
    return f"SELECT text, answer FROM answer WHERE model = ? AND text IN ({','.join('?' * number)})"  # noqa: S608
