"""The tokens of an English sentence with one letter each for the part that they play."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.hauser.english import lexicon, verbs

# Word (abbreviations and hyphenated words are one), ending ('s, n't …), or one other character.
TOKEN = re.compile(
    r"(?:[A-Z]\.){2,}|\d+(?:[.,]\d+)*\w*|[^\W\d_]+?(?=n['’]t\b)|n['’]t\b|['’](?:s|m|re|ve|d|ll|S)\b"
    r"|[^\W_]+(?:[-&/.][^\W_]+)*|\S"
)
ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "dr", "st", "prof", "vs", "no", "vol", "jr", "sr", "lt", "col"})

DETERMINER, POSSESSIVE_END, PRONOUN, NOUN, NUMBER = "D", "Z", "P", "N", "#"
VERB, BE, AUXILIARY, GERUND, PARTICIPLE = "V", "B", "A", "G", "E"
RELATIVE, QUESTION, SUBORDINATOR, COORDINATOR = "R", "W", "S", "C"
PREPOSITION, OF, TO, ADVERB = "I", "O", "T", "Y"
COMMA, STOP, COLON, QUOTE, OPEN, CLOSE = ",", ".", ":", '"', "(", ")"
LIKE, AS = "L", "K"

_PUNCTUATION = {
    ",": COMMA, "–": COMMA, "—": COMMA, "-": COMMA, "/": COMMA, ".": STOP, "!": STOP, "?": STOP, "…": STOP,
    ":": COLON, ";": COLON, '"': QUOTE, "“": QUOTE, "”": QUOTE, "'": QUOTE, "‘": QUOTE, "’": QUOTE, "«": QUOTE,
    "»": QUOTE, "`": QUOTE, "(": OPEN, "[": OPEN, "{": OPEN, ")": CLOSE, "]": CLOSE, "}": CLOSE,
}  # fmt: skip
# Later entries win: what a word most often is comes last.
_WORDS: dict[str, str] = {}
for _words, _tag in (
    (verbs.BASES | verbs.THIRD_PERSONS, VERB),
    (verbs.PASTS | verbs.PARTICIPLES, PARTICIPLE),
    (lexicon.LY_OTHERS | lexicon.ING_NOUNS | lexicon.ED_OTHERS, NOUN),
    (lexicon.QUANTITIES, NUMBER),
    (lexicon.ADVERBS, ADVERB),
    (lexicon.PREPOSITIONS, PREPOSITION),
    (lexicon.SUBORDINATORS, SUBORDINATOR),
    (lexicon.PRONOUNS, PRONOUN),
    (lexicon.DETERMINERS, DETERMINER),
    (lexicon.RELATIVES, RELATIVE),
    (lexicon.INTERROGATIVES, QUESTION),
    (lexicon.COORDINATORS, COORDINATOR),
    (lexicon.AUXILIARIES, AUXILIARY),
    (lexicon.BE, BE),
    (lexicon.NEGATIONS, ADVERB),
    ({"having"}, GERUND),
    ({"of"}, OF),
    ({"to"}, TO),
    ({"like"}, LIKE),
    ({"as"}, AS),
):
    _WORDS.update(dict.fromkeys(_words, _tag))

_BEFORE_A_NOUN = frozenset("DZI#OK")
_BEFORE_A_VERB = frozenset("PRTAYCS")
_AFTER_A_VERB = frozenset("LKDIPTY#W")


@dataclass(frozen=True)
class Sentence:
    """A text in tokens.

    Parameters
    ----------
    text : str
        The text.
    spans : list of (int, int)
        Where each token stands, in code points, end exclusive.
    words : list of str
        The tokens in lower case, with straight apostrophes.
    tags : str
        A letter for each token: `len(tags) == len(words)`.
    """

    text: str
    spans: list[tuple[int, int]]
    words: list[str]
    tags: str


def tag(text: str) -> Sentence:
    """Cut a text into tokens and tag them.

    Parameters
    ----------
    text : str
        A sentence, or several.

    Returns
    -------
    Sentence
    """
    spans = [match.span() for match in TOKEN.finditer(text)]
    words = [text[start:end].lower().replace("’", "'") for start, end in spans]
    tags = [_WORDS.get(word) or _by_form(word) for word in words]
    for place, word in enumerate(words):
        if tags[place] in _UNSETTLED or word in _CHANGING:
            tags[place] = _in_context(words, tags, place, text[spans[place][0]])
    return Sentence(text, spans, words, "".join(tags))


_UNSETTLED = frozenset("VEGDPRZ.SNYAI")
_CHANGING = frozenset({"her", "one", "ones", "us", "so", "being"})


def _by_form(word: str) -> str:
    if len(word) == 1 and not word.isalnum():
        return _PUNCTUATION.get(word, COMMA)
    if word[0] == "'":
        return {"'s": POSSESSIVE_END, "'m": BE, "'re": BE}.get(word, AUXILIARY)
    if word[0].isdigit():
        return NUMBER
    if len(word) > 4 and "-" not in word:
        if word.endswith("ing"):
            return GERUND
        if word.endswith("ed"):
            return PARTICIPLE
        if word.endswith("ly"):
            return ADVERB
    return NOUN


def _in_context(words: list[str], tags: list[str], place: int, first: str) -> str:
    tag, word = tags[place], words[place]
    before = tags[place - 1] if place else STOP
    after = tags[place + 1] if place + 1 < len(tags) else STOP
    if tag == STOP:
        return COMMA if place and words[place - 1] in ABBREVIATIONS else STOP
    if tag == POSSESSIVE_END:
        return _apostrophe_s(words, before, after, place)
    if tag in (VERB, PARTICIPLE, GERUND, ADVERB) and first.isupper() and (before not in '."(:' or after == BE):
        return NOUN if before not in '."(:' or tag == ADVERB and word.endswith("ly") else tag
    if tag == NOUN and before == AUXILIARY and words[place - 1] in lexicon.MODALS:
        return VERB
    if tag == NOUN and _is_unknown_verb(words, tags, place, after):
        return VERB
    if tag == NOUN:
        return VERB if before == PRONOUN and words[place - 1] in lexicon.SUBJECT_PRONOUNS and after in "DNPITY" else tag
    if tag == AUXILIARY:
        return NOUN if before == DETERMINER or (first.isupper() and before not in '."(') else tag
    if tag == ADVERB:
        return tag
    if word == "being":
        return NOUN if before in "DN" and after not in "EG" else BE
    if tag == PREPOSITION:
        return NOUN if before == DETERMINER and words[place - 1] in lexicon.ARTICLES else tag
    if tag in (VERB, PARTICIPLE) and before in (LIKE, AS) and after not in "NE":
        return NOUN
    if tag == VERB:
        return _finite(words, tags, place, after)
    if tag == PARTICIPLE and word in lexicon.NOUNS_TOO and not lexicon.INDEFINITE.isdisjoint(words[max(0, place - 4) : place]):
        return NOUN if before in (NOUN, DETERMINER, PARTICIPLE) and after not in "DP" else tag
    if tag in (PARTICIPLE, GERUND):
        return NOUN if before in (DETERMINER, POSSESSIVE_END) and after not in "NG#D" else tag
    if word in ("both", "all", "each") and before == PRONOUN:
        return ADVERB
    if word == "that":
        return _that(before, after)
    if tag == DETERMINER:
        return PRONOUN if _stands_alone(words, place, word, after) else DETERMINER
    if word == "so":
        return ADVERB if before in "BVA" or after in "YND" else SUBORDINATOR
    if word in ("one", "ones"):
        return NUMBER if after == NOUN else NOUN if before in (NOUN, DETERMINER) else PRONOUN
    if word == "us":
        return NOUN if before == DETERMINER else PRONOUN
    if word == "her":
        return DETERMINER if after in "NG#E" else PRONOUN
    return tag


def _is_unknown_verb(words: list[str], tags: list[str], place: int, after: str) -> bool:
    """`lazily reclines like`, `to scamble like`: a word of no list where only a verb can stand."""
    before = tags[place - 1] if place else STOP
    if after not in "LK":
        return False
    if before == ADVERB:
        return words[place - 1].endswith("ly") and words[place].endswith("s")
    return before == TO and not _is_plural(words[place]) and place > 1 and tags[place - 2] in "VEGNA"


_NEVER_ALONE = lexicon.ARTICLES | lexicon.POSSESSIVES


def _stands_alone(words: list[str], place: int, word: str, after: str) -> bool:
    """A determiner without its noun; what may be a verb behind it is most often that noun."""
    if word in _NEVER_ALONE or after not in 'BALVITYOK.,"C)SR:':
        return False
    if after != VERB:
        return True
    return word in ("these", "those") and words[place + 1] in verbs.BASES or word in (
        "this",
        "that",
    ) and words[place + 1] in verbs.THIRD_PERSONS


def _apostrophe_s(words: list[str], before: str, after: str, place: int) -> str:
    if place and before in "PRWY":
        return BE
    if after in 'NG#EVZM"':
        return POSSESSIVE_END
    return BE if after in "LKDYIA" else POSSESSIVE_END


def _finite(words: list[str], tags: list[str], place: int, after: str) -> str:
    before = tags[place - 1] if place else STOP
    if before in _BEFORE_A_NOUN:
        return NOUN
    if before in _BEFORE_A_VERB:
        return VERB if after != BE else NOUN
    if before in "EG" and place > 1 and tags[place - 2] in "DZ":
        return NOUN
    if before == NOUN and after not in "LKT" and words[place] in verbs.BASES and not _is_plural(words[place - 1]):
        return NOUN
    if before == NOUN and words[place] in _APPEARS and not _is_plural(words[place - 1]):
        return VERB
    if before in 'NZ#"),':
        return VERB if after in _AFTER_A_VERB else NOUN
    return VERB if after in "LKDPIT" else NOUN


_APPEARS = frozenset({"looks", "seems", "sounds", "feels", "tastes", "smells", "appears", "becomes", "turns", "grows"})


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") or noun in ("people", "children", "men", "women")


def _that(before: str, after: str) -> str:
    if before in "NZ#E" and after in "BALVEY":
        return RELATIVE
    if before in "VEG" or (before in "N#,C" and after in "DPN"):
        return DETERMINER if before in "G" and after == NOUN else SUBORDINATOR
    if after == GERUND and before in ",.S":
        return DETERMINER
    if before in "NVE#,C" and after in "DPN":
        return SUBORDINATOR
    if after == NOUN:
        return DETERMINER if before in "I.O" else SUBORDINATOR
    return RELATIVE if before in 'N,)"' and after in "BALVEYG" else PRONOUN
