"""Whether what may compare is a simile; where it is none, the reason."""

from __future__ import annotations

from scoring.hauser import reasons
from scoring.hauser.english import lexicon
from scoring.hauser.english.lexicon import TIME_NOUNS
from scoring.hauser.english.comparators import Comparator
from scoring.hauser.english.phrases import Phrase, phrase_ending_at, phrase_starting_at
from scoring.hauser.english.pronouns import PERSONS
from scoring.hauser.english.tagging import Sentence
from scoring.hauser.english.topics import SAYING, Said, verb_before
from scoring.hauser.word_list import word_list

# Between "as" and "as", words that make a conjunction or a measure of it.
MEASURES = word_list("""
    soon well far much many few little recently often possible same such opposed regards compared more least
""")
POINTERS = word_list("""
    something anything nothing everything someone anyone everyone somebody anybody everybody none
    other others another what which who much all both each
""")
# Behind these a vehicle is asked for, not named: "what it was like to be there".
ASKING = word_list("what how whatever")
APPEARING_FORMS = word_list("look looks looked looking sound sounds sounded seem seems seemed feel feels felt")
UNNAMED = word_list("it this that these those which what itself")
# A thing with these is one of its kind, not an image of something else.
LITERAL = word_list("ordinary normal regular typical other another any usual similar")
# Nouns that judge or belong to what they are said of; behind "like" they make no image.
ONE_OF_A_KIND = word_list("""
    part version versions member members work works score product following instance example sequel continuation
    fit time way place thing things idea choice option start chance moment deal compromise reason case track
    opposite result consequence alternative variant reminder
""")
TREATING = word_list("treat treats treated treating use uses used using handle handled see sees saw")
GENERAL = word_list("""
    things stuff people places something someone anything topics issues subjects areas factors words terms names
    companies bands artists actors authors writers animals activities features services products foods games films
    movies books songs groups countries cities states sites methods techniques tools problems diseases events
""")
WEATHER = word_list("rain snow trouble fun war summer winter spring bedtime hail storm storms death")


def why_not(sentence: Sentence, comparator: Comparator) -> str:
    """Why the words around a comparator are no simile, before its parts are looked for.

    Parameters
    ----------
    sentence : Sentence
    comparator : Comparator

    Returns
    -------
    str
        A code of `reasons`; empty where nothing speaks against it.
    """
    if comparator.kind == "as_as":
        return _why_not_as_as(sentence, comparator)
    if comparator.kind == "like":
        return _why_not_like(sentence, comparator.start)
    return ""


def _why_not_as_as(sentence: Sentence, comparator: Comparator) -> str:
    between = sentence.words[comparator.start + 1 : comparator.end]
    if MEASURES.intersection(between[:1]) or MEASURES.intersection(between[-1:]) or between[0][0].isdigit():
        return reasons.FIXED
    behind = comparator.end + 1
    if sentence.tags[behind : behind + 1] == "P":
        return reasons.POINTER
    if _is_measure(sentence, behind):
        return reasons.FIXED
    if _is_clause(sentence, behind) and not _belongs_to_noun(sentence, comparator.start - 1):
        return reasons.CLAUSE
    return ""


def _is_measure(sentence: Sentence, behind: int) -> bool:
    """`as long as three years`, `as early as the last century`, but not `as alike as two peas`."""
    words = sentence.words[behind : behind + 3]
    numbered = sentence.tags[behind : behind + 1] == "#"
    return numbered and (len(words) < 2 or words[0][0].isdigit() or not TIME_NOUNS.isdisjoint(words[1:]))


def _why_not_like(sentence: Sentence, place: int) -> str:
    tags, words = sentence.tags, sentence.words
    before = place - 1
    while before >= 0 and tags[before] == "Y":
        before -= 1
    behind = place + 1
    if behind >= len(tags) or tags[behind] in ".:)":
        return reasons.NO_VEHICLE
    if before >= 0 and _is_verb(sentence, before, place):
        return reasons.VERB
    if tags[behind] in "TWSCR,A":
        return reasons.QUESTION if _asks(sentence, place) else reasons.VERB if tags[behind] == "T" else reasons.NO_VEHICLE
    if _is_clause(sentence, behind) and not _belongs_to_noun(sentence, before):
        return reasons.CLAUSE
    is_one_of = words[behind] == "one" and tags[behind + 1 : behind + 2] == "O"
    if (tags[behind] == "P" and not is_one_of) or words[behind] in POINTERS:
        return reasons.POINTER
    if before >= 0 and words[before] in ("feel", "feels", "felt", "feeling") and tags[behind] == "G":
        return reasons.INCLINATION
    if _asks(sentence, place):
        return reasons.QUESTION
    return ""


def _is_verb(sentence: Sentence, before: int, place: int) -> bool:
    """`I like him`, `would like to`, `they don't like it`."""
    tag, word = sentence.tags[before], sentence.words[before]
    if tag == "P":
        is_object = before > 0 and sentence.tags[before - 1] in "VEGI" and sentence.words[before - 1] not in SAYING
        return word in ("i", "you", "we", "they") and not (word == "you" and is_object)
    return tag == "T" or (tag == "A" and word not in ("have", "has", "had", "having"))


def _is_clause(sentence: Sentence, start: int) -> bool:
    """A subject with its verb: `like the world had ended`."""
    subject = phrase_starting_at(sentence, start)
    if subject is None:
        return False
    verb = subject.end + 1
    while verb < len(sentence.tags) and sentence.tags[verb] in "YO":
        if sentence.tags[verb] == "O":
            further = phrase_starting_at(sentence, verb + 1)
            if further is None:
                return False
            verb = further.end
        verb += 1
    return verb < len(sentence.tags) and sentence.tags[verb] in "BAV" and sentence.words[verb] != "being"


def _belongs_to_noun(sentence: Sentence, verb: int) -> bool:
    """`the voice that rolls like thunder is …`, `eyes like stars were …`: the verb behind is that of the noun."""
    place = verb
    if place >= 0 and sentence.tags[place] in "NP" and verb_before(sentence, place) is None:
        return True
    while place >= 0 and sentence.tags[place] in "VEYAB":
        place -= 1
    if place >= 0 and sentence.tags[place] == "T":
        return place == 0 or sentence.tags[place - 1] in '.:",'
    return 0 <= place < verb and sentence.tags[place] == "R"


def _asks(sentence: Sentence, place: int) -> bool:
    """`what it is like in winter`: an asking word with no noun but its subject before `like`."""
    asking = any(word in ASKING for word in sentence.words[max(0, place - 5) : place])
    return asking and (sentence.tags[place - 1] == "B" or sentence.words[place - 1] in APPEARING_FORMS)


def why_not_pair(sentence: Sentence, comparator: Comparator, topic: Phrase | None, said: Said, vehicle: Phrase) -> str:
    """Why a topic and a vehicle that were found are no simile.

    Parameters
    ----------
    sentence : Sentence
    comparator : Comparator
    topic : Phrase or None
        With its pronoun resolved.
    said : Said
        Topic and event as they stand.
    vehicle : Phrase

    Returns
    -------
    str
        A code of `reasons`; empty where nothing speaks against it.
    """
    if comparator.kind != "like":
        return ""
    words, tags = sentence.words, sentence.tags
    inside = words[vehicle.start : vehicle.end + 1]
    if said.topic is not None and words[said.topic.start] == "it" and inside[0] in WEATHER:
        return reasons.FORECAST
    if topic is not None and topic.start == topic.end and words[topic.start] in UNNAMED:
        return reasons.NO_TOPIC
    if LITERAL.intersection(inside[:3]) or words[_head(sentence, vehicle)] in ONE_OF_A_KIND:
        return reasons.SAME_KIND
    if _names_somebody(sentence, vehicle):
        return reasons.NAME
    if tags[vehicle.start] == "G" and tags[vehicle.end] != "G" and not (topic is not None and _is_activity(sentence, topic)):
        return reasons.SITUATION
    if topic is not None and _singular(words[topic.end]) == _singular(words[vehicle.end]):
        return reasons.SAME_KIND
    if _gives_examples(sentence, comparator.start, said, vehicle):
        return reasons.EXAMPLES
    return ""


def _names_somebody(sentence: Sentence, vehicle: Phrase) -> bool:
    first = vehicle.start
    while first < vehicle.end and sentence.tags[first] in '"(':
        first += 1
    if sentence.words[first] in lexicon.POSSESSIVES:
        return sentence.words[vehicle.end] in PERSONS
    head = _head(sentence, vehicle)
    if "G" in sentence.tags[first : vehicle.end + 1]:
        return False
    return sentence.tags[first] != "D" and _has_capital(sentence, head) and _has_capital(sentence, first)


def _head(sentence: Sentence, phrase: Phrase) -> int:
    head = phrase.start
    while head < phrase.end and sentence.tags[head + 1] not in "OIGR":
        head += 1
    return head


def _has_capital(sentence: Sentence, place: int) -> bool:
    return sentence.text[sentence.spans[place][0]].isupper()


def _is_activity(sentence: Sentence, phrase: Phrase) -> bool:
    return "G" in sentence.tags[phrase.start : phrase.end + 1] or sentence.words[phrase.end].endswith("ing")


def _singular(noun: str) -> str:
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _gives_examples(sentence: Sentence, place: int, said: Said, vehicle: Phrase) -> bool:
    """`things like apples`, `owing to causes like wear`, but `eyes like stars`."""
    if sentence.tags[place - 1 : place] != "N" or sentence.words[vehicle.start] in ("a", "an"):
        return False
    if said.event is not None and sentence.words[said.event] in TREATING:
        return False
    noun = sentence.words[place - 1]
    if noun in GENERAL:
        return True
    phrase = phrase_ending_at(sentence, place - 1)
    if phrase is None or phrase.start == 0 or not noun.endswith("s") or sentence.tags[phrase.start] == "D":
        return False
    return sentence.tags[phrase.start - 1] in "IOT" and sentence.words[phrase.start - 1] != "with"
