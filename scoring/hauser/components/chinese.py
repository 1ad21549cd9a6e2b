"""The topic–vehicle pairs of a Chinese sentence by its comparators; the vehicle foremost."""

from __future__ import annotations

import re

from scoring.hauser.base import reasons
from scoring.hauser.base.parts import Components, Extraction, Part

# 像 within 图像, 偶像 and their like is a picture; before 素 it is a pixel.
COMPARATOR = re.compile(
    "好像是?|就像是?|正像|真像|恰像|好似|恰似|宛似|犹似|如同|宛如|犹如|有如|恍如|一如|就如|宛若|恍若|犹若|仿佛是?|彷佛是?|彷彿"
    "|(?<![图画雕偶想录摄肖塑铜佛遗群])像(?:是|极了)?(?![素机])"
    "|(?<![比例假譬诸不何又既])[如似](?=[^，。！？；\\s]{1,10}?(?:一样|一般|般|似的))"
)
# Words that close a vehicle: 像湖一样平静, 像梦似的.
CLOSING = re.compile("一样|一般|似的|那样|那般|这样|那么|这么|(?<![一])般")
STOP = re.compile(r"[，。！？；：、…,.!?;:()（）“”\"「」『』《》\s]")
_MEASURE = (
    "个只把条朵片颗座位棵株滴支枝根块场幅首张件道阵缕团双对杯盏轮弯粒尊面扇匹头群串层丝种股束"
    "艘领台辆架部列本封口盘锅缸壶瓶碗曲声段篇句名间栋堆排丛抹泓潭湾汪"
)
QUANTIFIER = re.compile(
    f"(?:[一几两二三四五六七八九十百千万数]+[{_MEASURE}]{{1,2}}|[个只条座颗朵位些张把匹艘](?=.)|一)(?=.)"
)
# Words that begin what the vehicle does, after its noun: 像谜总是看不清, 像冰雪让人安静.
DOING = re.compile("[总仍却终很得让]")
BLANK = re.compile(r"\s{0,2}")
LEADING = re.compile("(?:是|在|那|这)(?=..)")
ADVERBS = re.compile(
    "(?:就|都|也|又|正|真|很|多|多么|有点儿?|却|便|仍|还|总|更|已|早已|变得|显得|看起来|看上去|说不出|时而)+$"
)
PRONOUN = re.compile("(?:[我你您他她它](?:们|倆|俩)?|自己)")
LAST_PRONOUN = re.compile("(?:[我你您他她它]们?)$")
PAUSES = " \u3000\n\r\t，,"
MOST_BEHIND_PRONOUN = 5
FAR = 24


def may_compare_in_chinese(sentence: str) -> bool:
    """Whether a text has a Chinese comparator.

    Parameters
    ----------
    sentence : str
        Any text.
    """
    return not sentence.isascii() and COMPARATOR.search(sentence) is not None


def extract_chinese(sentence: str) -> Extraction:
    """Extract the pairs of a text with Chinese comparators.

    Parameters
    ----------
    sentence : str
        Any text.

    Returns
    -------
    Extraction
        The topic is the text before the comparator in its clause, or None.
    """
    pairs = []
    for match in COMPARATOR.finditer(sentence):
        pair = _pair(sentence, match)
        if pair is not None:
            pairs.append(pair)
    return Extraction(tuple(pairs), "" if pairs else reasons.NO_VEHICLE)


def _pair(sentence: str, comparator: re.Match[str]) -> Components | None:
    blank = BLANK.match(sentence, comparator.end())
    start = blank.end() if blank else comparator.end()
    stop = STOP.search(sentence, start, start + FAR)
    limit = stop.start() if stop else min(len(sentence), start + FAR)
    closing = CLOSING.search(sentence, start, limit)
    end = closing.start() if closing else limit
    for opening in (LEADING, QUANTIFIER):
        lead = opening.match(sentence, start, end)
        start = lead.end() if lead else start
    if start >= end:
        return None
    doing = DOING.search(sentence, start + 1, end)
    end = doing.start() if doing else end
    return Components(
        topic=_topic(sentence, comparator.start()),
        vehicle=Part(sentence[start:end], start, end),
        property=_property(sentence, closing.end(), limit) if closing else None,
        comparator=Part(comparator.group(), *comparator.span()),
    )


def _property(sentence: str, start: int, limit: int) -> Part | None:
    """`平静` of 像湖面一样平静."""
    while start < limit and sentence[start] in "地的":
        start += 1
    end = min(limit, start + 4)
    return Part(sentence[start:end], start, end) if start < limit else None


def _topic(sentence: str, end: int) -> Part | None:
    """The clause before the comparator; of a clause that ends or begins with a pronoun, the pronoun."""
    while end > 0 and sentence[end - 1] in PAUSES:
        end -= 1
    start = end
    while start > 0 and end - start < FAR and not STOP.match(sentence[start - 1]):
        start -= 1
    adverbs = ADVERBS.search(sentence, start, end)
    end = adverbs.start() if adverbs else end
    last, first = LAST_PRONOUN.search(sentence, start, end), PRONOUN.match(sentence, start, end)
    if last and last.end() == end:
        start = last.start()
    elif first and end - start > MOST_BEHIND_PRONOUN and sentence[first.end()] != "的":
        end = first.end()
    return Part(sentence[start:end], start, end) if start < end else None
