"""The topic and its verb, from the comparator to the left."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar.lexicon import INDEFINITE, RELATIVES
from scoring.hauser.english.grammar.phrases import (
    REACH,
    Phrase,
    phrase_ending_at,
    phrase_starting_at,
    whole_phrase_ending_at,
    with_what_it_is_of,
)
from scoring.hauser.english.grammar.tagging import Sentence
from scoring.hauser.english.grammar.token_steps import opens_clause, past, verb_before
from scoring.hauser.english.grammar.verbs import THIRD_PERSONS
from scoring.hauser.english.reading.reporting import before_reporting
from scoring.hauser.english.reading.subjects import subject_of

# Verbs whose object is the topic: "she had a voice like thunder", "it made him pale as …".
WITH_OBJECT = word_list("""
    have has had having got gotten with make makes made making keep keeps kept keeping find finds found
    leave left leaves render rendered turn see saw seen wear wears wore consider considered treat treats
    treated
""")
# Verbs before an adjective that is the property: "her cheeks turned red like …".
DESCRIBING = word_list("""
    look looks looked looking seem seems seemed sound sounds sounded feel feels felt feeling taste tastes
    tasted smell smells smelled smelt appear appears appeared become becomes became becoming remain
    remains remained stay stays stayed turn turns turned turning grow grows grew growing get gets got
    getting go goes went
""")


@dataclass(frozen=True)
class TopicClause:
    """The clause that a comparison describes: its topic, the verb of its event and a property, as tokens."""

    topic: Phrase | None
    event: int | None
    property: Phrase | None = None


def topic_clause_before(sentence: Sentence, comparator: int) -> TopicClause:
    """The topic, event and property of the words before a comparator, given by its first token.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    comparator : int
        Its first token.

    Returns
    -------
    TopicClause
        Empty where the comparator opens its clause.
    """
    position = past(sentence, comparator - 1, 'Y,"')
    if not set(sentence.tags[position + 1 : comparator]).isdisjoint(',"'):
        end, position = position, before_reporting(sentence, position)
        if position < end and sentence.words[position] in THIRD_PERSONS:
            return TopicClause(subject_of(sentence, position), position)
    if opens_clause(sentence, position):
        return TopicClause(None, None)
    verb = verb_before(sentence, position)
    if verb is None:
        topic = whole_phrase_ending_at(sentence, position)
        return TopicClause(None if topic and _is_fronted(sentence, topic) else topic, None)
    if verb == position:
        return TopicClause(subject_of(sentence, verb), verb)
    clause = _with_complement(sentence, verb, position)
    if clause.topic is None and sentence.tags[verb] in "BA":
        return TopicClause(phrase_starting_at(sentence, verb + 1), verb)
    return clause


def topic_clause_after(sentence: Sentence, vehicle: Phrase) -> TopicClause:
    """The topic and event of a comparison that opens its clause: `like lightning, he pounced`.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    vehicle : Phrase
        What it is compared with.

    Returns
    -------
    TopicClause
        Empty where no subject with its verb follows.
    """
    tags = sentence.tags
    position = vehicle.end + 1
    while position < len(tags) and position - vehicle.end < REACH and tags[position] not in ".:":
        if tags[position] in ",YIOTKL":
            position += 1
            continue
        if position == vehicle.end + 1 and sentence.words[position] in RELATIVES:
            position = max(position + 1, tags.find(",", position))
            continue
        if tags[position] in "VE" and tags[position - 1] == ",":
            return TopicClause(phrase_starting_at(sentence, position + 1), position)
        subject = phrase_starting_at(sentence, position)
        if subject is None:
            return TopicClause(None, None)
        verb = subject.end + 1
        while verb < len(tags) and tags[verb] in "YA":
            verb += 1
        if verb < len(tags) and tags[verb] in "BVE":
            return TopicClause(subject, verb)
        is_next = position == vehicle.end + 2 and tags[vehicle.end + 1] == ","
        if is_next and tags[subject.end + 1 : subject.end + 2] != "K":
            return TopicClause(subject, None)
        position = subject.end + 1
    return TopicClause(None, None)


def _is_fronted(sentence: Sentence, phrase: Phrase) -> bool:
    """`down the stairs, like …`: a circumstance in front of its clause."""
    before = phrase.start - 1
    is_place = before >= 0 and sentence.tags[before] == "I" and sentence.words[before] != "with"
    return is_place and opens_clause(sentence, before - 1)


def _with_complement(sentence: Sentence, verb: int, position: int) -> TopicClause:
    """`pale` of `turned pale like`, `a voice` of `had a voice like`, `the ball` of `hit the ball like`."""
    phrase = phrase_ending_at(sentence, position)
    if phrase is None:
        return TopicClause(subject_of(sentence, verb), verb)
    topic = _object_as_topic(sentence, verb, phrase) or _what_there_is(sentence, verb, phrase)
    if topic is not None:
        return TopicClause(topic, verb)
    inside = sentence.tags[verb + 1 : position + 1].strip('Y,"')
    is_adjective = inside != "" and not set(inside) & set("DPI")
    describes = sentence.tags[verb] == "B" or sentence.words[verb] in DESCRIBING
    return TopicClause(subject_of(sentence, verb), verb, phrase if is_adjective and describes else None)


def _what_there_is(sentence: Sentence, verb: int, phrase: Phrase) -> Phrase | None:
    """`a sound` of `there was a sound like`."""
    is_there = verb > 0 and sentence.words[verb - 1] == "there" and sentence.tags[verb] == "B"
    whole = phrase_starting_at(sentence, verb + 1) or with_what_it_is_of(sentence, phrase)
    return whole if is_there else None


def _object_as_topic(sentence: Sentence, verb: int, phrase: Phrase) -> Phrase | None:
    """The object of a verb such as `have` or `make`, or the noun after `with`."""
    is_passive = sentence.tags[verb] == "E" and verb > 0 and sentence.tags[verb - 1] == "B"
    if sentence.words[verb] in WITH_OBJECT and not is_passive:
        whole = with_what_it_is_of(sentence, phrase)
        is_reflexive = sentence.words[phrase.end].endswith(("self", "selves"))
        is_second = sentence.words[whole.start] in INDEFINITE and sentence.words[whole.start - 1] == "and"
        if (is_second or past(sentence, whole.start - 1, "Y") == verb) and not is_reflexive:
            return whole
    has_with = phrase.start > 0 and sentence.words[phrase.start - 1] == "with"
    return phrase if has_with else None
