"""Sentences with two tuples each, English and Chinese, and where a reader selects in them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.running.published_data import find_published_data

ENGLISH = "Her patience is a long bridge, and every excuse a toll that nobody pays."
Span = tuple[int, int]


@dataclass(frozen=True)
class Sentence:
    """A sentence with two tuples in it, each tenor, vehicle and ground."""

    text: str
    tuples: Sequence[tuple[str, str, str]]

    def span(self, words: str) -> Span:
        start = self.text.index(words)
        return start, start + len(words)

    def marks(self) -> list[dict[str, Any]]:
        return [
            {"tuple": number, "part": part, "start": start, "end": end, "text": words}
            for number, (tenor, vehicle, ground) in enumerate(self.tuples, start=1)
            for part, words, (start, end) in (
                ("tenor", tenor, self.span(tenor)),
                ("vehicle", vehicle, self.span(vehicle)),
                ("ground", ground, (None, None)),
            )
        ]

    def units(self) -> list[Span]:
        """Words and signs, or characters where the script has no spaces."""
        pattern = r"\w+|[^\w\s]" if self.text.isascii() else r"\S"
        return [one.span() for one in re.finditer(pattern, self.text)]


def english() -> Sentence:
    return Sentence(
        ENGLISH,
        (("Her patience", "a long bridge", "slow crossing"), ("every excuse", "a toll", "small price")),
    )


def chinese() -> Sentence:
    """A short sentence of the published test set with two tuples, every tenor and vehicle in its text."""
    folder = find_published_data()
    assert folder is not None
    records = json.loads((folder / "cmdag" / "test_data.json").read_text(encoding="utf-8"))
    found: dict[str, list[tuple[str, str, str]]] = {}
    for one in records:
        found.setdefault(one["context"], []).append((one["tenor"], one["vehicle"], one["ground"]))
    fitting = [
        Sentence(text, tuples)
        for text, tuples in found.items()
        if len(tuples) == 2
        and re.fullmatch(r"[\u4e00-\u9fff，。 ]+", text)
        and all(part and part in text for one in tuples for part in one[:2])
        and len({one[0] for one in tuples}) == 2
        and not any("、" in one[2] for one in tuples)
    ]
    return min(fitting, key=lambda one: len(one.text))


SENTENCES = {"en": english, "zh": chinese}
