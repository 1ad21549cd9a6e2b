"""Extractors of simile components against marks by people.

    python -m benchmarks.components                     two thirds of the published sets, for development
    python -m benchmarks.components --side held         the third that was set aside
    python -m benchmarks.components --marks FILE        the marks of an annotator
    python -m benchmarks.components --marks A --marks B two annotators, and their agreement

A part is compared as its look-up key (`lookup_key`) by the F1 of its words, and the extractor knows that a
marked sentence is a simile; the second line of a set is without that. Intervals are 95% percentile intervals
of sentences drawn with replacement.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from benchmarks.components.chinese import chinese_marks, chinese_scores
from benchmarks.components.extractors import extractor_of
from benchmarks.components.marks import Annotation, agreement, as_labelled, as_marked, read_marks
from benchmarks.components.published import DATA, labelled_set, marked_sets
from benchmarks.components.scores import Score, detection_scores, pair_scores, part_scores
from benchmarks.components.speed import print_speed
from benchmarks.components.split import Side


def show(name: str, n: int, scores: Mapping[str, Score]) -> None:
    cells = [f"{label} {score}" for label, score in scores.items() if score.estimate == score.estimate]
    print(f"{name:<38} {n:>5}  " + "  ".join(cells))


def evaluate_published(data: Path, side: Side | None, name: str) -> None:
    informed, alone = extractor_of(name, known_similes=True), extractor_of(name, known_similes=False)
    for label, rows in marked_sets(data, side).items():
        n = sum(len(row.pairs) for row in rows)
        show(label, n, part_scores(rows, informed))
        show("  with its own detection", n, part_scores(rows, alone))
    labelled = labelled_set(data, side)
    show("detection", len(labelled), detection_scores(labelled, alone))
    marks = chinese_marks(data, side)
    show("CMDAG (characters)", len(marks), chinese_scores(marks, alone))


def evaluate_marks(path: Path, annotations: list[Annotation], name: str) -> None:
    informed, alone = extractor_of(name, known_similes=True), extractor_of(name, known_similes=False)
    similes = as_marked([row for row in annotations if row.is_simile])
    n = sum(len(row.pairs) for row in similes)
    show(path.name, n, part_scores(similes, informed))
    show("  with its own detection", n, part_scores(similes, alone))
    show("  all pairs of all sentences", n, pair_scores(as_marked(annotations), alone))
    show("  detection", len(annotations), detection_scores(as_labelled(annotations), alone))


def show_agreement(first: list[Annotation], second: list[Annotation]) -> None:
    found = agreement(first, second)
    print(
        f"two annotators, {found.n_sentences} sentences: equal labels {found.equal_labels},"
        f" kappa {found.kappa:.3f}"
    )
    print(f"  all pairs: vehicle F1 {found.vehicle}, topic F1 {found.topic}")
    print(f"  both see a simile: vehicle F1 {found.vehicle_in_common}, topic F1 {found.topic_in_common}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the published data sets")
    parser.add_argument("--side", choices=["development", "held", "all"], default="development")
    parser.add_argument("--extractor", default="built-in", help="built-in, cut, spacy:NAME or trained:FOLDER")
    parser.add_argument(
        "--marks", type=Path, action="append", default=[], help="marks of an annotator (JSON)"
    )
    parser.add_argument("--speed", action="store_true", help="measure sentences a second as well")
    options = parser.parse_args()
    annotated = [read_marks(path) for path in options.marks]
    for path, rows in zip(options.marks, annotated, strict=True):
        evaluate_marks(path, rows, options.extractor)
    if len(annotated) == 2:
        show_agreement(*annotated)
    if not annotated:
        side = None if options.side == "all" else options.side
        evaluate_published(options.data, side, options.extractor)
    if options.speed:
        print_speed(options.data, options.extractor)


if __name__ == "__main__":
    main()
