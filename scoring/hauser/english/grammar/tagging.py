"""The tokens of an English sentence with one letter each for the part that they play."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.hauser.english.grammar import lexicon, verbs
from scoring.hauser.english.grammar.context import disambiguate_tag
from scoring.hauser.english.grammar.tags import (
    ADVERB,
    AS,
    AUXILIARY,
    BE,
    CLOSE,
    COLON,
    COMMA,
    COORDINATOR,
    DETERMINER,
    GERUND,
    LIKE,
    NOUN,
    NUMBER,
    OF,
    OPEN,
    PARTICIPLE,
    POSSESSIVE_END,
    PREPOSITION,
    PRONOUN,
    QUESTION,
    QUOTE,
    RELATIVE,
    STOP,
    SUBORDINATOR,
    TO,
    VERB,
)

# Word (abbreviations and hyphenated words are one), ending ('s, n't …), or one other character.
TOKEN = re.compile(
    r"(?:[A-Z]\.){2,}|\d+(?:[.,]\d+)*\w*|[^\W\d_]+?(?=n['’]t\b)|n['’]t\b|['’](?:s|m|re|ve|d|ll|S)\b"
    r"|[^\W_]+(?:[-&/.][^\W_]+)*|\S"
)

_PUNCTUATION = {
    ",": COMMA, "–": COMMA, "—": COMMA, "-": COMMA, "/": COMMA, ".": STOP, "!": STOP, "?": STOP, "…": STOP,
    ":": COLON, ";": COLON, '"': QUOTE, "“": QUOTE, "”": QUOTE, "'": QUOTE, "‘": QUOTE, "’": QUOTE,
    "«": QUOTE, "»": QUOTE, "`": QUOTE, "(": OPEN, "[": OPEN, "{": OPEN, ")": CLOSE, "]": CLOSE, "}": CLOSE,
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


@dataclass(frozen=True)
class Sentence:
    """A text in tokens."""

    text: str
    spans: list[tuple[int, int]]  # Position of each token in code points, end exclusive
    words: list[str]  # The tokens in lower case, with straight apostrophes
    tags: str  # A letter for each token: `len(tags) == len(words)`


def tag(text: str) -> Sentence:
    """Split a text of one or more sentences into tokens and tag them.

    Parameters
    ----------
    text : str
        A sentence, or several.
    """
    spans = [match.span() for match in TOKEN.finditer(text)]
    words = [text[start:end].lower().replace("’", "'") for start, end in spans]
    tags = [_WORDS.get(word) or _by_form(word) for word in words]
    for position, (start, _) in enumerate(spans):
        tags[position] = disambiguate_tag(words, tags, position, is_capital=text[start].isupper())
    return Sentence(text, spans, words, "".join(tags))


def _by_form(word: str) -> str:
    if len(word) == 1 and not word.isalnum():
        return _PUNCTUATION.get(word, COMMA)
    if word[0] == "'":
        return {"'s": POSSESSIVE_END, "'m": BE, "'re": BE}.get(word, AUXILIARY)
    if word[0].isdigit():
        return NUMBER
    if "-" in word or len(word) < 4:
        return NOUN
    ending = _ENDINGS.get(word[-3:]) or _ENDINGS.get(word[-2:], NOUN)
    return ending if len(word) > 4 or ending == PARTICIPLE else NOUN


_ENDINGS = {"ing": GERUND, "ed": PARTICIPLE, "ly": ADVERB}
