"""The rules and an extractor that is trained on marks, by cross-validation on the development side.

    python -m benchmarks.components.compare_trained [--data DIR] [--language zh|en] [--held] [--marked N]

Five folds; sentences that belong together are in one fold, and each is given to the extractor that was
trained without it. English: the sets whose marks are whole phrases (`components.csv` and HAUSER). Chinese:
CMDAG. `--marked N` trains with N of the marked sentences, drawn by digest.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.components.chinese import chinese_marks, chinese_scores
from benchmarks.components.extractors import as_pairs, extractor_of
from benchmarks.components.pairs import Extractor, Pair
from benchmarks.components.published import DATA, Marked, marked_sets
from benchmarks.components.scores import Score, part_scores
from benchmarks.components.split import Side
from scoring.backends.component_training import train_network
from scoring.hauser.components.trained.examples import Mark, examples_of
from scoring.hauser.components.trained.extractor import TrainedExtractor
from scoring.hauser.components.trained.windows import LANGUAGES, Language

FOLDS = 5
SEED = 7


def digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(f"fold|{text}".encode()).digest()[:4])


def marked_rows(data: Path, side: Side, language: Language) -> list[Marked]:
    """Marked sentences of a side."""
    if language == "zh":
        return [Marked(mark.text, [Pair(mark.topic, mark.vehicle)]) for mark in chinese_marks(data, side)]
    sets = marked_sets(data, side)
    return [row for name, rows in sets.items() if not name.startswith("probing") for row in rows]


def trained_on(rows: Sequence[Marked], language: Language, most: int | None) -> Extractor:
    """An extractor that is trained on marked sentences, or on some of them."""
    taken = sorted(rows, key=lambda row: (digest(f"taken|{row.sentence}"), row.sentence))[:most]
    marks = [Mark(row.sentence, pair.topic, pair.vehicle) for row in taken for pair in row.pairs]
    examples, left_out = examples_of(marks, language)
    print(f"trained on {len(examples)} marks, {len(left_out)} left out", flush=True)
    return as_pairs(TrainedExtractor(train_network(examples, SEED), language, known_similes=True))


def cross_validated(rows: Sequence[Marked], language: Language, most: int | None) -> Extractor:
    """Give each sentence to the extractor that was trained without its fold."""
    folds = {row.sentence: digest(row.belongs_to or row.sentence) % FOLDS for row in rows}
    extractors = [
        trained_on([row for row in rows if folds[row.sentence] != fold], language, most)
        for fold in range(FOLDS)
    ]
    return lambda sentence: extractors[folds[sentence]](sentence)


def scores_of(
    data: Path, side: Side, rows: Sequence[Marked], language: Language, extractor: Extractor
) -> Mapping[str, Score]:
    return (
        chinese_scores(chinese_marks(data, side), extractor)
        if language == "zh"
        else part_scores(rows, extractor)
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the published data sets")
    parser.add_argument("--language", choices=LANGUAGES, default="zh")
    parser.add_argument("--held", action="store_true", help="train on two thirds, measure on the third")
    parser.add_argument("--marked", type=int, help="number of marked sentences to train with")
    options = parser.parse_args()
    language: Language = options.language
    rows = marked_rows(options.data, "development", language)
    side: Side = "held" if options.held else "development"
    measured = marked_rows(options.data, side, language)
    train = trained_on if options.held else cross_validated
    trained = train(rows, language, options.marked)
    extractors = {"rules": extractor_of("built-in", known_similes=True), "trained": trained}
    for name, extractor in extractors.items():
        found = scores_of(options.data, side, measured, language, extractor)
        print(f"{language} {side} {name:<8} vehicle {found['vehicle']}  topic {found['topic']}", flush=True)


if __name__ == "__main__":
    main()
