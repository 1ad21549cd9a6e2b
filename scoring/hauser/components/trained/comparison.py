"""The rules and a trained classifier on the same marks, by cross-validation."""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.base.parts import Extraction
from scoring.hauser.components.built_in import extract
from scoring.hauser.components.trained.examples import Example, Mark, examples_of
from scoring.hauser.components.trained.extractor import TrainedExtractor
from scoring.hauser.components.trained.network import Network
from scoring.hauser.components.trained.windows import Language

FOLDS = 5
DRAWS = 2000
PARTS = ("vehicle", "topic")
WORD = re.compile(r"\w+")
FloatArray = npt.NDArray[np.float64]
Train = Callable[[Sequence[Example]], Network]


@dataclass(frozen=True)
class PartF1:
    """Mean F1 of a part by both, and the difference with the 95% percentile interval of sentences drawn."""

    rules: float
    trained: float
    difference: float
    low: float
    high: float


def character_f1(found: str, marked: str) -> float:
    """F1 of the characters of two texts, repeated ones counted.

    Parameters
    ----------
    found, marked : str
        Texts of a part.
    """
    return _f1(Counter(found), Counter(marked))


def word_f1(found: str, marked: str) -> float:
    """F1 of the words of two look-up keys, repeated words counted.

    Parameters
    ----------
    found, marked : str
        Texts of a part.
    """
    return _f1(Counter(WORD.findall(lookup_key(found))), Counter(WORD.findall(lookup_key(marked))))


def _f1(found: Counter[str], marked: Counter[str]) -> float:
    shared = (found & marked).total()
    return 2 * shared / (found.total() + marked.total()) if shared else 0.0


def compare_with_rules(
    marks: Sequence[Mark],
    language: Language,
    train: Train,
    progress: Callable[[int], object] = lambda _folds: None,
) -> dict[str, PartF1]:
    """Compare a classifier with the rules, each sentence by one that was trained without it.

    Parameters
    ----------
    marks : sequence of Mark
        At least `FOLDS` sentences with marks that can be learned (`examples_of`).
    language : {"zh", "en"}
        F1 is that of characters of Chinese, and of words of look-up keys of English.
    train : callable
        Examples to a network.
    progress : callable
        Called with 1 after each of the five folds.

    Returns
    -------
    dict of str to PartF1
        By `vehicle` and `topic`; a mark without a topic does not count for topics.
    """
    by_rules, trained = np.zeros((len(marks), 2)), np.zeros((len(marks), 2))
    fold_of = folds([mark.sentence for mark in marks])
    rules = functools.partial(extract, known_simile=True)
    for fold in range(FOLDS):
        inside = [mark for mark in marks if fold_of[mark.sentence] != fold]
        network = train(examples_of(inside, language)[0])
        extractor = TrainedExtractor(network, language, known_similes=True)
        for at, mark in enumerate(marks):
            if fold_of[mark.sentence] == fold:
                by_rules[at] = part_f1(rules(mark.sentence), mark, language)
                trained[at] = part_f1(extractor(mark.sentence), mark, language)
        progress(1)
    has_topic = np.array([bool(mark.topic) for mark in marks])
    counted = {"vehicle": np.ones(len(marks), bool), "topic": has_topic}
    sentences = np.unique([mark.sentence for mark in marks], return_inverse=True)[1]
    return {
        part: _compared(by_rules[rows, n], trained[rows, n], sentences[rows])
        for n, part in enumerate(PARTS)
        if (rows := counted[part]).any()
    }


def folds(sentences: Sequence[str]) -> dict[str, int]:
    """The fold of each sentence: folds of equal size, in the order of digests of the sentences."""
    ordered = sorted(set(sentences), key=lambda one: hashlib.sha256(one.encode()).digest())
    return {sentence: place % FOLDS for place, sentence in enumerate(ordered)}


def part_f1(found: Extraction, mark: Mark, language: Language) -> tuple[float, float]:
    """F1 of vehicle and topic of the pair whose vehicle fits a mark best; 0 without a pair."""
    f1 = character_f1 if language == "zh" else word_f1
    best = max(found.pairs, key=lambda pair: f1(pair.vehicle.text, mark.vehicle), default=None)
    if best is None:
        return 0.0, 0.0
    return f1(best.vehicle.text, mark.vehicle), f1(best.topic.text if best.topic else "", mark.topic)


def _compared(rules: FloatArray, trained: FloatArray, sentences: npt.NDArray[np.intp]) -> PartF1:
    sums = np.bincount(sentences, trained - rules)
    counts = np.bincount(sentences)
    sums, counts = sums[counts > 0], counts[counts > 0]
    drawn = np.random.default_rng(0).multinomial(
        len(counts), np.full(len(counts), 1 / len(counts)), size=DRAWS
    )
    low, high = np.quantile((drawn @ sums) / (drawn @ counts), [0.025, 0.975])
    return PartF1(
        float(rules.mean()),
        float(trained.mean()),
        float((trained - rules).mean()),
        float(low),
        float(high),
    )
