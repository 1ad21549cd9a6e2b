"""Reasons to reject a topic and a vehicle: a name, an example, a thing of the same kind …"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.hauser.base import reasons
from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar import lexicon
from scoring.hauser.english.grammar.comparators import Comparator, Kind
from scoring.hauser.english.grammar.phrases import Phrase, phrase_ending_at
from scoring.hauser.english.grammar.tagging import Sentence
from scoring.hauser.english.reading.pronouns import PERSONS
from scoring.hauser.english.reading.topics import TopicClause
from scoring.hauser.english.reading.vehicles import describes_noun, has_verb_behind

WEATHER = word_list("rain snow trouble fun war summer winter spring bedtime hail storm storms death")
UNNAMED = word_list("it this that these those which what itself")
# A thing with these is one of its kind, not an image of something else.
LITERAL = word_list("ordinary normal regular typical other another any usual similar")
# Nouns that judge something or belong to it; after "like" they make no image.
ONE_OF_A_KIND = word_list("""
    part version versions member members work works score product following instance example sequel
    continuation fit time way place thing things idea choice option start chance moment deal compromise
    reason case track opposite result consequence alternative variant reminder
""")
SEEMING = word_list("looks looked seems seemed sounds sounded feels felt appears appeared")
QUANTIFIED = word_list("every many most several")
POINTING = word_list("own one ones else others")
MADE = word_list("made make makes making designed built")
SHOWN = word_list("look looks sound sounds feel taste smell")
BEHAVING = word_list("act acts acted acting behave behaves behaved behaving function functions functioned")
GENERAL = word_list("""
    thing things stuff places something someone anyone topics issues subjects areas factors words terms names
    companies bands artists actors authors writers animals activities features services products foods
    games films movies books songs groups countries cities states sites websites methods techniques tools
    problems diseases events
""")


@dataclass(frozen=True)
class Found:
    """A topic and a vehicle found at a comparator of a sentence."""

    sentence: Sentence
    comparator: Comparator
    clause: TopicClause  # Topic and event as written
    topic: Phrase | None  # The topic with its pronoun resolved
    vehicle: Phrase


def rejection_reason(found: Found) -> str:
    """Why a pair is no simile: a code of `reasons`, or empty.

    Parameters
    ----------
    found : Found
        Topic, vehicle and their positions in the sentence.
    """
    doubts = DOUBTS.get(found.comparator.kind, ())
    return next((reason for reason, is_so in doubts if is_so(found)), "")


def _is_conjecture(found: Found) -> bool:
    """`as if he knew`, `as if to say`: something that may be true; `it seems as if`: an assumption."""
    sentence, words = found.sentence, found.sentence.words
    tags, start, topic = sentence.tags, found.comparator.end + 1, found.clause.topic
    if tags[found.vehicle.start] == "D" and found.vehicle.start > start:
        return False  # "as if he were a king"
    is_it = topic is not None and words[topic.start] == "it" and found.clause.event is not None
    if is_it and words[found.clause.event or 0] in SEEMING:
        return True
    if tags[start] == "P":
        return words[start] != "it"
    return tags[start] not in "DNE#" or (tags[start] in "N#" and not has_verb_behind(sentence, start))


def _is_forecast(found: Found) -> bool:
    """`It looks like rain`."""
    topic, words = found.clause.topic, found.sentence.words
    return topic is not None and words[topic.start] == "it" and words[found.vehicle.start] in WEATHER


def _has_no_named_topic(found: Found) -> bool:
    """Whether the topic is a pronoun for a thing without a noun; not of `it was like hitting a sack`."""
    return _is_unnamed(found) and not _happens(found)


def _is_unnamed(found: Found) -> bool:
    topic = found.topic
    return topic is not None and topic.start == topic.end and found.sentence.words[topic.start] in UNNAMED


def _happens(found: Found) -> bool:
    """`hitting a sack`, `a man kicking a door`."""
    vehicle, words = found.vehicle, found.sentence.words
    done = found.sentence.tags.find("G", vehicle.start, vehicle.end)
    is_state = words[vehicle.start] in ("being", "having")
    return done >= 0 and not is_state and not describes_noun(found.sentence, done)


def _is_of_its_kind(found: Found) -> bool:
    """`like any other song`, `like every boy`, `like one of his own`, `like a part of it`."""
    words, vehicle = found.sentence.words, found.vehicle
    if words[vehicle.start] in QUANTIFIED or words[vehicle.end] in POINTING:
        return True
    is_literal = not LITERAL.isdisjoint(words[vehicle.start : min(vehicle.end + 1, vehicle.start + 3)])
    return is_literal or words[_head(found.sentence, vehicle)] in ONE_OF_A_KIND


def _names_a_person(found: Found) -> bool:
    """`like Kate`, `like his brother`; not `like Kate chasing a bus`."""
    sentence, vehicle = found.sentence, found.vehicle
    first = vehicle.start
    while first < vehicle.end and sentence.tags[first] in '"(':
        first += 1
    if sentence.words[first] in lexicon.POSSESSIVES:
        return _is_related(found)
    if "G" in sentence.tags[first : vehicle.end + 1] or sentence.tags[first] == "D":
        return False
    return _has_capital(sentence, _head(sentence, vehicle)) and _has_capital(sentence, first)


def _is_related(found: Found) -> bool:
    """`as tall as his brother`."""
    words, vehicle = found.sentence.words, found.vehicle
    named = words[vehicle.start : _head(found.sentence, vehicle) + 1]
    return named[0] in lexicon.POSSESSIVES and not PERSONS.isdisjoint(named)


def _compares_a_situation(found: Found) -> bool:
    """`it was like riding a horse`: an activity as the vehicle of a topic that is not an activity."""
    tags, vehicle, topic = found.sentence.tags, found.vehicle, found.topic
    if tags[vehicle.start] != "G" or tags[vehicle.end] == "G":
        return False
    if describes_noun(found.sentence, vehicle.start) or _is_unnamed(found):
        return False
    return topic is None or not (_is_activity(found.sentence, topic) or _is_general(found.sentence, topic))


def _is_general(sentence: Sentence, phrase: Phrase) -> bool:
    """`life`, `marriage`: a noun alone, which means what people do."""
    opens = phrase.start == 0 or sentence.tags[phrase.start - 1] in '."S,'
    return opens and sentence.tags[phrase.start : phrase.end + 1] == "N"


def _repeats_the_topic(found: Found) -> bool:
    """`a film like this film`."""
    words, topic = found.sentence.words, found.topic
    return topic is not None and _singular(words[topic.end]) == _singular(words[found.vehicle.end])


def _head(sentence: Sentence, phrase: Phrase) -> int:
    head = phrase.start
    while head < phrase.end and sentence.tags[head + 1] not in "OIGR,":
        head += 1
    return head - (sentence.tags[head] == "Z")


def _has_capital(sentence: Sentence, position: int) -> bool:
    return sentence.text[sentence.spans[position][0]].isupper()


def _is_activity(sentence: Sentence, phrase: Phrase) -> bool:
    tags = sentence.tags[phrase.start : phrase.end + 1]
    return "G" in tags or tags[0] == "T" or sentence.words[phrase.end].endswith("ing")


def _singular(noun: str) -> str:
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _gives_examples(found: Found) -> bool:
    """`things like apples`, `owing to causes like wear`, but `eyes like stars`."""
    sentence, position = found.sentence, found.comparator.start
    before = sentence.words[max(0, position - 2) : position]
    if before[-1:] in (["something"], ["anything"], ["nothing"]) or before[:1] == ["no"]:
        return True
    if sentence.tags[position - 1 : position] != "N" or sentence.words[found.vehicle.start] in ("a", "an"):
        return False
    noun = sentence.words[position - 1]
    if noun in GENERAL:
        return True
    phrase = phrase_ending_at(sentence, position - 1)
    if phrase is None or phrase.start == 0 or not noun.endswith("s") or sentence.tags[phrase.start] == "D":
        return False
    return sentence.tags[phrase.start - 1] in "IOT" and sentence.words[phrase.start - 1] != "with"


def _works_as(found: Found) -> bool:
    """`the valve acts like a switch`: what a thing is for, not how a person behaves."""
    sentence, event, topic = found.sentence, found.clause.event, found.topic
    if event is None or topic is None or sentence.words[event] not in BEHAVING:
        return False
    is_person = sentence.tags[topic.start] == "P" or sentence.words[topic.end] in PERSONS
    return not is_person and not _has_capital(sentence, topic.end)


def _shows_a_picture(found: Found) -> bool:
    """`made to look like marble`: how a thing is meant to appear, not what it is like."""
    words, event = found.sentence.words, found.clause.event
    if event is None or words[event] not in SHOWN:
        return False
    before = words[max(0, event - 3) : event]
    return not MADE.isdisjoint(before) and ("to" in before or "it" in before)


def _is_of_both_kinds(found: Found) -> bool:
    """`a hare is faster than a rabbit`: both are kinds of things, so that they are measured."""
    words, topic = found.sentence.words, found.topic
    if topic is None:
        return False
    first, tags = words[topic.start], found.sentence.tags
    if first in ("nothing", "nobody", "none", "few") or words[topic.end] in GENERAL:
        return True
    if words[found.vehicle.start] in ("a", "an"):
        return first in ("a", "an")
    return tags[topic.start] == "N" and not _has_capital(found.sentence, topic.start)


Doubt = tuple[str, Callable[[Found], bool]]
SAME_THING: tuple[Doubt, ...] = (
    (reasons.NAME, _names_a_person),
    (reasons.SAME_KIND, _repeats_the_topic),
)
OF_AS: tuple[Doubt, ...] = (
    (reasons.NAME, _is_related),
    (reasons.SAME_KIND, _repeats_the_topic),
)
OF_LIKE: tuple[Doubt, ...] = (
    (reasons.FORECAST, _is_forecast),
    (reasons.APPEARANCE, _shows_a_picture),
    (reasons.NO_TOPIC, _has_no_named_topic),
    (reasons.SAME_KIND, _is_of_its_kind),
    (reasons.NAME, _names_a_person),
    (reasons.SITUATION, _compares_a_situation),
    (reasons.LITERAL, _works_as),
    (reasons.SAME_KIND, _repeats_the_topic),
    (reasons.EXAMPLES, _gives_examples),
)
DOUBTS: dict[Kind, tuple[Doubt, ...]] = {
    "as_if": ((reasons.CLAUSE, _is_conjecture),),
    "like": OF_LIKE,
    "as_as": OF_AS,
    "as": OF_AS,
    "resembles": ((reasons.SAME_KIND, _is_of_its_kind), *SAME_THING),
    "than": ((reasons.LITERAL, _is_of_both_kinds), *SAME_THING),
}
