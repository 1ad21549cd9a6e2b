"""The part of each text that the sentiment classifier is given (section 3.1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.base.phrase_search import occurrences
from scoring.hauser.components.chinese import COMPARATOR
from scoring.hauser.english.grammar.comparators import POSSIBLE

NO_VEHICLE = "no_vehicle"
VEHICLE_NOT_FOUND = "vehicle_not_found"
NO_EVENT = "no_event"
EVENT_NOT_FOUND = "event_not_found"


@dataclass(frozen=True)
class Cut:
    """A text from its beginning up to a part; the whole text, with the reason in `uncut`, without one."""

    text: str
    uncut: str = ""


def simile_cut(simile: str, extraction: Extraction) -> Cut:
    """Cut a simile at the end of its first vehicle.

    A vehicle that was entered manually is searched for as whole words, first after the comparator.

    Parameters
    ----------
    simile : str
        The candidate.
    extraction : Extraction
        Its components.

    Returns
    -------
    Cut
        Uncut with `no_vehicle` or `vehicle_not_found`.
    """
    if not extraction.pairs:
        return Cut(simile, NO_VEHICLE)
    ends = [end for pair in extraction.pairs if (end := _end_of_vehicle(simile, pair)) is not None]
    return Cut(simile[: min(ends)]) if ends else Cut(simile, VEHICLE_NOT_FOUND)


def literal_cut(literal: str, extraction: Extraction) -> Cut:
    """Cut a literal sentence at the end of its first event.

    The components are those of the simile: the event of its first pair that has one is searched for in the
    literal sentence, as whole words. Of several occurrences, the one nearest to the position in the simile is
    used, since the two sentences are alike up to the comparator.

    Parameters
    ----------
    literal : str
        The literal sentence.
    extraction : Extraction
        The components of the simile.

    Returns
    -------
    Cut
        Uncut with `no_event` or `event_not_found`.
    """
    events = [pair.event for pair in sorted(extraction.pairs, key=_place) if pair.event is not None]
    if not events:
        return Cut(literal, NO_EVENT)
    end = _end_of_words(literal, events[0])
    return Cut(literal, EVENT_NOT_FOUND) if end is None else Cut(literal[:end])


def _place(pair: Components) -> int:
    return -1 if pair.vehicle.start is None else pair.vehicle.start


def _end_of_vehicle(simile: str, pair: Components) -> int | None:
    """Where the vehicle ends in the text that it was found in, or was entered manually for."""
    if pair.vehicle.end is not None:
        return pair.vehicle.end
    found = occurrences(pair.vehicle.text, simile)
    compared = _end_of_comparator(simile, pair.comparator)
    behind = [occurrence for occurrence in found if occurrence.start() >= compared]
    return next((occurrence.end() for occurrence in behind or found), None)


def _end_of_comparator(simile: str, comparator: Part | None) -> int:
    """Where the comparator ends; 0 where there is none to be seen."""
    if comparator is not None and comparator.end is not None:
        return comparator.end
    typed = occurrences(comparator.text, simile) if comparator is not None else []
    found = typed[0] if typed else POSSIBLE.search(simile.lower()) or COMPARATOR.search(simile)
    return found.end() if found else 0


def _end_of_words(text: str, part: Part) -> int | None:
    ends = [match.end() for match in occurrences(part.text, text)]
    return min(ends, key=lambda end: abs(end - (part.end or 0)), default=None)
