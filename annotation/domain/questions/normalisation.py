"""Normalisation of free-text answers, so that different spellings of a name are the same answer."""

from __future__ import annotations

import unicodedata

APOSTROPHES = frozenset("'’‘ʼ`")
# Languages in which an apostrophe ends an article (l’homme), and those that write no spaces.
ELIDING = frozenset({"fr", "it", "ca"})
UNSPACED = frozenset({"zh", "ja"})
ARTICLES = {
    "en": frozenset({"a", "an", "the"}),
    "de": frozenset({"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer"}),
    "fr": frozenset({"le", "la", "les", "l", "un", "une", "des"}),
    "es": frozenset({"el", "la", "los", "las", "un", "una", "unos", "unas"}),
    "it": frozenset({"il", "lo", "la", "i", "gli", "le", "l", "un", "uno", "una"}),
    "ca": frozenset({"el", "la", "els", "les", "l", "un", "una"}),
    "pt": frozenset({"o", "a", "os", "as", "um", "uma", "uns", "umas"}),
    "nl": frozenset({"de", "het", "een"}),
}
NONE = "none"
# Normalised words with which people answer that there is none.
WORDS_FOR_NONE = frozenset(
    {"none", "no one", "noone", "nobody", "nothing", "n a", "not applicable"}
    | {"no character", "no characters", "there is none", "there are none", "no name", "unnamed"}
    | {"无", "無", "没有", "沒有", "无人", "なし", "無し", "いない", "ない", "該当なし", "없음", "없다"}
)


def normalised(text: str, language: str = "en") -> str:
    """A text without differences that do not matter.

    Compatibility forms, case, articles, punctuation and spacing are unified. Articles are removed only
    if something else remains, so a character called “A” keeps the name.

    Parameters
    ----------
    text : str
        As typed.
    language : str
        Language tag; decides on articles, and whether spaces count.
    """
    code = _code(language)
    words = _words(text, code)
    content = [word for word in words if word not in ARTICLES.get(code, frozenset())]
    return unicodedata.normalize("NFKC", ("" if code in UNSPACED else " ").join(content or words))


def comparable(text: str, language: str = "en") -> str:
    """A normalised text; all expressions for “none” become the same one."""
    with_articles = " ".join(_words(text, _code(language)))
    plain = normalised(text, language)
    return NONE if {with_articles, plain} & WORDS_FOR_NONE else plain


def _code(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]


def _words(text: str, code: str) -> list[str]:
    # The spacing acute would become a space and a combining mark.
    typed = text.replace("´", "'")
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", typed).casefold())
    spaced = "".join(_letter_or_space(character, eliding=code in ELIDING) for character in plain)
    return unicodedata.normalize("NFKC", spaced).split()


def _letter_or_space(character: str, *, eliding: bool) -> str:
    if character in APOSTROPHES:
        return " " if eliding else ""
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return " " if category[0] in "PSZC" else character
