"""The noun to which an `it` refers. Pronouns for persons are not resolved, as in the published components."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar.lexicon import TIME_NOUNS
from scoring.hauser.english.grammar.phrases import REACH, Phrase, phrase_ending_at, with_what_it_is_of
from scoring.hauser.english.grammar.tagging import Sentence

RESOLVED = word_list("it itself this that which they them these those")
PLURAL = word_list("they them these those")
PERSONS = word_list("""
    man men woman women boy boys girl girls child children kid kids baby babies mother father mom mum dad
    mummy daddy sister sisters brother brothers son sons daughter daughters wife husband uncle aunt cousin
    cousins grandmother grandfather grandma grandpa granny grandparents parents parent friend friends
    teacher teachers student students pupil pupils doctor nurse king queen prince princess lady gentleman
    sir madam people person persons crowd team family soldier soldiers player players singer actor actress
    writer author artist critic officer driver thief judge dancer farmer neighbour neighbor neighbours
    neighbors boss captain guest guests audience everyone everybody someone somebody nobody anyone guy
    guys twins lawyer priest monk worker workers villagers villager headman leader hero heroine knight
    warrior warriors colleague colleagues fans critics reviewers scientists troops americans romans
    follower followers servant servants slave slaves
    relatives relative rulers ruler counterpart counterparts predecessor predecessors namesake ancestor
    ancestors descendants rivals rival
""")
# Nouns of time and of linking phrases ("at present"), to which no pronoun refers.
SETTING = TIME_NOUNS | word_list(
    "present case fact first last least course addition example instance turn front way reality truth general"
)


@dataclass(frozen=True)
class _Candidate:
    phrase: Phrase
    is_subject: bool
    is_governed: bool


def resolve(sentence: Sentence, topic: Phrase | None, before: int) -> Phrase | None:
    """The noun phrase to which a topic refers.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    topic : Phrase or None
        A topic as it is written; None where its clause has no subject.
    before : int
        The antecedent is before this token.

    Returns
    -------
    Phrase or None
        The topic itself where it is no pronoun of a thing, or where nothing before it fits.
    """
    if topic is not None and (topic.start != topic.end or sentence.words[topic.start] not in RESOLVED):
        return topic
    word = "it" if topic is None else sentence.words[topic.start]
    wants_plural = word in PLURAL
    fitting = [
        candidate
        for candidate in _candidates(sentence, topic.start if topic else before)
        if _is_plural(sentence, candidate.phrase) == wants_plural
    ]
    if wants_plural:
        fitting = [candidate for candidate in fitting if not candidate.is_governed]
    return _best(fitting) or topic


def _best(candidates: list[_Candidate]) -> Phrase | None:
    """The last thing that was a subject; else the last object; else the last thing named."""
    subjects = [candidate for candidate in candidates if candidate.is_subject]
    free = [candidate for candidate in candidates if not candidate.is_governed]
    best = subjects or free or candidates
    return best[-1].phrase if best else None


def _candidates(sentence: Sentence, before: int) -> list[_Candidate]:
    tags = sentence.tags
    found = []
    for position in range(max(0, before - REACH), before):
        ends = tags[position] == "N" and (position + 1 == before or tags[position + 1] not in "NZ")
        phrase = phrase_ending_at(sentence, position) if ends else None
        if phrase and _may_be_meant(sentence, phrase):
            found.append(_candidate(sentence, phrase, before))
    return found


def _may_be_meant(sentence: Sentence, phrase: Phrase) -> bool:
    if sentence.words[phrase.end] in SETTING:
        return False
    return not _is_person(sentence, phrase) and not _is_predicate(sentence, phrase)


def _candidate(sentence: Sentence, phrase: Phrase, before: int) -> _Candidate:
    tags = sentence.tags
    ahead = phrase.end + 1
    while ahead < before and tags[ahead] == "Y":
        ahead += 1
    verb_follows = ahead < before and tags[ahead] in "BVAE"
    governor = tags[phrase.start - 1] if phrase.start else "."
    if governor == "O":
        return _Candidate(with_what_it_is_of(sentence, phrase), False, False)
    governed = governor in ("I", "T")
    return _Candidate(phrase, verb_follows and not governed, governed)


def _is_person(sentence: Sentence, phrase: Phrase) -> bool:
    words = sentence.words[phrase.start : phrase.end + 1]
    if words[-1] in PERSONS or words[0] in ("mr", "mrs", "ms", "dr"):
        return True
    return is_name(sentence, phrase) or sentence.tags[phrase.start] not in "DN#"


def is_name(sentence: Sentence, phrase: Phrase) -> bool:
    """Whether a phrase ends with a capitalised word and has no determiner."""
    start = sentence.spans[phrase.end][0]
    return sentence.text[start].isupper() and sentence.tags[phrase.start] != "D"


def _is_predicate(sentence: Sentence, phrase: Phrase) -> bool:
    """`is easy`: words without a determiner after a form of `be`, most often adjectives."""
    before = phrase.start - 1
    while before >= 0 and sentence.tags[before] == "Y":
        before -= 1
    return sentence.tags[phrase.start] != "D" and before >= 0 and sentence.tags[before] in "BK"


def _is_plural(sentence: Sentence, phrase: Phrase) -> bool:
    head = sentence.words[phrase.end]
    if sentence.words[phrase.start] in ("this", "that", "a", "an", "each", "every"):
        return False
    return (head.endswith("s") and not head.endswith(("ss", "us", "is"))) or head in (
        "people",
        "children",
        "men",
    )
