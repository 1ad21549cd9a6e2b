"""The topic–vehicle pairs of an English sentence."""

from __future__ import annotations

from scoring.hauser.base import reasons
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.english.grammar.comparators import Comparator, comparators
from scoring.hauser.english.grammar.phrases import Phrase
from scoring.hauser.english.grammar.tagging import Sentence, tag
from scoring.hauser.english.reading.comparator_filter import why_not
from scoring.hauser.english.reading.pronouns import resolve
from scoring.hauser.english.reading.rejection_rules import Found, rejection_reason
from scoring.hauser.english.reading.topics import Said, said_before, said_behind
from scoring.hauser.english.reading.vehicles import vehicle_from, vehicle_of_clause


def extract_english(text: str, *, known_simile: bool = False) -> Extraction:
    """The pairs of a sentence with English comparators.

    Parameters
    ----------
    text : str
        Any text.
    known_simile : bool
        The text is known to be a simile: a pair is given where it may be doubted, too.
    """
    sentence = tag(text)
    positions = list(comparators(sentence))
    found = [_pair(sentence, position, in_doubt=known_simile) for position in positions]
    if known_simile and not any(isinstance(pair, Components) for pair in found):
        found = [_whatever_follows(sentence, position) for position in positions]
    pairs = tuple(pair for pair in found if isinstance(pair, Components))
    whys = [why for why in found if isinstance(why, str)]
    return Extraction(pairs, "" if pairs else whys[0] if whys else reasons.NO_COMPARATOR)


def _pair(sentence: Sentence, comparator: Comparator, *, in_doubt: bool) -> Components | str:
    """The pair at a comparator, or why there is none."""
    reason = why_not(sentence, comparator)
    if reason:
        return reason
    find = vehicle_of_clause if comparator.kind == "as_if" else vehicle_from
    vehicle = find(sentence, comparator.end + 1)
    if vehicle is None:
        return reasons.NO_VEHICLE
    said = _said(sentence, comparator, vehicle)
    topic = resolve(sentence, said.topic, comparator.start)
    if comparator.kind == "like" and not in_doubt:
        reason = rejection_reason(Found(sentence, comparator.start, said, topic, vehicle))
    return reason or _components(sentence, comparator, said, topic, vehicle)


def _whatever_follows(sentence: Sentence, comparator: Comparator) -> Components | str:
    vehicle = vehicle_from(sentence, comparator.end + 1)
    if vehicle is None:
        return why_not(sentence, comparator) or reasons.NO_VEHICLE
    said = _said(sentence, comparator, vehicle)
    return _components(sentence, comparator, said, resolve(sentence, said.topic, comparator.start), vehicle)


def _said(sentence: Sentence, comparator: Comparator, vehicle: Phrase) -> Said:
    said = said_before(sentence, comparator.start)
    if said.topic is None and said.event is None:
        return said_behind(sentence, vehicle)
    return said


def _components(
    sentence: Sentence, comparator: Comparator, said: Said, topic: Phrase | None, vehicle: Phrase
) -> Components:
    described = Phrase(*comparator.property) if comparator.property else said.property
    return Components(
        topic=_part(sentence, topic),
        vehicle=_required(sentence, vehicle),
        event=_part(sentence, None if said.event is None else Phrase(said.event, said.event)),
        property=_part(sentence, described),
        comparator=_part(sentence, Phrase(comparator.start, comparator.end)),
    )


def _part(sentence: Sentence, phrase: Phrase | None) -> Part | None:
    return None if phrase is None else _required(sentence, phrase)


def _required(sentence: Sentence, phrase: Phrase) -> Part:
    start, end = sentence.spans[phrase.start][0], sentence.spans[phrase.end][1]
    return Part(sentence.text[start:end], start, end)
