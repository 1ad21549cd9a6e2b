"""The part of each text that the sentiment classifier is given (section 3.1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hauser.parts import Components, Extraction, Part
from scoring.hauser.wording import occurrences

NO_VEHICLE = "no_vehicle"
VEHICLE_NOT_FOUND = "vehicle_not_found"
NO_EVENT = "no_event"
EVENT_NOT_FOUND = "event_not_found"


@dataclass(frozen=True)
class Cut:
    """A text from its beginning up to a part; the whole text where `uncut` says why."""

    text: str
    uncut: str = ""


def simile_cut(simile: str, extraction: Extraction) -> Cut:
    """A simile up to the end of its first vehicle.

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
    ends = [end for pair in extraction.pairs if (end := _end(simile, pair.vehicle)) is not None]
    return Cut(simile[: min(ends)]) if ends else Cut(simile, VEHICLE_NOT_FOUND)


def literal_cut(literal: str, extraction: Extraction) -> Cut:
    """A literal sentence up to the end of its first event.

    The components are those of the simile: the event of its first pair that has one is looked for in the
    literal sentence, as whole words. Where it stands there more than once, the place nearest to that in the
    simile is taken, since the two run alike up to the comparator.

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


def _end(text: str, part: Part) -> int | None:
    """Where a part ends in the text that it was found in, or was typed in for."""
    if part.end is not None:
        return part.end
    return _end_of_words(text, part)


def _end_of_words(text: str, part: Part) -> int | None:
    ends = [match.end() for match in occurrences(part.text, text)]
    return min(ends, key=lambda end: abs(end - (part.end or 0)), default=None)
