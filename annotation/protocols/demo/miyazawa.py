"""Expressions of the project's own: five nouns crossed with four verb phrases, and three test questions."""

from __future__ import annotations

from annotation.domain.quality.checks import CheckKind
from annotation.protocols.template import Demo, DemoCheck, DemoItem

NOUNS = ("the silence", "an idea", "the river", "her patience", "the market")
PHRASES = ("grows", "catches fire", "knocks at the door", "runs dry")
PARTS_OF_SPEECH = ("noun", "verb", "adjective", "adverb")


def _question(key: str, sentence: str, word: str, right: str) -> DemoCheck:
    return DemoCheck(
        key=key,
        kind=CheckKind.KNOWLEDGE,
        texts={"expression": sentence},
        settings={"right": right},
        question=f"What part of speech is “{word}” here?",
        options=PARTS_OF_SPEECH,
    )


DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"N{row}-V{column}",
            group=noun,
            fields={"expression": f"{noun} {phrase}"},
            metadata={"noun": noun, "phrase": phrase},
        )
        for row, noun in enumerate(NOUNS, start=1)
        for column, phrase in enumerate(PHRASES, start=1)
    ),
    checks=(
        _question("quietly", "She closed the gate quietly.", "quietly", "adverb"),
        _question("narrow", "They took the narrow road.", "narrow", "adjective"),
        _question("ladder", "He carried a ladder across the yard.", "ladder", "noun"),
    ),
)
