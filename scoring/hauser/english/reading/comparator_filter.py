"""Whether the words around a comparator compare at all; where they do not, the reason."""

from __future__ import annotations

from collections.abc import Callable

from scoring.hauser.base import reasons
from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar.comparators import Comparator, Kind
from scoring.hauser.english.grammar.lexicon import INDEFINITE, SUBJECT_PRONOUNS, TIME_NOUNS
from scoring.hauser.english.grammar.phrases import phrase_starting_at
from scoring.hauser.english.grammar.tagging import Sentence
from scoring.hauser.english.grammar.token_steps import past, verb_before
from scoring.hauser.english.reading.subjects import CLAUSE_TAKING

# Between "as" and "as", words that make a conjunction or a measure of it.
MEASURES = word_list("""
    soon well far much many few little recently often possible same such opposed regards compared more
    least
""")
POINTERS = word_list("""
    something anything nothing everything someone anyone everyone somebody anybody everybody none other
    others another what which who much all both each
""")
MEASURING = TIME_NOUNS | word_list("""
    mile miles metre metres meter meters foot feet inch inches pound pounds kilogram kilograms ton tons
    dollar dollars cent cents percent quarter third half dozen hundred thousand million billion few couple
    decade decades fortnight handful lot little bit number single
""")
# Bare words after "than" and "as" that name a standard.
NOTHING_COMPARED = word_list(
    "usual expected average normal ever before planned necessary required needed most possible"
)
# After these words a sentence asks for a vehicle and does not name one: "what it was like to be there".
ASKING = word_list("what how whatever")
APPEARING_FORMS = word_list(
    "look looks looked looking sound sounds sounded seem seems seemed feel feels felt"
)
THINKING = word_list("think thinks thought say says said know knows knew")
LOOKING = word_list("look looks looked")
FEELING = word_list("feel feels felt feeling")


def why_not(sentence: Sentence, comparator: Comparator) -> str:
    """Why the words around a comparator are no simile, before its parts are searched for.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    comparator : Comparator
        Where it compares.

    Returns
    -------
    str
        A code of `reasons`; empty where there is no objection.
    """
    rule = RULES.get(comparator.kind)
    return rule(sentence, comparator) if rule else ""


def _why_not_like(sentence: Sentence, comparator: Comparator) -> str:
    if comparator.start != comparator.end:
        return _only_points(sentence, comparator)
    return _not_compared(sentence, comparator.start) or _nothing_named(sentence, comparator.start)


def _why_not_as_as(sentence: Sentence, comparator: Comparator) -> str:
    between = sentence.words[comparator.start + 1 : comparator.end]
    behind = comparator.end + 1
    measures = MEASURES.intersection((between[0], between[-1])) or between[0][0].isdigit()
    if measures or _is_measure(sentence, behind):
        return reasons.FIXED
    is_standard = not NOTHING_COMPARED.isdisjoint(sentence.words[behind : behind + 1])
    if sentence.tags[behind : behind + 1] == "P" or is_standard:
        return reasons.POINTER
    if _is_clause(sentence, behind) and not _belongs_to_noun(sentence, comparator.start - 1):
        return reasons.CLAUSE
    return ""


def _only_points(sentence: Sentence, comparator: Comparator) -> str:
    """`rich as he is`, `similar to those`."""
    behind = comparator.end + 1
    if sentence.tags[behind : behind + 1] == "P" or sentence.words[behind : behind + 1] in (
        ["those"],
        ["that"],
    ):
        return reasons.POINTER
    return reasons.CLAUSE if comparator.kind == "as" and _is_clause(sentence, behind) else ""


def _why_not_than(sentence: Sentence, comparator: Comparator) -> str:
    """Only an indefinite noun, or a bare one that ends its clause, is an image: `sharper than a razor`."""
    behind = comparator.end + 1
    vehicle = phrase_starting_at(sentence, behind)
    if sentence.words[comparator.start - 1 : comparator.start] in (["nothing"], ["anything"]):
        return reasons.LITERAL
    if vehicle is None or not MEASURING.isdisjoint(sentence.words[vehicle.start : vehicle.end + 1]):
        return reasons.LITERAL
    if _is_clause(sentence, behind):
        return reasons.CLAUSE
    words, tags = sentence.words, sentence.tags
    if words[behind] in ("a", "an"):
        return ""
    is_bare = tags[behind : vehicle.end + 1] == "N" and tags[vehicle.end + 1 : vehicle.end + 2] in (
        "",
        *'.,:"SC',
    )
    is_kind = (
        is_bare and sentence.text[sentence.spans[behind][0]].islower() and not words[behind].endswith("s")
    )
    return "" if is_kind and words[behind] not in NOTHING_COMPARED else reasons.LITERAL


def _is_measure(sentence: Sentence, behind: int) -> bool:
    """`as long as three years`, `as early as the last century`, but not `as alike as two peas`."""
    words = sentence.words[behind : behind + 3]
    numbered = sentence.tags[behind : behind + 1] == "#"
    is_alone = sentence.tags[behind + 1 : behind + 2] not in ("N", "E", "G")
    return numbered and (is_alone or words[0][0].isdigit() or not TIME_NOUNS.isdisjoint(words[1:]))


def _not_compared(sentence: Sentence, position: int) -> str:
    """Why a `like` is a verb, asks, or has no noun after it."""
    tags = sentence.tags
    before, behind = past(sentence, position - 1, "Y"), position + 1
    if behind >= len(tags) or tags[behind] in ".:)":
        return reasons.NO_VEHICLE
    if before >= 0 and _is_verb(sentence, before):
        return reasons.VERB
    if tags[behind] == "T":
        return reasons.QUESTION if _asks(sentence, position) else reasons.VERB
    if tags[behind] in "WSCR,A":
        return reasons.QUESTION if _asks(sentence, position) else reasons.NO_VEHICLE
    return ""


def _nothing_named(sentence: Sentence, position: int) -> str:
    """Why the words after a `like` name nothing that could be compared."""
    tags, words = sentence.tags, sentence.words
    before, behind = past(sentence, position - 1, "Y"), position + 1
    if compares_manner(sentence, position):
        return ""
    if _is_clause(sentence, behind) and not _belongs_to_noun(sentence, past(sentence, before, ",")):
        return reasons.CLAUSE
    is_one_of = words[behind] == "one" and tags[behind + 1 : behind + 2] == "O"
    is_one_of = is_one_of or _is_that_of(sentence, behind)
    is_now = words[behind] == "this" and not TIME_NOUNS.isdisjoint(words[behind + 1 : behind + 4])
    if is_now or (tags[behind] == "P" and not is_one_of) or words[behind] in POINTERS:
        return reasons.POINTER
    if before >= 0 and words[before] in FEELING | LOOKING and tags[behind] == "G":
        return reasons.INCLINATION
    return reasons.QUESTION if _asks(sentence, position) else ""


def compares_manner(sentence: Sentence, position: int) -> bool:
    """Whether a `like` compares what is done with a clause of its own verb: `he drives like he talks`.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        The `like`.
    """
    tags, words = sentence.tags, sentence.words
    verb = position + 2
    has_clause = tags[position + 1 : verb] == "P" and tags[verb : verb + 1] in ("V", "E")
    if not has_clause or words[position + 1] not in SUBJECT_PRONOUNS:
        return False
    done = verb_before(sentence, position - 1)
    return done is not None and tags[done] in "VE" and words[done] not in APPEARING_FORMS | THINKING


def _is_verb(sentence: Sentence, before: int) -> bool:
    """`I like him`, `would like to`, `they don't like it`, but `hit you like a punch`."""
    tag, word = sentence.tags[before], sentence.words[before]
    if tag == "P":
        governor = before - 1
        is_object = (
            governor >= 0
            and sentence.tags[governor] in "VEGI"
            and sentence.words[governor] not in CLAUSE_TAKING
        )
        return word in ("i", "we", "they") or (word == "you" and not is_object)
    return tag == "T" or (tag == "A" and word not in ("have", "has", "had"))


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
    """`the voice that rolls like thunder is …`, `eyes like stars were …`: the noun's own verb follows."""
    position = verb
    if position >= 0 and sentence.tags[position] in "NP" and verb_before(sentence, position) is None:
        return True
    while position >= 0 and sentence.tags[position] in "VEYAB":
        position -= 1
    if position >= 0 and sentence.tags[position] == "T":
        return position == 0 or sentence.tags[position - 1] in '.:",'
    return 0 <= position < verb and sentence.tags[position] == "R"


def _is_that_of(sentence: Sentence, position: int) -> bool:
    """`like that of a child`, but not `like that of the others`."""
    words = sentence.words[position : position + 3]
    return words[:2] in (["that", "of"], ["those", "of"]) and not INDEFINITE.isdisjoint(words)


def _asks(sentence: Sentence, position: int) -> bool:
    """`what it is like in winter`: an asking word with no noun but its subject before `like`."""
    asking = any(word in ASKING for word in sentence.words[max(0, position - 5) : position])
    return asking and (sentence.tags[position - 1] == "B" or sentence.words[position - 1] in APPEARING_FORMS)


Rule = Callable[[Sentence, Comparator], str]
RULES: dict[Kind, Rule] = {
    "like": _why_not_like,
    "as_as": _why_not_as_as,
    "as": _only_points,
    "resembles": _only_points,
    "than": _why_not_than,
}
