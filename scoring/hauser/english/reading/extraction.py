"""The topic–vehicle pairs of an English sentence."""

from __future__ import annotations

from scoring.hauser.base import reasons
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.english.grammar.comparators import Comparator, comparators
from scoring.hauser.english.grammar.lexicon import INDEFINITE, POSSESSIVES
from scoring.hauser.english.grammar.phrases import Phrase, phrase_ending_at, phrase_starting_at
from scoring.hauser.english.grammar.tagging import Sentence, tag
from scoring.hauser.english.grammar.token_steps import opens_clause, past
from scoring.hauser.english.reading.comparator_filter import compares_manner, why_not
from scoring.hauser.english.reading.pronouns import PERSONS, is_name, resolve
from scoring.hauser.english.reading.rejection_rules import Found, rejection_reason
from scoring.hauser.english.reading.subjects import subject_of
from scoring.hauser.english.reading.topics import (
    DESCRIBING,
    TopicClause,
    topic_clause_after,
    topic_clause_before,
)
from scoring.hauser.english.reading.vehicles import clause_from, to_comma, vehicle_from, vehicle_of_clause

# Subjects that handle a thing: "she shook it like a rug".
HANDLING = frozenset({"i", "you", "he", "she", "we"})
# Between two comparisons with the same topic: "like a lion, and like a bear".
JOINING = ',CY"'


def extract_english(text: str, *, known_simile: bool = False) -> Extraction:
    """The pairs of a sentence with English comparators.

    Parameters
    ----------
    text : str
        Any text.
    known_simile : bool
        The text is known to be a simile: pairs that the rules of rejection would refuse are returned as well.
    """
    sentence = tag(text)
    found: list[Found | str] = []
    earlier: Found | None = None
    for position in comparators(sentence):
        if earlier is not None and earlier.topic and earlier.topic.start == position.end + 1:
            continue
        result = _found(sentence, position, earlier, in_doubt=known_simile)
        earlier = result if isinstance(result, Found) else earlier
        found.append(result)
    if known_simile and earlier is None:
        found = [_whatever_follows(sentence, position) for position in comparators(sentence)]
    pairs = tuple(_components(result) for result in found if isinstance(result, Found))
    whys = [why for why in found if isinstance(why, str)]
    return Extraction(pairs, "" if pairs else whys[0] if whys else reasons.NO_COMPARATOR)


def _found(
    sentence: Sentence, comparator: Comparator, earlier: Found | None, *, in_doubt: bool
) -> Found | str:
    """The parts at a comparator, or why there are none."""
    reason = why_not(sentence, comparator)
    if reason:
        return reason
    vehicle = _vehicle(sentence, comparator)
    if vehicle is None:
        return reasons.NO_VEHICLE
    clause = _topic_clause(sentence, comparator, vehicle, earlier)
    topic = _topic(sentence, comparator, clause, earlier)
    found = Found(sentence, comparator, clause, topic, vehicle)
    return ("" if in_doubt else rejection_reason(found)) or found


def _topic(
    sentence: Sentence, comparator: Comparator, clause: TopicClause, earlier: Found | None
) -> Phrase | None:
    """The topic, with a pronoun replaced by its noun; None for a command."""
    if earlier is not None and clause is earlier.clause:
        return earlier.topic
    is_command = (
        clause.event is not None
        and sentence.tags[clause.event] == "V"
        and opens_clause(sentence, clause.event - 1)
    )
    return None if clause.topic is None and is_command else resolve(sentence, clause.topic, comparator.start)


def _vehicle(sentence: Sentence, comparator: Comparator) -> Phrase | None:
    start = comparator.end + 1
    if comparator.kind == "as_if":
        return vehicle_of_clause(sentence, start)
    if comparator.kind == "like" and compares_manner(sentence, comparator.start):
        return clause_from(sentence, start)
    before = past(sentence, comparator.start - 1, 'Y,"')
    vehicle = vehicle_from(
        sentence,
        start,
        is_copular=comparator.kind == "resembles" or (before >= 0 and sentence.tags[before] == "B"),
        appears=comparator.kind == "like" and before >= 0 and sentence.words[before] in DESCRIBING,
    )
    is_in_front = comparator.kind == "like" and opens_clause(sentence, before)
    return to_comma(sentence, vehicle) if vehicle and is_in_front else vehicle


def _whatever_follows(sentence: Sentence, comparator: Comparator) -> Found | str:
    vehicle = None if comparator.kind == "than" else vehicle_from(sentence, comparator.end + 1)
    if vehicle is None:
        return why_not(sentence, comparator) or reasons.NO_VEHICLE
    clause = _topic_clause(sentence, comparator, vehicle, None)
    return Found(sentence, comparator, clause, resolve(sentence, clause.topic, comparator.start), vehicle)


def _topic_clause(
    sentence: Sentence, comparator: Comparator, vehicle: Phrase, earlier: Found | None
) -> TopicClause:
    """Topic and event, from before the comparator, from the previous comparison or from after the vehicle."""
    if earlier is not None:
        shared = _clause_of_earlier(sentence, comparator, earlier)
        if shared is not None:
            return shared
    if comparator.kind == "resembles" and sentence.tags[comparator.start] in "VEG":
        return TopicClause(subject_of(sentence, comparator.start), None)
    clause = topic_clause_before(sentence, comparator.start)
    named = phrase_ending_at(sentence, comparator.start - 1)
    if named is not None and _is_described(sentence, comparator, clause, named, vehicle):
        return TopicClause(named, clause.event)
    if clause.topic is None and clause.event is None:
        return _second_noun_clause(sentence, vehicle) or topic_clause_after(sentence, vehicle)
    if clause.topic is None and clause.event is not None and opens_clause(sentence, clause.event - 1):
        behind = topic_clause_after(sentence, vehicle)  # `springing like a cat, she`
        return TopicClause(behind.topic, clause.event)
    return clause


def _clause_of_earlier(sentence: Sentence, comparator: Comparator, earlier: Found) -> TopicClause | None:
    """The previous comparison's clause if both share it, or `her laugh` of `…, her laugh like a drum`."""
    tags, start = sentence.tags, earlier.vehicle.end + 1
    between = tags[start : comparator.start]
    if set(between) <= set(JOINING):
        return earlier.clause
    if not set(between).isdisjoint("VBAEG.:S"):
        return None
    joint = max(start + between.rfind(mark) for mark in ",C")
    topic = phrase_starting_at(sentence, joint + 1) if joint >= start else None
    if topic is None or topic.end != comparator.start - 1:
        return None
    return TopicClause(topic, earlier.clause.event)


def _is_described(
    sentence: Sentence, comparator: Comparator, clause: TopicClause, named: Phrase, vehicle: Phrase
) -> bool:
    """Whether the topic is the noun before: `a nod as brief as`, `, his face like`, `she shook it like`."""
    words, tags = sentence.words, sentence.tags
    if comparator.kind in ("as", "as_as") and named.start < named.end and words[named.start] in INDEFINITE:
        return True
    if words[named.start] in POSSESSIVES and tags[named.start - 1 : named.start] in (",", "C"):
        return True
    if comparator.kind != "like" or clause.topic is None or clause.event != named.start - 1:
        return False
    if words[clause.event] in DESCRIBING or compares_manner(sentence, comparator.start):
        return False
    is_person = words[clause.topic.start] in HANDLING or is_name(sentence, clause.topic)
    does_so = (words[vehicle.end] in PERSONS or tags[vehicle.end + 1 : vehicle.end + 2] == "G") and words[
        named.end
    ] not in PERSONS
    is_handled = is_person and not does_so and not words[named.end].endswith(("self", "selves"))
    return tags[clause.event] in "VEG" and (is_handled or words[vehicle.start] in ("that", "those"))


def _second_noun_clause(sentence: Sentence, vehicle: Phrase) -> TopicClause | None:
    """`like father, like son`: the second noun is the topic."""
    if sentence.tags[vehicle.end + 1 : vehicle.end + 3] != ",L":
        return None
    topic = phrase_starting_at(sentence, vehicle.end + 3)
    is_whole = topic is not None and sentence.tags[topic.end + 1 : topic.end + 2] in ("", ".", '"')
    return TopicClause(topic, None) if is_whole else None


def _components(found: Found) -> Components:
    sentence, comparator, clause = found.sentence, found.comparator, found.clause
    topic, vehicle = found.topic, found.vehicle
    described = Phrase(*comparator.property) if comparator.property else clause.property
    return Components(
        topic=_part(sentence, topic),
        vehicle=_required(sentence, vehicle),
        event=_part(sentence, None if clause.event is None else Phrase(clause.event, clause.event)),
        property=_part(sentence, described),
        comparator=_part(sentence, Phrase(comparator.start, comparator.end)),
    )


def _part(sentence: Sentence, phrase: Phrase | None) -> Part | None:
    return None if phrase is None else _required(sentence, phrase)


def _required(sentence: Sentence, phrase: Phrase) -> Part:
    start, end = sentence.spans[phrase.start][0], sentence.spans[phrase.end][1]
    return Part(sentence.text[start:end], start, end)
