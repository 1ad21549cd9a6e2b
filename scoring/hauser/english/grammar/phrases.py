"""Noun phrases by their tags, to the left and to the right of a token."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hauser.english.grammar.adjectives import GRADED
from scoring.hauser.english.grammar.tagging import Sentence

# Phrases, and the subject of a comparator, are searched for within this many tokens.
REACH = 60
LONGEST = 14


@dataclass(frozen=True)
class Phrase:
    """Tokens `start` to `end` of a sentence, both included."""

    start: int
    end: int


def phrase_ending_at(sentence: Sentence, end: int) -> Phrase | None:
    """The noun phrase whose last token that is.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    end : int
        A token; quotes and closing brackets there are stepped over.
    """
    tags = sentence.tags
    while end >= 0 and tags[end] in '")':
        end -= 1
    if end < 0 or tags[end] not in "NP#DGZ":
        return None
    if tags[end] in "PD":
        return Phrase(end, end)
    start = end
    if tags[end] == "G" and (end == 0 or tags[end - 1] not in "DZ"):
        return None
    while start > 0 and end - start < LONGEST:
        step = _step_left(sentence, start, end)
        if not step:
            break
        start -= step
        if tags[start] == "D" and not (start and tags[start - 1] == "D"):
            break
    while start < end and tags[start] in ',")C':
        start += 1
    return Phrase(start, end)


def _step_left(sentence: Sentence, start: int, end: int) -> int:
    """How many tokens the phrase grows to the left by: 0 where it begins."""
    tags, before = sentence.tags, sentence.tags[start - 1]
    if before == "N" and _is_verb_before_name(sentence, start):
        return 0
    if before in "N#ZD":
        return 1
    further = tags[start - 2] if start > 1 else "."
    if before in 'EGY"' and _is_inside_phrase(tags, start, further):
        return 1
    lists = before in ",C" and further == "N" and tags[start] in "NE" and start < end
    return 2 if lists and _is_list_of_adjectives(tags, start - 2) else 0


def _is_verb_before_name(sentence: Sentence, start: int) -> bool:
    """`Anna tells Peter`: a lower-case word in -s between two names, or before one, is an unlisted verb."""
    if not sentence.text[sentence.spans[start][0]].isupper() or start < 2:
        return False
    word = sentence.text[slice(*sentence.spans[start - 1])]
    return word.islower() and word.endswith("s") and sentence.tags[start - 2] not in "DZ"


def _is_inside_phrase(tags: str, start: int, further: str) -> bool:
    """Whether the token before `start` is within the phrase: `the broken wing`, `the "old" man`."""
    before = tags[start - 1]
    if before == '"':
        return further in "DZ"
    if further in "DZ":
        return tags[start] in "NEG#"
    if before == "E":
        is_graded = further == "Y" and start > 2 and tags[start - 3] == "D"  # a "badly damaged" car
        return tags[start] == "N" and (is_graded or further in "CIOT.,")
    return before == "Y" and tags[start] in "NE" and further == "Y" and start > 2 and tags[start - 3] == "D"


def _is_list_of_adjectives(tags: str, position: int) -> bool:
    """Whether `the pale` (a determiner and one or two words) is before a comma."""
    return (position > 0 and tags[position - 1] == "D") or (
        position > 1 and tags[position - 1] == "Y" and tags[position - 2] == "D"
    )


def with_what_it_is_of(sentence: Sentence, phrase: Phrase) -> Phrase:
    """Extend a noun phrase by the nouns on which it depends: `the colour of the sea` from `the sea`.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    phrase : Phrase
        A noun phrase.

    Returns
    -------
    Phrase
        Longer to the left by each `of`; after any other preposition the noun before is taken alone.
    """
    for _ in range(4):
        before = phrase.start - 1
        if before > 1 and sentence.words[before] == "and" and sentence.tags[phrase.end] != "P":
            partner = phrase_ending_at(sentence, before - 1)
            if partner is not None and partner.start > 0 and sentence.tags[partner.start - 1] in "OI":
                before, phrase = partner.start - 1, Phrase(partner.start, phrase.end)
        if before < 1 or sentence.tags[before] not in "OIT":
            return phrase
        is_place = sentence.tags[before - 1 : before + 1] == "YO" and before > 2  # "the men ahead of"
        head = phrase_ending_at(sentence, before - 2 if is_place else before - 1)
        if head is None or sentence.tags[head.end] == "D":
            return phrase
        end = phrase.end if sentence.tags[before] == "O" and not is_place else head.end
        phrase = Phrase(head.start, end)
    return phrase


def whole_phrase_ending_at(sentence: Sentence, end: int) -> Phrase | None:
    """The noun phrase whose last token is `end`, with the nouns on which it depends.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    end : int
        A token.
    """
    phrase = phrase_ending_at(sentence, end)
    return with_what_it_is_of(sentence, phrase) if phrase else None


def phrase_starting_at(sentence: Sentence, start: int) -> Phrase | None:
    """The plain noun phrase that begins at a token, without what follows its noun.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    start : int
        A token.
    """
    tags = sentence.tags
    if start >= len(tags):
        return None
    if tags[start] == "P":
        return Phrase(start, start)
    end = start
    while end < len(tags) and end - start < LONGEST:
        step = _step_right(sentence, start, end)
        if not step:
            break
        end += step
    while end > start and tags[end - 1] in 'DY,C"(EG' and not _closes(tags, start, end - 1):
        end -= 1
    if end == start or not any(tag in "NZ#G" for tag in tags[start:end]):
        return None
    return Phrase(start, end - 1)


def _closes(tags: str, start: int, position: int) -> bool:
    """A quotation mark that was opened within the phrase, or a participle with nothing before it."""
    return (tags[position] == '"' and tags.count('"', start, position) % 2 == 1) or (
        tags[position] in "EG" and position == start
    )


def _step_right(sentence: Sentence, start: int, end: int) -> int:
    """1 where the token `end` belongs to the phrase that begins at `start`, else 0."""
    tag = sentence.tags[end]
    if tag in "NZ#":
        return 1
    if tag in "DEGYP":
        return int(_modifies_right(sentence, start, end))
    if tag in ",C":
        return int(_joins(sentence, start, end))
    if tag == '"':
        opened = sentence.tags.count('"', start, end) % 2 == 1
        return int(opened or not _has_noun(sentence, start, end))
    return int(sentence.words[end] in ("[", "]"))


def _has_noun(sentence: Sentence, start: int, end: int) -> bool:
    return any(tag in "N#" for tag in sentence.tags[start:end])


def _modifies_right(sentence: Sentence, start: int, position: int) -> bool:
    """A determiner, participle or adverb in front of its noun."""
    tags, tag = sentence.tags, sentence.tags[position]
    after = tags[position + 1] if position + 1 < len(tags) else "."
    if tag == "D":
        return tags[position - 1] == "Z" or not _has_noun(sentence, start, position)
    if tag in "EG" and after == "(" and sentence.words[position + 1] == "[":
        return True
    if tag in "EG" and after == "N" and tags[start] == "D":
        return True
    follows = {"E": "NEG", "G": "NEG", "Y": "NE#", "P": "N"}[tag]
    is_own = tag != "P" or sentence.words[position] == "own"
    return after in follows and is_own and not _has_noun(sentence, start, position)


def _joins(sentence: Sentence, start: int, position: int) -> bool:
    """A hyphen, a comma between adjectives, or an `and` between two nouns at the end of the phrase."""
    tags = sentence.tags
    after = tags[position + 1] if position + 1 < len(tags) else "."
    if sentence.words[position] == "-":
        return after in "NE#" and position > start
    if tags[position] == ",":
        return after in "NEG" and _lists_adjectives(sentence, start, position)
    is_and = after == "N" and sentence.words[position] in ("and", "&") and tags[position - 1] == "N"
    is_graded = not GRADED.isdisjoint(sentence.words[position + 1 : position + 2])
    return is_and and not is_graded and tags[position + 2 : position + 3] not in ("N", "V", "B", "A", "E")


def _lists_adjectives(sentence: Sentence, start: int, comma: int) -> bool:
    """`a small , rusty gate`: a word or two before the comma, two or more lower-case ones after it."""
    tags = sentence.tags
    if tags[start] != "D" or not 2 <= comma - start <= 3:
        return False
    ahead = tags[comma + 1 : comma + 3]
    return len(ahead) == 2 and ahead[1] == "N" and sentence.text[sentence.spans[comma + 1][0]].islower()
