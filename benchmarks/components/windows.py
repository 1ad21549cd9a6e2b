"""What the token classifier reads of a marked sentence: the tokens around one comparator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.components.chinese import COMPARATOR, ChineseMark, characters
from benchmarks.components.pairs import overlap
from benchmarks.components.published import Marked
from benchmarks.components.tagger import BEFORE, BEHIND, Window
from scoring.hauser.base.parts import Components, Part
from scoring.hauser.components.built_in import extract
from scoring.hauser.english.grammar.comparators import comparators
from scoring.hauser.english.grammar.tagging import tag

LETTERS = 'DZPN#VBAGERWSCIOTY,.:"()LK'


@dataclass(frozen=True)
class Example:
    """A mark with the tokens around its comparator."""

    text: str
    belongs_to: str
    style: int
    spans: list[tuple[int, int]]  # Of the tokens in the window
    letters: list[int]
    comparator: tuple[int, int]
    marked: dict[str, str]
    by_rules: dict[str, str]
    rule_spans: dict[str, tuple[int, int]]
    gold: dict[str, tuple[int, int] | None]

    def window(self, *, with_rules: bool) -> Window:
        """What the classifier reads; the parts by the rules only if asked."""
        words = [self.text[start:end].lower() for start, end in self.spans]
        features = [
            [float(self.text[start].isupper()), *(self._by_rules(at) if with_rules else [0.0] * 6)]
            for at, (start, _) in enumerate(self.spans)
        ]
        return Window(words, self.letters, features, self.comparator, self.style, self.gold)

    def _by_rules(self, at: int) -> list[float]:
        """First, last or any token of the topic and of the vehicle of the rules."""
        signs: list[float] = []
        for part in ("topic", "vehicle"):
            first, last = self.rule_spans.get(part, (-1, -2))
            signs += [float(at == first), float(at == last), float(first <= at <= last)]
        return signs

    def text_of(self, span: tuple[int, int]) -> str:
        return self.text[self.spans[span[0]][0] : self.spans[span[1]][1]]


def english_examples(row: Marked, style: int) -> Iterator[Example]:
    """An example for each mark, at the nearest comparator before its vehicle."""
    sentence = tag(row.sentence)
    places = [(one.start, one.end) for one in comparators(sentence)]
    pairs = list(extract(row.sentence, known_simile=True).pairs)
    for mark in row.pairs:
        best = max(pairs, key=lambda pair: overlap(pair.vehicle.text, mark.vehicle), default=None)
        ahead = [place for place in places if mark.vehicle in row.sentence[sentence.spans[place[1]][1] :]]
        if not ahead:
            continue
        parts = {"topic": mark.topic, "vehicle": mark.vehicle}
        yield _example(
            row.sentence,
            parts,
            best,
            belongs_to=row.belongs_to or row.sentence,
            style=style,
            spans=sentence.spans,
            letters=[LETTERS.find(letter) + 2 for letter in sentence.tags],
            comparator=ahead[-1],
        )


def chinese_example(mark: ChineseMark) -> Example:
    """The example of a mark, at the last comparator before its vehicle; characters are the tokens."""
    matches = list(COMPARATOR.finditer(mark.text))
    ahead = [match for match in matches if mark.vehicle in mark.text[match.end() : match.end() + 40]]
    place = (ahead or matches)[-1].span()
    pairs = list(extract(mark.text).pairs)
    best = max(pairs, key=lambda pair: characters(pair.vehicle.text, mark.vehicle), default=None)
    spans = [(at, at + 1) for at in range(len(mark.text))]
    parts = {"topic": mark.topic, "vehicle": mark.vehicle}
    return _example(
        mark.text,
        parts,
        best,
        belongs_to=mark.text,
        style=0,
        spans=spans,
        letters=[2] * len(spans),
        comparator=(place[0], place[1] - 1),
    )


def _example(
    text: str,
    marked: dict[str, str],
    best: Components | None,
    *,
    belongs_to: str,
    style: int,
    spans: list[tuple[int, int]],
    letters: list[int],
    comparator: tuple[int, int],
) -> Example:
    first, last = comparator
    start, end = max(0, first - BEFORE), min(len(spans), last + 1 + BEHIND)
    inside = spans[start:end]
    found = {"topic": best.topic if best else None, "vehicle": best.vehicle if best else None}
    return Example(
        text=text,
        belongs_to=belongs_to,
        style=style,
        spans=inside,
        letters=letters[start:end],
        comparator=(first - start, last - start),
        marked=marked,
        by_rules={part: one.text if one else "" for part, one in found.items()},
        rule_spans={part: span for part, one in found.items() if (span := _tokens_of(one, inside))},
        gold={
            part: _marked_tokens(text, words, inside, spans[first][0], part) for part, words in marked.items()
        },
    )


def _tokens_of(part: Part | None, spans: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    if part is None or part.start is None or part.end is None:
        return None
    inside = [at for at, (start, end) in enumerate(spans) if start >= part.start and end <= part.end]
    return (inside[0], inside[-1]) if inside else None


def _marked_tokens(
    text: str, words: str, spans: Sequence[tuple[int, int]], comparator: int, part: str
) -> tuple[int, int] | None:
    """The occurrence of marked words that is nearest to the comparator; of a vehicle, behind it."""
    found = [match.span() for match in re.finditer(re.escape(words), text)] if words else []
    if part == "vehicle":
        found = [span for span in found if span[0] > comparator]
    nearest = min(found, key=lambda span: abs(span[0] - comparator), default=None)
    return None if nearest is None else _tokens_of(Part(words, *nearest), spans)
