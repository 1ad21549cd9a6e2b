"""A simile knowledge base: triples (topic, property, vehicle), summed in advance and looked up fast."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.knowledge.file_format import (
    APPLICATION_ID,
    FORMAT,
    TOPIC_BITS,
    About,
    KnowledgeBaseError,
    pair_id,
)
from scoring.hauser.knowledge.index import Index

MAPPED_BYTES = 1 << 31
# The vehicle of a candidate is looked up twice, alone and with its topic, and the candidates of a group share
# their topic.
REMEMBERED = 64
TERM = "SELECT id FROM term WHERE text = ?"
NOTHING = (0, 0, 0.0, 0)
TRIPLES = """
SELECT property.text, triple.frequency, triple.weighted FROM triple JOIN term AS property
ON property.id = triple.property WHERE triple.vehicle = ? AND triple.topic = ?
ORDER BY triple.frequency DESC, property.text LIMIT ?
"""
TOPICS = """
SELECT topic.text, pair.frequency, pair.weighted, pair.triples FROM pair JOIN term AS topic
ON topic.id = pair.id & ? WHERE pair.id BETWEEN ? AND ? ORDER BY pair.frequency DESC, topic.text LIMIT ?
"""


KNOWN_FOR = """
SELECT SUM(frequency) FROM triple WHERE vehicle = ? AND property = (SELECT id FROM term WHERE text = ?)
"""


class PairCounts(NamedTuple):
    """Counts of a topic and a vehicle together; all 0 if the base does not contain the pair."""

    # topic, vehicle: In the form that is looked up; empty for a wording without letters and digits
    topic: str
    vehicle: str
    frequency: int  # n summed over the properties: number of similes with the pair
    weighted: float | None  # n · P summed over the properties; None in a base without plausibilities
    triples: int  # Number of triples with the pair


class VehicleCounts(NamedTuple):
    """A vehicle in the form that it was looked up in, and N_v of eq. (9); 0 if it is unknown."""

    vehicle: str
    frequency: int


class Triple(NamedTuple):
    """A property that topic and vehicle share, with frequency and plausibility (None where not known)."""

    property: str
    frequency: int
    plausibility: float | None


class Reference(Protocol):
    """Interface that relevance and creativity use: a knowledge base or a sample of one."""

    @property
    def has_plausibility(self) -> bool: ...
    def pair(self, topic: str, vehicle: str) -> PairCounts: ...
    def vehicle(self, vehicle: str) -> VehicleCounts: ...


class KnowledgeBase:
    """A finished base, read only; its pages are shared by all processes that have it open.

    Topics and vehicles are asked for in any wording: `lookup_key` is applied to each. One object may be
    used by several threads, not across a fork.

    Parameters
    ----------
    path : Path
        Its file.

    Raises
    ------
    KnowledgeBaseError
        `no_such_base` and `not_a_base`.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise KnowledgeBaseError("no_such_base", f"{path}: there is no such knowledge base")
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
        try:
            self._connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
            self.about = self._read()
            self._index = Index(path, self._database_bytes())
        except (sqlite3.DatabaseError, KeyError, TypeError, ValueError) as fault:
            self._connection.close()
            message = f"{path}: this version cannot read the knowledge base ({fault}); create it again"
            raise KnowledgeBaseError("not_a_base", message) from fault
        self.has_plausibility = self.about.origin.has_plausibility
        self._key = lru_cache(REMEMBERED)(lookup_key)

    def _read(self) -> About:
        found = [
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        ]
        if found != [APPLICATION_ID, FORMAT]:
            raise ValueError(f"its format is {found}, not {[APPLICATION_ID, FORMAT]}")
        return About.read(self._connection)

    def _database_bytes(self) -> int:
        pages, size = (
            self._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        return int(pages * size)

    def close(self) -> None:
        """Close the file."""
        self._index.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def pair(self, topic: str, vehicle: str) -> PairCounts:
        """Sums over all triples with this topic and vehicle.

        Parameters
        ----------
        topic, vehicle : str
            In any wording.

        Returns
        -------
        PairCounts
            HAUSER (He et al., 2023), the inner sums of eq. (2) and (3).
        """
        key, other = self._key(topic), self._key(vehicle)
        _, frequency, weighted, triples = self._index.pair(key, other) or NOTHING
        return PairCounts(key, other, frequency, weighted if self.has_plausibility else None, triples)

    def vehicle(self, vehicle: str) -> VehicleCounts:
        """N_v of eq. (9): the frequency of all triples with this vehicle, in any wording.

        Parameters
        ----------
        vehicle : str
            In any wording.
        """
        key = self._key(vehicle)
        return VehicleCounts(key, self._index.vehicle(key))

    def triples(self, topic: str, vehicle: str, *, most: int = 50) -> list[Triple]:
        """At most `most` triples of a pair, in any wording, the most frequent first.

        The relevance of the pair is computed from its triples.

        Parameters
        ----------
        topic, vehicle : str
            In any wording.
        most : int
            How many at most.
        """
        numbers = (self._number(vehicle), self._number(topic))
        rows = self._connection.execute(TRIPLES, (*numbers, most))
        return [
            Triple(text, frequency, None if weighted is None else weighted / frequency)
            for text, frequency, weighted in rows
        ]

    def known_for(self, vehicle: str, shared: str) -> int:
        """How many similes with a vehicle, in any wording, name a property.

        Parameters
        ----------
        vehicle : str
            In any wording.
        shared : str
            The property.
        """
        numbers = (self._number(vehicle), shared.strip().lower())
        (found,) = self._connection.execute(KNOWN_FOR, numbers).fetchone()
        return int(found or 0)

    def topics(self, vehicle: str, *, most: int = 50) -> list[PairCounts]:
        """At most `most` pairs of a vehicle, in any wording, the most frequent first.

        Parameters
        ----------
        vehicle : str
            In any wording.
        most : int
            How many at most.
        """
        number = self._number(vehicle)
        if number is None:
            return []
        mask = (1 << TOPIC_BITS) - 1
        limits = (pair_id(0, number), pair_id(mask, number))
        rows = self._connection.execute(TOPICS, (mask, *limits, most))
        return [PairCounts(topic, self._key(vehicle), *counts) for topic, *counts in rows]

    def _number(self, wording: str) -> int | None:
        """The number of a term; None where the base does not know it."""
        row = self._connection.execute(TERM, (self._key(wording),)).fetchone()
        return None if row is None else int(row[0])
