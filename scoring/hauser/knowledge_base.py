"""A simile knowledge base: triples (topic, property, vehicle), summed beforehand, asked in microseconds."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from scoring.hauser.cleaning import lookup_key
from scoring.hauser.kb_format import APPLICATION_ID, FORMAT, TOPIC_BITS, About, KnowledgeBaseError, pair_id

MAPPED_BYTES = 1 << 31
# The vehicle of a candidate is asked for twice, alone and with its topic, and the candidates of a group share
# their topic; more than a few thousand terms would only take memory.
REMEMBERED = 4096
TERM = "SELECT id, as_vehicle FROM term WHERE text = ?"
PAIR = f"""
SELECT frequency, weighted, triples FROM pair
WHERE id = (? << {TOPIC_BITS}) | (SELECT id FROM term WHERE text = ?)
"""  # noqa: S608
TRIPLES = """
SELECT property.text, triple.frequency, triple.weighted FROM triple JOIN term AS property
ON property.id = triple.property WHERE triple.vehicle = ? AND triple.topic = ?
ORDER BY triple.frequency DESC, property.text LIMIT ?
"""
TOPICS = """
SELECT topic.text, pair.frequency, pair.weighted, pair.triples FROM pair JOIN term AS topic
ON topic.id = pair.id & ? WHERE pair.id BETWEEN ? AND ? ORDER BY pair.frequency DESC, topic.text LIMIT ?
"""


class PairCounts(NamedTuple):
    """What a base holds of a topic and a vehicle together; all zero where it holds nothing.

    Parameters
    ----------
    topic, vehicle
        In the form that they were looked up in; empty where the wording holds neither letter nor digit.
    frequency
        n summed over the properties: how many similes have the pair.
    weighted
        n · P summed over the properties; None in a base without plausibilities.
    triples
        How many triples have the pair.
    """

    topic: str
    vehicle: str
    frequency: int
    weighted: float | None
    triples: int


class VehicleCounts(NamedTuple):
    """A vehicle in the form that it was looked up in, and N_v of eq. (9); 0 where the base holds nothing."""

    vehicle: str
    frequency: int


class Triple(NamedTuple):
    """A property that topic and vehicle share, how often, and how plausibly (None where not known)."""

    property: str
    frequency: int
    plausibility: float | None


class Reference(Protocol):
    """What relevance and creativity ask: a knowledge base, or a sample of one."""

    @property
    def has_plausibility(self) -> bool: ...
    def pair(self, topic: str, vehicle: str) -> PairCounts: ...
    def vehicle(self, vehicle: str) -> VehicleCounts: ...


class _Term(NamedTuple):
    """A term in its form for look-up, its number (None where the base does not know it), and N_v."""

    key: str
    number: int | None
    as_vehicle: int


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
        self._no_pair = (0, 0.0 if self.has_plausibility else None, 0)
        self._term = lru_cache(REMEMBERED)(self._look_up)

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
        known, key = self._term(vehicle), lookup_key(topic)
        row = None
        if known.number is not None:
            row = self._connection.execute(PAIR, (known.number, key)).fetchone()
        return PairCounts(key, known.key, *(row or self._no_pair))

    def vehicle(self, vehicle: str) -> VehicleCounts:
        """N_v of eq. (9): the frequency of all triples with this vehicle.

        Parameters
        ----------
        vehicle : str
            In any wording.
        """
        known = self._term(vehicle)
        return VehicleCounts(known.key, known.as_vehicle)

    def triples(self, topic: str, vehicle: str, *, most: int = 50) -> list[Triple]:
        """The triples of a pair, the most frequent first: what its relevance rests on.

        Parameters
        ----------
        topic, vehicle : str
            In any wording.
        most : int
            How many at most.
        """
        numbers = (self._term(vehicle).number, self._term(topic).number)
        rows = self._connection.execute(TRIPLES, (*numbers, most))
        return [
            Triple(text, frequency, None if weighted is None else weighted / frequency)
            for text, frequency, weighted in rows
        ]

    def topics(self, vehicle: str, *, most: int = 50) -> list[PairCounts]:
        """The pairs of a vehicle, the most frequent first.

        Parameters
        ----------
        vehicle : str
            In any wording.
        most : int
            How many at most.
        """
        known = self._term(vehicle)
        if known.number is None:
            return []
        mask = (1 << TOPIC_BITS) - 1
        limits = (pair_id(0, known.number), pair_id(mask, known.number))
        rows = self._connection.execute(TOPICS, (mask, *limits, most))
        return [PairCounts(topic, known.key, *counts) for topic, *counts in rows]

    def _look_up(self, text: str) -> _Term:
        key = lookup_key(text)
        row: tuple[int, int] | None = self._connection.execute(TERM, (key,)).fetchone()
        return _Term(key, *(row or (None, 0)))
