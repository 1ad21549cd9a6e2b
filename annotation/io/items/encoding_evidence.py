"""Evidence for an encoding: the characters that a text would have in it."""

from __future__ import annotations

import re

BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
BYTES_BEYOND_ASCII = re.compile(b"[\x80-\xff]")
# Two bytes of a Chinese or Japanese encoding often form one such mark or letter, which is rare in texts.
BY_CHANCE = re.compile("[\u0180-\u036f\u0700-\u07ff]")
GLUED = re.compile("[A-Za-z][^\x00-\x7f]+[A-Za-z]")
# An accent read as Japanese takes the letter after it along, and is in or before the rest of its word.
IN_WORD = re.compile("[a-z]?[^\x00-\x7f]+[a-z]")
KANA = re.compile("[\u3041-\u30ff]")
HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]")
HANZI = re.compile("[\u4e00-\u9fff]")
FREQUENT = frozenset(
    "的一是了我不在人有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么"
    "心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长像比样"
    "月风花雨水山云光雪夜灯似般声海火石叶梦春秋落红白黑"
)
LEAST_FREQUENT = 0.1
GB_2312_MARKS, GB_2312_HANZI = range(0xA1, 0xAA), range(0xB0, 0xF8)
# The Chinese standard lists 3755 common characters first; nearly all characters of a text are among them.
LAST_COMMON = 0xD7
LEAST_COMMON = 0.85
# The Korean standard has its syllables where the Chinese one has the first half of its common characters.
KOREAN = range(0xB0, 0xC9)
MOST_KOREAN = 0.85
ALMOST_ALL = 0.95
LEAST_KANA = 0.15

# What word processors and Western languages write, as it would look if its UTF-8 were read as Windows-1252.
UTF_8_MISREAD = re.compile(
    "|".join(
        re.escape(one.encode().decode("cp1252", errors="replace"))
        for one in "àâäáãåæçèéêëîïíìñôöòóõøùûüúßœÀÂÄÁÃÅÆÇÈÉÊËÎÏÍÑÔÖÓØÙÛÜÚŒ‘’“”„–—…•€«»¡¿§°\u00a0"
        if "\ufffd" not in one.encode().decode("cp1252", errors="replace")
    )
)
# Letters of Western languages, and what word processors make of quotation marks, dashes and dots.
WESTERN = re.compile("[À-ÖØ-öø-ÿŒœŸ‘’‚“”„–—…•€£§°«»¡¿\u00a0]")
LETTER = re.compile("[À-ÖØ-öø-ÿŒœŠšŽžŸƒ]")
SOUTHERN = frozenset("àâäåáãçèéêëîïíìñôöòóõùûüúßœ")
NORTHERN = frozenset("åäöæøéêóôüß")
# Letters of other languages, and letters where no Western word has them.
WRONG_LETTER = re.compile(
    "[ŠšŽžÐðÞþÝýƒ]|õ(?!e)|ã(?=[a-df-np-rt-zà-öø-ÿ])|ç(?![aouâãáàôóõúûü])|ñ(?![aeiouáéíóúü])|[ìòù](?=[a-zà-öø-ÿ])|(?<![fcFC])œ(?![uieéèds])"
    "|(?<=[a-zß-öø-ÿ])[À-ÖØ-ÞŒ]|Õ(?!E)"
)
NO_ASCII_WORD = re.compile("(?<![A-Za-zÀ-ÖØ-öø-ÿ])(?!çà )[À-ÖØ-öø-ÿŒœ]{2,}(?![A-Za-zÀ-ÖØ-öø-ÿ])")
WRONG_MARK = re.compile("(?<=[A-Za-z])[‚„¿¡]|”(?=[A-Za-z])|(?<=[A-Za-z])[“‘«»•€£§°](?=[A-Za-z])")
MOST_WRONG = 0.01


def is_mostly_utf_8(data: bytes) -> bool:
    """Whether most bytes beyond ASCII are UTF-8: then a file is UTF-8 with a few damaged bytes."""
    beyond = len(BYTES_BEYOND_ASCII.findall(data))
    valid = "".join(BEYOND_ASCII.findall(data.decode(errors="ignore")))
    return 2 * len(BY_CHANCE.sub("", valid).encode()) >= beyond > 0


def is_japanese(text: str) -> bool:
    """Japanese without kana does not occur; Chinese read as Shift-JIS is full of half-width ones."""
    runs = BEYOND_ASCII.findall(text)
    glued = len(IN_WORD.findall(text))
    kana = _share(KANA, text) >= LEAST_KANA and _share(HALF_WIDTH_KANA, text) < LEAST_KANA
    return kana and 2 * glued <= len(runs)


def is_chinese(text: str) -> bool:
    """Characters of the first Chinese standard: most are common ones, some are those that every text has."""
    runs, hanzi = BEYOND_ASCII.findall(text), HANZI.findall(text)
    marks = "".join(runs)
    in_standard = sum(map(_is_gb_2312, marks))
    # Two accents in a row, as in “Größe”, would be one character in the middle of a word.
    glued = len(GLUED.findall(text))
    if in_standard < ALMOST_ALL * len(marks) or 2 * len(hanzi) < len(marks) or 2 * glued > len(runs):
        return False
    places = [one.encode("gb18030")[0] for one in hanzi]
    common = sum(place <= LAST_COMMON for place in places)
    korean = sum(place in KOREAN for place in places)
    frequent = sum(one in FREQUENT for one in hanzi)
    return (
        common >= LEAST_COMMON * len(hanzi)
        and korean < MOST_KOREAN * len(hanzi)
        and frequent >= LEAST_FREQUENT * len(hanzi)
        and _share(KANA, text) <= 1 - ALMOST_ALL
    )


def is_western(text: str) -> bool:
    """Accents where Western words have them, and typographic marks where sentences have them."""
    if UTF_8_MISREAD.search(text) or _share(WESTERN, text) < ALMOST_ALL:
        return False
    letters = [letter.lower() for letter in LETTER.findall(text)]
    marks = sum(map(len, BEYOND_ASCII.findall(text)))
    wrong = len(WRONG_LETTER.findall(text)) + len(WRONG_MARK.findall(text))
    wrong += sum(map(len, NO_ASCII_WORD.findall(text)))
    foreign = min(sum(letter not in known for letter in letters) for known in (SOUTHERN, NORTHERN))
    return wrong <= MOST_WRONG * marks and foreign <= MOST_WRONG * len(letters)


def _share(pattern: re.Pattern[str], text: str) -> float:
    """The share of the characters beyond ASCII that match a pattern."""
    marks = "".join(BEYOND_ASCII.findall(text))
    return len(pattern.findall(marks)) / len(marks) if marks else 0.0


def _is_gb_2312(character: str) -> bool:
    code = character.encode("gb18030")
    return len(code) == 2 and code[1] > 0xA0 and (code[0] in GB_2312_MARKS or code[0] in GB_2312_HANZI)
