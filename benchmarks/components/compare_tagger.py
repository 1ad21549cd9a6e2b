"""The rules, a trained token classifier and both together, by cross-validation on the development side.

    python -m benchmarks.components.compare_tagger [--data DIR] [--language chinese] [--held]

Five folds; sentences that belong together are in one fold. English: trained on all marked sets, with a sign
that the probing sets mark single words; measured on `components.csv` and HAUSER. Chinese: CMDAG.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.components.chinese import characters, chinese_marks
from benchmarks.components.pairs import overlap
from benchmarks.components.published import DATA, marked_sets
from benchmarks.components.scores import Score, ratio
from benchmarks.components.split import Side
from benchmarks.components.tagger import Vocabulary, predict, train
from benchmarks.components.windows import Example, chinese_example, english_examples

FOLDS = 5
SEED = 7


def fold_of(text: str) -> int:
    return int.from_bytes(hashlib.sha256(f"fold|{text}".encode()).digest()[:4]) % FOLDS


def folds(
    examples: Sequence[Example], measured: Callable[[Example], bool]
) -> Iterator[tuple[list[Example], list[Example]]]:
    """For training, and what is measured with it; five times."""
    for fold in range(FOLDS):
        inside = [example for example in examples if fold_of(example.belongs_to) != fold]
        outside = [example for example in examples if fold_of(example.belongs_to) == fold]
        yield inside, [example for example in outside if measured(example)]


def compare(
    splits: Iterable[tuple[list[Example], list[Example]]], agreement: Callable[[str, str], float]
) -> dict[str, dict[str, Score]]:
    """Scores of the rules, the classifier and both, on the second examples of each split."""
    texts: dict[str, list[tuple[Example, dict[str, str]]]] = {"rules": [], "classifier": [], "both": []}
    for inside, outside in splits:
        texts["rules"] += [(example, example.by_rules) for example in outside]
        texts["classifier"] += _trained(inside, outside, with_rules=False)
        texts["both"] += _trained(inside, outside, with_rules=True)
    return {
        name: {
            part: ratio(
                [agreement(found[part], example.marked[part]) for example, found in rows], [1] * len(rows)
            )
            for part in ("vehicle", "topic")
        }
        for name, rows in texts.items()
    }


def _trained(
    inside: Sequence[Example], outside: Sequence[Example], *, with_rules: bool
) -> list[tuple[Example, dict[str, str]]]:
    windows = [example.window(with_rules=with_rules) for example in inside]
    vocabulary = Vocabulary(windows)
    model = train(windows, vocabulary, SEED)
    spans = predict(model, vocabulary, [example.window(with_rules=with_rules) for example in outside])
    return [
        (example, {part: example.text_of(span) for part, span in found.items()})
        for example, found in zip(outside, spans, strict=True)
    ]


def show(title: str, scores: dict[str, dict[str, Score]]) -> None:
    for name, parts in scores.items():
        print(f"{title:<10} {name:<12} vehicle {parts['vehicle']}  topic {parts['topic']}", flush=True)


def english(data: Path, side: Side) -> list[Example]:
    """The marks of all sets; style 1 of those that mark single words."""
    return [
        example
        for name, rows in marked_sets(data, side).items()
        for row in rows
        for example in english_examples(row, style=1 if name.startswith("probing") else 0)
    ]


def chinese(data: Path, side: Side) -> list[Example]:
    return [chinese_example(mark) for mark in chinese_marks(data, side)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the published data sets")
    parser.add_argument("--language", choices=["english", "chinese"], default="english")
    parser.add_argument("--held", action="store_true", help="train on two thirds, measure on the third")
    options = parser.parse_args()
    read, agreement = (english, overlap) if options.language == "english" else (chinese, characters)
    examples = read(options.data, "development")
    if options.held:
        held = [example for example in read(options.data, "held") if example.style == 0]
        show(options.language, compare([(examples, held)], agreement))
    else:
        show(options.language, compare(folds(examples, lambda example: example.style == 0), agreement))


if __name__ == "__main__":
    main()
