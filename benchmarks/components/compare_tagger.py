"""The rules, a trained token classifier and both together, by cross-validation on the development side.

    python -m benchmarks.components.compare_tagger [--data DIR] [--language chinese]

Five folds; sentences that belong together are in one fold. English: trained on all marked sets, with a sign
that the probing sets mark single words; measured on `components.csv` and HAUSER. Chinese: CMDAG.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.components.chinese import characters, chinese_marks
from benchmarks.components.pairs import overlap
from benchmarks.components.published import DATA, marked_sets
from benchmarks.components.scores import Score, ratio
from benchmarks.components.tagger import Vocabulary, predict, train
from benchmarks.components.windows import Example, chinese_example, english_examples

FOLDS = 5
SEED = 7


def fold_of(text: str) -> int:
    return int.from_bytes(hashlib.sha256(f"fold|{text}".encode()).digest()[:4]) % FOLDS


def cross_validated(
    examples: Sequence[Example], measured: Callable[[Example], bool], agreement: Callable[[str, str], float]
) -> dict[str, dict[str, Score]]:
    """Scores of the rules, the classifier and both, on the examples that are measured."""
    texts: dict[str, list[tuple[Example, dict[str, str]]]] = {"rules": [], "classifier": [], "both": []}
    for fold in range(FOLDS):
        inside = [example for example in examples if fold_of(example.belongs_to) != fold]
        outside = [
            example for example in examples if fold_of(example.belongs_to) == fold and measured(example)
        ]
        texts["rules"] += [(example, example.by_rules) for example in outside]
        for name in ("classifier", "both"):
            chosen = [example.window(with_rules=name == "both") for example in inside]
            vocabulary = Vocabulary(chosen)
            model = train([window for window in chosen if window.gold], vocabulary, SEED)
            spans = predict(
                model, vocabulary, [example.window(with_rules=name == "both") for example in outside]
            )
            texts[name] += [
                (example, {part: example.text_of(span) for part, span in found.items()})
                for example, found in zip(outside, spans, strict=True)
            ]
    return {
        name: {
            part: ratio(
                [agreement(found[part], example.marked[part]) for example, found in rows], [1] * len(rows)
            )
            for part in ("vehicle", "topic")
        }
        for name, rows in texts.items()
    }


def show(title: str, scores: dict[str, dict[str, Score]]) -> None:
    for name, parts in scores.items():
        print(f"{title:<10} {name:<12} vehicle {parts['vehicle']}  topic {parts['topic']}", flush=True)


def english(data: Path) -> list[Example]:
    """The marks of all sets; style 1 of those that mark single words."""
    return [
        example
        for name, rows in marked_sets(data, "development").items()
        for row in rows
        for example in english_examples(row, style=1 if name.startswith("probing") else 0)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the published data sets")
    parser.add_argument("--language", choices=["english", "chinese"], default="english")
    options = parser.parse_args()
    if options.language == "english":
        show("English", cross_validated(english(options.data), lambda example: example.style == 0, overlap))
    else:
        marks = [chinese_example(mark) for mark in chinese_marks(options.data, "development")]
        show("Chinese", cross_validated(marks, lambda _: True, characters))


if __name__ == "__main__":
    main()
