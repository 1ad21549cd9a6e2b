"""Marks of an annotator from a file, and the agreement of two annotators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.components.pairs import Pair, matched
from benchmarks.components.published import Labelled, Marked
from benchmarks.components.scores import Score, ratio
from scoring.hauser.components.trained.comparison import word_f1


@dataclass(frozen=True)
class Annotation:
    """What one annotator says of one sentence."""

    id: str
    sentence: str
    is_simile: bool
    pairs: list[Pair]


def read_marks(path: Path) -> list[Annotation]:
    """Read `[{"id", "sentence", "simile": 0 or 1, "pairs": [{"topic", "vehicle"}]}]`.

    Parameters
    ----------
    path : Path
        A JSON file in UTF-8. A topic may be empty or null; a vehicle may not.

    Raises
    ------
    ValueError
        Where a simile has no pair, another sentence has one, a vehicle is empty, or an ID is repeated.
    """
    annotations = [_annotation(row, path) for row in json.loads(path.read_text(encoding="utf-8"))]
    if len({annotation.id for annotation in annotations}) < len(annotations):
        raise ValueError(f"{path}: an ID is repeated; give every sentence an ID of its own")
    return annotations


def _annotation(row: dict[str, Any], path: Path) -> Annotation:
    pairs = [Pair(pair.get("topic") or "", pair["vehicle"]) for pair in row["pairs"] or ()]
    annotation = Annotation(str(row["id"]), str(row["sentence"]), row["simile"] in (1, True), pairs)
    if annotation.is_simile != bool(pairs) or not all(pair.vehicle for pair in pairs):
        raise ValueError(f"{path}: {annotation.id} needs pairs with a vehicle if it is a simile, else none")
    return annotation


def as_marked(annotations: Sequence[Annotation]) -> list[Marked]:
    return [Marked(row.sentence, row.pairs) for row in annotations]


def as_labelled(annotations: Sequence[Annotation]) -> list[Labelled]:
    return [Labelled(row.sentence, row.is_simile) for row in annotations]


@dataclass(frozen=True)
class Agreement:
    """Two annotators compared on the sentences that both marked."""

    n_sentences: int
    equal_labels: Score
    kappa: float
    vehicle: Score  # F1 of the words over the pairs of both, sentences that one calls no simile included
    topic: Score
    vehicle_in_common: Score  # The same where both see a simile
    topic_in_common: Score


def agreement(first: Sequence[Annotation], second: Sequence[Annotation]) -> Agreement:
    """Agreement of two annotators: labels by Cohen's κ, parts by the F1 of their words."""
    others = {row.id: row for row in second}
    both = [(row, others[row.id]) for row in first if row.id in others]
    similes = [(ours, theirs) for ours, theirs in both if ours.is_simile and theirs.is_simile]
    labels = [(ours.is_simile, theirs.is_simile) for ours, theirs in both]
    return Agreement(
        len(both),
        ratio([ours == theirs for ours, theirs in labels], [1] * len(labels)),
        _kappa(labels),
        _common(both, "vehicle"),
        _common(both, "topic"),
        _common(similes, "vehicle"),
        _common(similes, "topic"),
    )


def _kappa(labels: Sequence[tuple[bool, bool]]) -> float:
    n = len(labels)
    observed = sum(ours == theirs for ours, theirs in labels) / n
    yes, also_yes = (sum(pair[side] for pair in labels) / n for side in (0, 1))
    expected = yes * also_yes + (1 - yes) * (1 - also_yes)
    return (observed - expected) / (1 - expected) if expected < 1 else float("nan")


def _common(both: Sequence[tuple[Annotation, Annotation]], part: str) -> Score:
    shared = [
        2
        * sum(
            word_f1(getattr(found, part), getattr(mark, part))
            for found, mark in matched(ours.pairs, theirs.pairs)
        )
        for ours, theirs in both
    ]
    return ratio(shared, [len(ours.pairs) + len(theirs.pairs) for ours, theirs in both])
