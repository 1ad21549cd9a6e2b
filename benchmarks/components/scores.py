"""Means over sentences with bootstrap intervals, and the scores of an extractor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.components.pairs import Extractor, covers, matched
from benchmarks.components.published import Labelled, Marked
from scoring.hauser.components.trained.comparison import word_f1

DRAWS = 2000
Numbers = NDArray[np.float64] | NDArray[np.bool_]
SEED = 24


@dataclass(frozen=True)
class Score:
    """An estimate with the 95% percentile interval of sentences drawn with replacement."""

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:.3f} [{self.low:.3f}, {self.high:.3f}]"


def ratio(sums: Sequence[float] | Numbers, counts: Sequence[float] | Numbers) -> Score:
    """The sum of one column over that of another, with sentences as the units of the bootstrap.

    Parameters
    ----------
    sums, counts : sequence of float, shape (n_sentences,)
        What a sentence adds above and below the line.
    """
    above, below = np.asarray(sums, float), np.asarray(counts, float)
    if not below.sum():
        return Score(np.nan, np.nan, np.nan)
    generator = np.random.default_rng(SEED)
    chances = np.full(len(above), 1 / len(above))
    drawn = generator.multinomial(len(above), chances, size=DRAWS)
    totals = drawn @ below
    replicates = (drawn @ above)[totals > 0] / totals[totals > 0]
    low, high = np.quantile(replicates, [0.025, 0.975])
    return Score(float(above.sum() / below.sum()), float(low), float(high))


def part_scores(marked: Sequence[Marked], extractor: Extractor) -> dict[str, Score]:
    """Mean F1 of marked topics and vehicles, how often they are held, and right events and properties.

    A mark without a pair counts 0.
    """
    couples = [list(matched(extractor(row.sentence), row.pairs)) for row in marked]
    counts = [len(of_sentence) for of_sentence in couples]
    scores = {}
    for part in ("vehicle", "topic"):
        texts = [
            [(getattr(found, part), getattr(mark, part)) for found, mark in row if getattr(mark, part)]
            for row in couples
        ]
        of_part = counts if part == "vehicle" else [len(row) for row in texts]
        scores[part] = ratio([sum(word_f1(*pair) for pair in row) for row in texts], of_part)
        scores[f"{part} held"] = ratio([sum(covers(*pair) for pair in row) for row in texts], of_part)
    for part in ("event", "property"):
        right = [
            [
                getattr(found, part).lower() == getattr(mark, part).lower()
                for found, mark in row
                if getattr(mark, part)
            ]
            for row in couples
        ]
        scores[part] = ratio([sum(row) for row in right], [len(row) for row in right])
    return scores


def pair_scores(marked: Sequence[Marked], extractor: Extractor) -> dict[str, Score]:
    """F1 over all sentences, those without a simile included: a pair without a mark counts against it.

    Twice the words in common (as a share, pair by pair) over the number of pairs found and marked.
    """
    found = [extractor(row.sentence) for row in marked]
    couples = [list(matched(pairs, row.pairs)) for pairs, row in zip(found, marked, strict=True)]
    counts = [len(pairs) + len(row.pairs) for pairs, row in zip(found, marked, strict=True)]
    return {
        part: ratio(
            [
                2 * sum(word_f1(getattr(ours, part), getattr(mark, part)) for ours, mark in row)
                for row in couples
            ],
            counts,
        )
        for part in ("vehicle", "topic")
    }


def detection_scores(labelled: Sequence[Labelled], extractor: Extractor) -> dict[str, Score]:
    """Accuracy, precision and recall of finding a simile, and the accuracy of always answering no."""
    found = np.array([bool(extractor(row.sentence)) for row in labelled])
    truth = np.array([row.is_simile for row in labelled])
    every = np.ones(len(truth))
    return {
        "accuracy": ratio(found == truth, every),
        "precision": ratio(found & truth, found),
        "recall": ratio(found & truth, truth),
        "always no": ratio(~truth, every),
    }
