"""The form of a topic or vehicle that is looked up in a knowledge base (HAUSER, footnote 1)."""

from __future__ import annotations

import re
import unicodedata

from scoring.hauser.base.word_list import word_list

LEADING = word_list("""
    a an the this that these those my your his her its our their thy thine whose all any both each either
    every no other another some such what even just only
""")
APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'"})
QUOTES = re.compile(r"[\"“”„«»「」『』《》‹›]+|''+|(?<!\w)'+|'+(?!\w)")
SPACED_GENITIVE = re.compile(r"(?<=\w)\s+'s\b")
EDGES = " .,;:!?…()[]{}*_<>=/|~。，、；：！？（）【】-–—"
IN_FRONT = re.compile(rf"(?:(?:{'|'.join(sorted(LEADING))}) [{re.escape(EDGES)}]*)+(?=.)", re.DOTALL)


def lookup_key(text: str) -> str:
    """The wording without the parts that do not change its meaning.

    Lower case, single spaces, no quotation marks, no punctuation at the ends, no determiners, possessive
    pronouns or focus words in front, no possessive ending behind: `"The Dragon's"` and `a  dragon` are both
    `dragon`. Words further inside remain: `a kid in a candy store` is `kid in a candy store`.
    The last word of a text of such words alone remains: `that` is `that`.

    Parameters
    ----------
    text : str
        A topic or vehicle, as written in a sentence or a knowledge base.

    Returns
    -------
    str
        The key; empty where the text holds neither letter nor digit. A key's own key is itself.

    Notes
    -----
    He et al. (2023), footnote 1; the authors remove one determiner, this function removes all.
    """
    plain = text.lower()
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", plain.translate(APOSTROPHES))
    if "'" in plain or '"' in plain or not plain.isascii():
        plain = QUOTES.sub(" ", SPACED_GENITIVE.sub("'s", plain))
    key = " ".join(plain.split()).strip(EDGES)
    while key.endswith("'s"):
        key = key[:-2].rstrip(EDGES + "'")
    in_front = IN_FRONT.match(key)
    return key[in_front.end() :] if in_front else key
