"""The topic–vehicle pairs of an English sentence."""

from __future__ import annotations

from scoring.hauser import reasons
from scoring.hauser.english.comparators import Comparator, comparators
from scoring.hauser.english.judgement import why_not, why_not_pair
from scoring.hauser.english.phrases import Phrase
from scoring.hauser.english.pronouns import resolve
from scoring.hauser.english.tagging import Sentence, tag
from scoring.hauser.english.topics import Said, said_before, said_behind
from scoring.hauser.english.vehicles import vehicle_from, vehicle_of_clause
from scoring.hauser.parts import Components, Extraction, Part


def extract_english(text: str) -> Extraction:
    """The pairs of a sentence with English comparators.

    Parameters
    ----------
    text : str

    Returns
    -------
    Extraction
    """
    sentence = tag(text)
    pairs: list[Components] = []
    why = ""
    for comparator in comparators(sentence):
        found = _pair(sentence, comparator)
        if isinstance(found, Components):
            pairs.append(found)
        else:
            why = why or found
    return Extraction(tuple(pairs), "" if pairs else why or reasons.NO_COMPARATOR)


def _pair(sentence: Sentence, comparator: Comparator) -> Components | str:
    reason = why_not(sentence, comparator)
    if reason:
        return reason
    find = vehicle_of_clause if comparator.kind == "as_if" else vehicle_from
    vehicle = find(sentence, comparator.end + 1)
    if vehicle is None:
        return reasons.NO_VEHICLE
    said = said_before(sentence, comparator.start)
    if said.topic is None and said.event is None:
        said = said_behind(sentence, vehicle)
    topic = resolve(sentence, said.topic, comparator.start)
    reason = why_not_pair(sentence, comparator, topic, said, vehicle)
    if reason:
        return reason
    of = Phrase(*comparator.property) if comparator.property else said.property
    return Components(
        topic=_part(sentence, topic),
        vehicle=_required(sentence, vehicle),
        event=_part(sentence, None if said.event is None else Phrase(said.event, said.event)),
        property=_part(sentence, of),
        comparator=_part(sentence, Phrase(comparator.start, comparator.end)),
    )


def _part(sentence: Sentence, phrase: Phrase | None) -> Part | None:
    return None if phrase is None else _required(sentence, phrase)


def _required(sentence: Sentence, phrase: Phrase) -> Part:
    start, end = sentence.spans[phrase.start][0], sentence.spans[phrase.end][1]
    return Part(sentence.text[start:end], start, end)
