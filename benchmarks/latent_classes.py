"""How well Dawid and Skene’s model and MACE recover classes and accuracies of simulated raters.

`python -m benchmarks.latent_classes [--studies N]` prints a table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings
from scoring.stats.raters.latent_classes.fit import MODELS, LatentClasses, fit_classes

SEED = 23


@dataclass(frozen=True)
class Simulated:
    """Raters who choose the class of an item with a probability of their own, or else another option."""

    name: str
    items: int
    raters: int
    answers: int  # An item, by raters drawn at random
    classes: int
    low: float  # Accuracy of the raters, drawn evenly from here
    high: float  # to here
    guessing: int = 0  # Raters who choose at random instead
    first: float = 0.0  # Share of items that are of the first class for certain; the others are drawn evenly

    def study(self, draw: np.random.Generator) -> tuple[Ratings, IntArray, FloatArray]:
        """The answers, the class of each item, and the accuracy of each rater."""
        truth = draw.integers(0, self.classes, self.items)
        truth[draw.random(self.items) < self.first] = 0
        accuracy = draw.uniform(self.low, self.high, self.raters)
        accuracy[: self.guessing] = 1 / self.classes
        rater = np.argsort(draw.random((self.items, self.raters)), axis=1)[:, : self.answers]
        item = np.repeat(np.arange(self.items), self.answers)
        rater = rater.ravel()
        wrong = (truth[item] + draw.integers(1, self.classes, len(item))) % self.classes
        value = np.where(draw.random(len(item)) < accuracy[rater], truth[item], wrong)
        ratings = Ratings(
            criterion="class",
            item=item,
            rater=rater,
            value=value.astype(np.float64),
            items=np.arange(self.items).astype(str),
            raters=tuple(f"r{place}" for place in range(self.raters)),
            group=None,
            categories=np.arange(self.classes, dtype=np.float64),
            identified=True,
            cannot_rate=0,
            nominal=True,
        )
        return ratings, truth, accuracy


DESIGNS = (
    Simulated("five raters of every item", 100, 5, 5, 3, 0.5, 0.95),
    Simulated("five raters of every item", 500, 5, 5, 3, 0.5, 0.95),
    Simulated("three of ten raters", 300, 10, 3, 3, 0.5, 0.95),
    Simulated("five of 30 raters", 600, 30, 5, 4, 0.5, 0.95),
    Simulated("five of 30 raters, ten guess", 600, 30, 5, 4, 0.6, 0.95, guessing=10),
    Simulated("five raters, one common class", 300, 5, 5, 3, 0.5, 0.95, first=0.8),
    Simulated("five poor raters", 300, 5, 5, 3, 0.35, 0.6),
    Simulated("two of ten raters", 300, 10, 2, 3, 0.5, 0.95),
    Simulated("three raters of few items", 30, 3, 3, 3, 0.5, 0.95),
)


def majority_right(ratings: Ratings, truth: IntArray) -> float:
    """Share of items whose majority is the class; of tied options each counts its part."""
    votes = np.zeros((ratings.n_items, len(ratings.categories)))
    np.add.at(votes, (ratings.item, ratings.value.astype(np.int64)), 1)
    tied = votes == votes.max(axis=1, keepdims=True)
    return float((tied[np.arange(len(truth)), truth] / tied.sum(axis=1)).mean())


def results(design: Simulated, studies: int) -> Iterator[tuple[str, FloatArray]]:
    """By model: share right by majority and model, mean probability, error of accuracies, cautions."""
    found: dict[str, list[list[float]]] = {model: [] for model in MODELS}
    for number in range(studies):
        ratings, truth, accuracy = design.study(np.random.default_rng([SEED, number]))
        for model in MODELS:
            one = fit_classes(ratings, model, seed=number)
            own = measures(one, truth, accuracy) if not one.reason else [np.nan] * 3
            cautions = float("starts_disagree" in one.cautions), float("labels_switched" in one.cautions)
            found[model].append([majority_right(ratings, truth), *own, *cautions, float(bool(one.reason))])
    for name, rows in found.items():
        yield name, np.asarray(np.nanmean(np.array(rows), axis=0), dtype=np.float64)


def measures(one: LatentClasses, truth: IntArray, accuracy: FloatArray) -> list[float]:
    """Share right, mean probability of the estimated class, root mean squared error of accuracies."""
    right = float((one.classes[one.estimated] == truth).mean())
    error = float(np.sqrt(np.nanmean((one.accuracy - accuracy) ** 2)))
    return [right, float(one.posterior.max(axis=1).mean()), error]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200)
    studies = parser.parse_args().studies
    print(f"{studies} studies each; shares in percent")
    print("| raters | items | classes | model | majority right | class right | mean probability |", end="")
    print(" error of accuracies | starts disagree | switched | not estimated |")
    print("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for design in DESIGNS:
        for model, row in results(design, studies):
            majority, right, probability, error, *shares = row
            cells = [f"{100 * one:.1f}" for one in (majority, right, probability)]
            rates = [f"{100 * one:.1f}" for one in shares]
            place = f"| {design.name} | {design.items} | {design.classes} | {model} "
            print(f"{place}| {' | '.join([*cells, f'{error:.3f}', *rates])} |", flush=True)


if __name__ == "__main__":
    main()
