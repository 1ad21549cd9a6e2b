"""A simile knowledge base: triples (topic, property, vehicle), summed beforehand, asked in microseconds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from scoring.hauser.cleaning import lookup_key
from scoring.hauser.kb_format import APPLICATION_ID, FORMAT, TOPIC_BITS, About, KnowledgeBaseError, pair_id

MAPPED_BYTES = 1 << 31
TERM = "SELECT id, as_vehicle FROM term WHERE text = ?"
PAIR = "SELECT frequency, weighted, triples FROM pair WHERE id = ?"
TRIPLES = """
SELECT property.text, triple.frequency, triple.weighted FROM triple JOIN term AS property
ON property.id = triple.property WHERE triple.vehicle = ? AND triple.topic = ?
ORDER BY triple.frequency DESC, property.text LIMIT ?
"""
TOPICS = """
SELECT topic.text, pair.frequency, pair.weighted, pair.triples FROM pair JOIN term AS topic
ON topic.id = pair.id & ? WHERE pair.id BETWEEN ? AND ? ORDER BY pair.frequency DESC, topic.text LIMIT ?
"""
NO_TERM = (None, 0)


@dataclass(frozen=True, slots=True)
class PairCounts:
    """What a base holds of a topic and a vehicle together; all zero where it holds nothing.

    Parameters
    ----------
    frequency
        n summed over the properties: how many similes have the pair.
    weighted
        n · P summed over the properties; None in a base without plausibilities.
    triples
        How many triples have the pair.
    """

    frequency: int
    weighted: float | None
    triples: int


@dataclass(frozen=True, slots=True)
class Triple:
    """A property that topic and vehicle share, how often, and how plausibly (None where not known)."""

    property: str
    frequency: int
    plausibility: float | None


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
        except (sqlite3.DatabaseError, KeyError, TypeError, ValueError) as fault:
            self.close()
            message = f"{path}: not a knowledge base that this version can read ({fault}); make it again"
            raise KnowledgeBaseError("not_a_base", message) from fault
        self.has_plausibility = self.about.origin.has_plausibility

    def _read(self) -> About:
        found = [
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        ]
        if found != [APPLICATION_ID, FORMAT]:
            raise ValueError(f"its format is {found}, not {[APPLICATION_ID, FORMAT]}")
        return About.read(self._connection)

    def close(self) -> None:
        """Let the file go."""
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
        known_topic, known_vehicle = self._term(topic)[0], self._term(vehicle)[0]
        row = None
        if known_topic is not None and known_vehicle is not None:
            row = self._connection.execute(PAIR, (pair_id(known_topic, known_vehicle),)).fetchone()
        return PairCounts(*row) if row else PairCounts(0, 0.0 if self.has_plausibility else None, 0)

    def vehicle(self, vehicle: str) -> int:
        """N_v of eq. (9): the frequency of all triples with this vehicle; 0 where there is none.

        Parameters
        ----------
        vehicle : str
            In any wording.
        """
        return self._term(vehicle)[1]

    def pairs(self, asked: Iterable[tuple[str, str]]) -> list[PairCounts]:
        """`pair` for many; each distinct (topic, vehicle) is looked up once."""
        found: dict[tuple[str, str], PairCounts] = {}
        return [found[one] if one in found else found.setdefault(one, self.pair(*one)) for one in asked]

    def vehicles(self, asked: Iterable[str]) -> list[int]:
        """`vehicle` for many; each distinct wording is looked up once."""
        found: dict[str, int] = {}
        return [found[one] if one in found else found.setdefault(one, self.vehicle(one)) for one in asked]

    def triples(self, topic: str, vehicle: str, *, most: int = 50) -> list[Triple]:
        """The triples of a pair, the most frequent first: what its relevance rests on.

        Parameters
        ----------
        topic, vehicle : str
            In any wording.
        most : int
            How many at most.
        """
        numbers = (self._term(vehicle)[0], self._term(topic)[0])
        rows = self._connection.execute(TRIPLES, (*numbers, most))
        return [
            Triple(text, frequency, None if weighted is None else weighted / frequency)
            for text, frequency, weighted in rows
        ]

    def topics(self, vehicle: str, *, most: int = 50) -> list[tuple[str, PairCounts]]:
        """The topics that are compared with a vehicle, the most frequent first.

        Parameters
        ----------
        vehicle : str
            In any wording.
        most : int
            How many at most.
        """
        number = self._term(vehicle)[0]
        if number is None:
            return []
        mask = (1 << TOPIC_BITS) - 1
        rows = self._connection.execute(TOPICS, (mask, pair_id(0, number), pair_id(mask, number), most))
        return [(topic, PairCounts(*counts)) for topic, *counts in rows]

    def _term(self, text: str) -> tuple[int | None, int]:
        row: tuple[int, int] | None = self._connection.execute(TERM, (lookup_key(text),)).fetchone()
        return row or NO_TERM
