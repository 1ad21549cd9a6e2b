"""The part of speech of an ambiguous word, by its neighbours: "the look", "they look"."""

from __future__ import annotations

from collections.abc import Callable

from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar import lexicon, verbs
from scoring.hauser.english.grammar.adjectives import GRADED
from scoring.hauser.english.grammar.tags import (
    ADVERB,
    AS,
    AUXILIARY,
    BE,
    COMMA,
    DETERMINER,
    GERUND,
    LIKE,
    NOUN,
    NUMBER,
    PARTICIPLE,
    POSSESSIVE_END,
    PREPOSITION,
    PRONOUN,
    RELATIVE,
    STOP,
    SUBORDINATOR,
    TO,
    VERB,
)

ABBREVIATIONS = word_list("mr mrs ms dr st prof vs no vol jr sr lt col")
APPEARS = word_list("looks seems sounds feels tastes smells appears becomes turns grows")
FORMS = verbs.THIRD_PERSONS | verbs.PASTS
NEVER_ALONE = lexicon.ARTICLES | lexicon.POSSESSIVES
BEFORE_A_NOUN = frozenset("DZI#OK")
BEFORE_A_VERB = frozenset("PRTAYCS")
AFTER_A_VERB = frozenset("LKDIPTY#W")
# After these a capital letter says nothing.
OPENS = frozenset('."(:')

# A rule is given the words, the tags so far (final to the left, first guesses to the right) and the place.
Rule = Callable[[list[str], list[str], int], str]


def disambiguate_tag(words: list[str], tags: list[str], position: int, *, is_capital: bool) -> str:
    """The tag of a token by its neighbours.

    Parameters
    ----------
    words, tags : list of str, same length
        The tokens in lower case; their tags, final on the left of `position`.
    position : int
        The token.
    is_capital : bool
        Whether it begins with a capital letter.

    Returns
    -------
    str
        One letter of `tags`.
    """
    tag = tags[position]
    if is_capital and (tag in "VEGYA" or words[position] in lexicon.OBJECT_PRONOUNS):
        name = _as_name(words, tags, position)
        if name:
            return name
    rule = BY_WORD.get(words[position]) or BY_TAG.get(tag)
    return rule(words, tags, position) if rule else tag


def _before(tags: list[str], position: int) -> str:
    return tags[position - 1] if position else STOP


def _after(tags: list[str], position: int) -> str:
    return tags[position + 1] if position + 1 < len(tags) else STOP


def _as_name(words: list[str], tags: list[str], position: int) -> str:
    """Within a sentence a capital makes a name: "Will Hill"; "" where it says nothing."""
    tag, before = tags[position], _before(tags, position)
    if before not in OPENS:
        return NOUN
    if tag == AUXILIARY or _after(tags, position) != BE:
        return ""
    is_name = tag == VERB or (tag == ADVERB and words[position].endswith("ly"))
    return NOUN if is_name else tag


def _stop(words: list[str], tags: list[str], position: int) -> str:
    """The full stop of `Mr. Hill` or `H. R. Hill` is part of the name."""
    word = words[position - 1] if position else ""
    is_short = word in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word not in ("i", "a"))
    if is_short and words[position] == "." and _after(tags, position) == NOUN:
        return NOUN
    return COMMA if word in ABBREVIATIONS else STOP


def _apostrophe_s(_words: list[str], tags: list[str], position: int) -> str:
    after = _after(tags, position)
    if position and tags[position - 1] in "PRWY":
        return BE
    return BE if after in "LKDYIA" else POSSESSIVE_END


def _noun(words: list[str], tags: list[str], position: int) -> str:
    """A word of no list, which may be a verb: `lazily reclines like`, `it scambles over`."""
    before, after = _before(tags, position), _after(tags, position)
    if before == AUXILIARY:
        return VERB if words[position - 1] in lexicon.MODALS else NOUN
    if before == PRONOUN:
        if after == LIKE and words[position].endswith("s"):
            return VERB
        return VERB if words[position - 1] in lexicon.SUBJECT_PRONOUNS and after in "DNPITY" else NOUN
    if after not in (LIKE, AS):
        return NOUN
    if before == ADVERB:
        return VERB if words[position - 1].endswith("ly") and words[position].endswith("s") else NOUN
    follows_verb = before == TO and position > 1 and tags[position - 2] in "VEGNA"
    return VERB if follows_verb and not _is_plural(words[position]) else NOUN


def _auxiliary(_words: list[str], tags: list[str], position: int) -> str:
    return NOUN if _before(tags, position) == DETERMINER else AUXILIARY


def _adverb(words: list[str], tags: list[str], position: int) -> str:
    """`a grizzly`: a noun in -ly, with an article before it and no noun after it."""
    is_noun = words[position].endswith("ly") and position > 0 and words[position - 1] in lexicon.ARTICLES
    return NOUN if is_noun and _after(tags, position) in '.,:")COI' else ADVERB


def _subordinator(words: list[str], _tags: list[str], position: int) -> str:
    """`after him`: no clause begins with an object."""
    governs = words[position + 1 : position + 2] and words[position + 1] in lexicon.OBJECT_PRONOUNS
    return PREPOSITION if governs else SUBORDINATOR


def _preposition(words: list[str], _tags: list[str], position: int) -> str:
    return NOUN if position and words[position - 1] in lexicon.ARTICLES else PREPOSITION


def _is_compared(tags: list[str], position: int) -> bool:
    """Directly after a comparator a word is the vehicle: `as gentle as dove`."""
    return _before(tags, position) in (LIKE, AS) and _after(tags, position) not in "NE"


def _verb(words: list[str], tags: list[str], position: int) -> str:
    before, after = _before(tags, position), _after(tags, position)
    follows_ordinal = before == ADVERB and position > 1 and tags[position - 2] == DETERMINER
    is_had = before == AUXILIARY and words[position] in verbs.THIRD_PERSONS  # "had hands"
    if before in BEFORE_A_NOUN or follows_ordinal or is_had or _is_compared(tags, position):
        return NOUN
    if before in BEFORE_A_VERB:
        return VERB if after != BE else NOUN
    if before in "EG" and position > 1 and tags[position - 2] in "DZ":
        return NOUN
    if position > 1 and words[position - 1] in GRADED and words[position - 2] in lexicon.INDEFINITE:
        return NOUN  # "a happy return to"
    if before == NOUN and not _is_plural(words[position - 1]):
        is_first_of_two = (
            after == "C" and words[position + 2 : position + 3] != [] and words[position + 2] in FORMS
        )
        return VERB if is_first_of_two else _verb_behind_singular(words[position], after)
    return VERB if after in (AFTER_A_VERB if before in 'NZ#"),' else "LKDPIT") else NOUN


def _verb_behind_singular(word: str, after: str) -> str:
    """`the river bends`, but `the river bend`."""
    if word in verbs.BASES and after not in "LKT":
        return NOUN
    return VERB if word in APPEARS or word in verbs.RARELY_NOUNS or after in AFTER_A_VERB else NOUN


def _participle(words: list[str], tags: list[str], position: int) -> str:
    before, after = _before(tags, position), _after(tags, position)
    if _is_compared(tags, position):
        return NOUN
    behind_article = not lexicon.INDEFINITE.isdisjoint(words[max(0, position - 4) : position])
    if words[position] in lexicon.NOUNS_TOO and behind_article:
        return NOUN if before in "NDE" and after not in "DP" else PARTICIPLE
    return NOUN if before in "DZ" and after not in "NG#D" else PARTICIPLE


def _gerund(_words: list[str], tags: list[str], position: int) -> str:
    return NOUN if _before(tags, position) in "DZ" and _after(tags, position) not in "NG#D" else GERUND


def _being(_words: list[str], tags: list[str], position: int) -> str:
    return NOUN if _before(tags, position) in "DN" and _after(tags, position) not in "EG" else BE


def _determiner(words: list[str], tags: list[str], position: int) -> str:
    """A pronoun where no noun follows; what may be a verb after it is most often that noun."""
    word, after = words[position], _after(tags, position)
    if word in NEVER_ALONE or after not in 'BALVITYOK.,"C)SR:':
        return DETERMINER
    if after != VERB:
        return PRONOUN
    fitting = {"these": verbs.BASES, "those": verbs.BASES, "this": verbs.THIRD_PERSONS}.get(word, frozenset())
    return PRONOUN if words[position + 1] in fitting else DETERMINER


def _quantifier(words: list[str], tags: list[str], position: int) -> str:
    """`they all laughed`, `all roads`."""
    return ADVERB if _before(tags, position) == PRONOUN else _determiner(words, tags, position)


def _that(words: list[str], tags: list[str], position: int) -> str:
    """`that cloud`: a base form after it is a noun where it opens the clause."""
    is_noun = _after(tags, position) == VERB and words[position + 1] in verbs.BASES
    return DETERMINER if is_noun and _before(tags, position) in OPENS else _that_of_clause(tags, position)


def _that_of_clause(tags: list[str], position: int) -> str:
    before, after = _before(tags, position), _after(tags, position)
    if before in "NZ#E" and after in "BALVEY":
        return RELATIVE
    if before in "VEG":
        return DETERMINER if before == GERUND and after == NOUN else SUBORDINATOR
    if before in "N#,C" and after in "DPN":
        return SUBORDINATOR
    if after == GERUND and before in ",.S":
        return DETERMINER
    if after == NOUN:
        return DETERMINER if before in "I.O" else SUBORDINATOR
    return RELATIVE if before in ',)"' and after in "BALVEYG" else PRONOUN


def _so(_words: list[str], tags: list[str], position: int) -> str:
    return ADVERB if _before(tags, position) in "BVA" or _after(tags, position) in "YND" else SUBORDINATOR


def _one(_words: list[str], tags: list[str], position: int) -> str:
    if _after(tags, position) == NOUN:
        return NUMBER
    return NOUN if _before(tags, position) in "ND" else PRONOUN


def _well(words: list[str], tags: list[str], position: int) -> str:
    """`as deep as a well`, but not `a well oiled machine`."""
    is_noun = position > 0 and words[position - 1] in lexicon.ARTICLES and _after(tags, position) in ".,:CIOS"
    return NOUN if is_noun else ADVERB


def _us(_words: list[str], tags: list[str], position: int) -> str:
    """`us`, but `the US`."""
    return NOUN if _before(tags, position) == DETERMINER else PRONOUN


def _her(words: list[str], tags: list[str], position: int) -> str:
    after = _after(tags, position)
    if after == ADVERB:
        needed = "BVA" if words[position + 1] == "back" else NOUN
        return DETERMINER if position + 2 < len(tags) and tags[position + 2] in needed else PRONOUN
    return DETERMINER if after in "NG#EV" else PRONOUN


def _is_plural(noun: str) -> bool:
    return (noun.endswith("s") and not noun.endswith(("ss", "us"))) or noun in (
        "people",
        "children",
        "men",
        "women",
    )


def _to(words: list[str], _tags: list[str], position: int) -> str:
    """`to and fro`."""
    return ADVERB if words[position + 1 : position + 3] == ["and", "fro"] else TO


def _back(_words: list[str], tags: list[str], position: int) -> str:
    """`his back was straight`, but `the back door`, `back home`."""
    return NOUN if _before(tags, position) == DETERMINER and _after(tags, position) in "BVA.,IO" else ADVERB


BY_WORD: dict[str, Rule] = {
    "back": _back,
    "to": _to,
    "being": _being,
    "both": _quantifier,
    "all": _quantifier,
    "each": _quantifier,
    "that": _that,
    "so": _so,
    "one": _one,
    "ones": _one,
    "us": _us,
    "well": _well,
    "her": _her,
}
BY_TAG: dict[str, Rule] = {
    STOP: _stop,
    POSSESSIVE_END: _apostrophe_s,
    NOUN: _noun,
    AUXILIARY: _auxiliary,
    PREPOSITION: _preposition,
    ADVERB: _adverb,
    SUBORDINATOR: _subordinator,
    VERB: _verb,
    PARTICIPLE: _participle,
    GERUND: _gerund,
    DETERMINER: _determiner,
}
