"""Steps from token to token towards the beginning of a sentence."""

from __future__ import annotations

from scoring.hauser.english.grammar import lexicon
from scoring.hauser.english.grammar.phrases import REACH
from scoring.hauser.english.grammar.tagging import Sentence


def past(sentence: Sentence, position: int, tags: str) -> int:
    """The nearest token to the left, `position` included, that has none of these tags.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        Where to begin.
    tags : str
        The letters that are stepped over.

    Returns
    -------
    int
        -1 where the sentence begins first.
    """
    while position >= 0 and sentence.tags[position] in tags:
        position -= 1
    return position


def past_brackets(sentence: Sentence, position: int) -> int:
    """The token before the bracket that opens what the bracket at `position` closes.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        A closing bracket.

    Returns
    -------
    int
        The token before `position` itself where nothing opens it.
    """
    for at in range(position - 1, max(-1, position - REACH), -1):
        if sentence.tags[at] == "(":
            return at - 1
    return position - 1


def modifies(tags: str, position: int) -> bool:
    """Whether the participle at `position` is between a determiner and its noun.

    Parameters
    ----------
    tags : str
        The tags of a sentence.
    position : int
        The participle.
    """
    before = tags[position - 1] if position else "."
    if before == "Y" and position > 1:
        before = tags[position - 2]
    after = tags[position + 1] if position + 1 < len(tags) else "."
    return before in "DZ#" and after in "NEG"


def opens_clause(sentence: Sentence, position: int) -> bool:
    """Whether what follows a token opens a sentence or a clause.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        The token before it; -1 where there is none.
    """
    if position < 0 or sentence.tags[position] in ".:S":
        return True
    return sentence.tags[position] == "C" and (position == 0 or sentence.tags[position - 1] in ".:")


def verb_before(sentence: Sentence, position: int) -> int | None:
    """The nearest verb to the left within the clause, or None.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        Where to begin.
    """
    tags = sentence.tags
    for at in range(position, max(-1, position - REACH), -1):
        tag = tags[at]
        if tag in "VB" or (tag == "A" and sentence.words[at] not in lexicon.MODALS):
            return at
        if tag in "EG" and not modifies(tags, at):
            return at
        if tag in ".:S(":
            return None
    return None
