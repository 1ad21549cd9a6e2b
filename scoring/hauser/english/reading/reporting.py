"""Clauses that name the speaker within a quotation: `"You look," she replied, "like …"`."""

from __future__ import annotations

from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar.tagging import Sentence
from scoring.hauser.english.grammar.token_steps import past

REPORTING = word_list("""
    say says said saith ask asks asked answer answers answered reply replies replied cry cries cried shout
    shouts shouted whisper whispers whispered mutter mutters muttered murmur murmurs murmured explain
    explains explained add adds added remark remarks remarked think thinks thought observe observed note
    notes noted write writes wrote continue continued declare declares declared call called complain
    complains complained sigh sighs sighed laugh laughed growl growled snap snapped
""")
LONGEST = 8


def is_reporting(sentence: Sentence, start: int, end: int) -> bool:
    """Whether tokens are a speaker with a reporting verb and nothing else.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    start, end : int
        The tokens, `end` not included.
    """
    tags = sentence.tags[start:end]
    return (
        0 < end - start <= LONGEST
        and set(tags) <= set('PNDVEYZ#O"')
        and not set(tags).isdisjoint("PN")
        and not REPORTING.isdisjoint(sentence.words[start:end])
    )


def before_reporting(sentence: Sentence, position: int) -> int:
    """The token before a reporting clause that ends at a position; the position itself where none does.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        A token, with a comma or a quotation mark after it.
    """
    for at in range(position - 1, max(0, position - LONGEST) - 1, -1):
        if sentence.tags[at] in ',"':
            is_inserted = is_reporting(sentence, at + 1, position + 1)
            return past(sentence, at, ',"') if is_inserted else position
    return position
