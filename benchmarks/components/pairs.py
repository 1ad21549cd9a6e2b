"""Topics and vehicles as text, and how far two of them agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.components.trained.comparison import WORD, word_f1


@dataclass(frozen=True)
class Pair:
    """A topic, a vehicle, an event and a property as text; empty where there is none."""

    topic: str
    vehicle: str
    event: str = ""
    property: str = ""


Extractor = Callable[[str], list[Pair]]


def covers(found: str, marked: str) -> bool:
    """Whether a part has every word that is marked."""
    return not _words(marked) - _words(found)


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(lookup_key(text)))


def matched(pairs: list[Pair], marks: list[Pair]) -> Iterator[tuple[Pair, Pair]]:
    """Each mark with the pair that fits it best, or with an empty one; no pair serves twice."""
    left = list(pairs)
    for mark in marks:
        best = max(
            left,
            key=lambda pair: (word_f1(pair.vehicle, mark.vehicle), word_f1(pair.topic, mark.topic)),
            default=None,
        )
        if best is None:
            yield Pair("", ""), mark
        else:
            left.remove(best)
            yield best, mark
