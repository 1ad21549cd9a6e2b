"""Content of a knowledge base file: its tables and its provenance."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from scoring.stats.base.errors import CodedError

FORMAT = 2
APPLICATION_ID = 0x47574B42
TOPIC_BITS = 32

SCHEMA = """
CREATE TABLE {schema}.about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE {schema}.term (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE {schema}.pair (
    id INTEGER PRIMARY KEY, frequency INTEGER NOT NULL, weighted REAL, triples INTEGER NOT NULL
);
CREATE TABLE {schema}.triple (
    vehicle INTEGER, topic INTEGER, property INTEGER, frequency INTEGER NOT NULL, weighted REAL,
    PRIMARY KEY (vehicle, topic, property)
) WITHOUT ROWID;
"""


class KnowledgeBaseError(CodedError):
    """A knowledge base, or a source of one, that cannot be used."""


@dataclass(frozen=True)
class Source:
    """A file that a knowledge base was made from."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Origin:
    """How a knowledge base was made."""

    kind: str  # `imported` from a table of triples, `built` from sentences, or `collected` from similes
    sources: Sequence[Source]
    settings: Mapping[str, Any]  # Settings that change the result
    software: str  # Name and version of the program that created it
    has_plausibility: bool  # Whether its triples have a plausibility, so that relevance follows eq. (2).

    @property
    def identity(self) -> str:
        """SHA-256 that is the same for the same files, settings and version."""
        text = json.dumps([FORMAT, asdict(self)], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Size:
    """Size of a knowledge base; `frequency` is the sum of n over its triples."""

    triples: int
    pairs: int
    vehicles: int
    frequency: int


@dataclass(frozen=True)
class About:
    """Name, origin and size of a knowledge base."""

    name: str  # Name under which it is chosen
    origin: Origin
    size: Size
    made_at: str  # ISO 8601, UTC
    # What was read: rows or sentences, similes, bad rows by code, the first bad rows
    counted: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of origin and size, which changes with the content."""
        text = json.dumps([self.origin.identity, asdict(self.size)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def store(self, connection: sqlite3.Connection, schema: str) -> None:
        """Write these data into the table of a file."""
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in asdict(self).items()]
        connection.executemany(f"INSERT INTO {schema}.about VALUES (?, ?)", rows)  # noqa: S608

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self:
        """Read these data from the table of a file."""
        stored = {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM about")}
        origin = stored.pop("origin")
        origin["sources"] = tuple(Source(**source) for source in origin["sources"])
        return cls(origin=Origin(**origin), size=Size(**stored.pop("size")), **stored)


def pair_id(topic: int, vehicle: int) -> int:
    """Number of a pair, from the numbers of its terms; pairs of one vehicle are adjacent."""
    return vehicle << TOPIC_BITS | topic
