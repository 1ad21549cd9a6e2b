"""From how many items, or groups of items, does a bootstrap interval hold the truth often enough?

    python -m benchmarks.few_units [--studies 300] [--replicates 500]

Studies of three raters who rate every item, as in benchmarks/coverage.py, with new raters in each; in
the grouped ones half of the variance between items is between groups of five. The truth is that of the
study's own raters, and of all raters for the ICC. Prints the table of docs/statistics/coverage.md.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from benchmarks.simulated_studies import MIDDLE, NODES, VALUES, WEIGHTS, Population
from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.agreement.variance.icc import two_way_figures
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.data.table import Ratings, RatingsTable
from scoring.stats.metrics.meta_evaluation import evaluate_metrics

POPULATION = Population(1.0, 0.5, 0.9)
RATERS = 3
AN_GROUP = 5
METRIC_NOISE = 1.0
UNITS = (5, 7, 10, 20, 30, 60)
FIGURES = (
    "alpha ordinal",
    "alpha ordinal, BCa",
    "fleiss",
    "ac2",
    "held_out_pearson mean",
    "metric, items, Pearson",
    "icc2",
    "icc3",
    "icc2, groups not known",
    "icc3, groups not known",
)
KINDS = ("items", "groups")


@dataclass(frozen=True)
class Limits:
    """An interval with the truth it should hold."""

    name: str
    low: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        return self.low <= self.truth <= self.high


def simulate(rng: np.random.Generator, kind: str, units: int) -> tuple[pd.DataFrame, FloatArray, FloatArray]:
    """Ratings in long form, the effect of each item, and the raters' effects."""
    grouped = kind == "groups"
    items = units * AN_GROUP if grouped else units
    raters = POPULATION.draw_raters(rng, RATERS)
    group = np.arange(items) // AN_GROUP
    effects = rng.normal(0, POPULATION.item, items)
    if grouped:
        between = rng.normal(0, POPULATION.item, units)[group]
        effects = (between + effects) / math.sqrt(2)
    latent = MIDDLE + effects[:, None] + raters + rng.normal(0, POPULATION.residual, (items, RATERS))
    frame = pd.DataFrame(
        {
            "item": np.repeat([f"i{code:04d}" for code in range(items)], RATERS),
            "rater": np.tile([f"r{code}" for code in range(RATERS)], items),
            "criterion": "quality",
            "value": np.clip(np.round(latent), VALUES[0], VALUES[-1]).ravel(),
            "group": np.repeat([f"g{code:04d}" if grouped else "" for code in group], RATERS),
        }
    )
    return frame, effects, raters


def metric_truth(raters: FloatArray) -> float:
    """Correlation, over all items, of the metric with the mean rating of these raters."""
    by_rater = POPULATION.shares(POPULATION.item * NODES[:, None] + raters, POPULATION.residual)
    means = by_rater @ VALUES
    mean = means.mean(axis=1)
    noise = float(WEIGHTS @ (by_rater @ VALUES**2 - means**2).sum(axis=1)) / RATERS**2
    spread = float(WEIGHTS @ mean**2 - (WEIGHTS @ mean) ** 2) + noise
    together = float(WEIGHTS @ (POPULATION.item * NODES * mean))
    return together / math.sqrt(spread * (POPULATION.item**2 + METRIC_NOISE**2))


def limits_of(rng: np.random.Generator, kind: str, units: int, resampling: Resampling) -> Iterator[Limits]:
    """The intervals of one simulated study."""
    frame, effects, raters = simulate(rng, kind, units)
    ratings = RatingsTable.from_frame(frame, scales={"quality": (1, 5)}).criteria["quality"]
    truth = POPULATION.agreement(raters)
    bca = Resampling(resampling.replicates, resampling.seed, limits="bca")
    for figure, key in (
        (alpha(ratings, "ordinal", resampling), "alpha ordinal"),
        (fleiss(ratings, resampling), "fleiss"),
        (gwet(ratings, "quadratic", resampling), "ac2"),
    ):
        yield Limits(key, figure.low, figure.high, truth[key])
    corrected = alpha(ratings, "ordinal", bca)
    yield Limits("alpha ordinal, BCa", corrected.low, corrected.high, truth["alpha ordinal"])
    if ratings.n_items >= 10:
        held_out = held_out_figures(ratings, resampling, coefficients=["held_out_pearson"], each_rater=False)[
            0
        ]
        yield Limits("held_out_pearson mean", held_out.low, held_out.high, POPULATION.held_out(raters))
    yield metric_limits(rng, ratings, effects, raters, resampling)
    yield from icc_limits(ratings, resampling)


def icc_limits(ratings: Ratings, resampling: Resampling) -> Iterator[Limits]:
    """The intervals of ICC2 and ICC3, whose truth is that of all raters and items."""
    truth = POPULATION.intraclass(RATERS, RATERS)
    named = {"": ratings}
    if ratings.group is not None:
        named[", groups not known"] = replace(ratings, group=None)
    for suffix, one in named.items():
        for figure in two_way_figures(one, resampling):
            if figure.coefficient in FIGURES:
                name = f"{figure.coefficient}{suffix}"
                yield Limits(name, figure.low, figure.high, truth[figure.coefficient])


def metric_limits(
    rng: np.random.Generator,
    ratings: Ratings,
    effects: FloatArray,
    raters: FloatArray,
    resampling: Resampling,
) -> Limits:
    """The interval of the correlation of a metric with the mean ratings, over items."""
    keys = pd.Index(ratings.items)
    means = np.bincount(ratings.item, ratings.value) / ratings.sizes
    metric = effects + rng.normal(0, METRIC_NOISE, len(effects))
    places = pd.DataFrame(index=keys)
    if ratings.group is not None:
        places["group"] = [f"g{code}" for code in ratings.group]
    items = MeasuredItems.from_frames(
        pd.DataFrame({"quality": means}, keys), pd.DataFrame({"metric": metric}, keys), places
    )
    (figure,) = evaluate_metrics(
        items,
        levels=["item"],
        coefficients=["pearson"],
        replicates=resampling.replicates,
        seed=resampling.seed,
    ).figures
    return Limits("metric, items, Pearson", figure.low, figure.high, metric_truth(raters))


def coverage(kind: str, units: int, studies: int, replicates: int) -> dict[str, float]:
    """Per cent of the intervals that hold the truth, by figure."""
    held: dict[str, list[bool]] = defaultdict(list)
    for seed in range(studies):
        rng = np.random.default_rng([seed, units, KINDS.index(kind)])
        for one in limits_of(rng, kind, units, Resampling(replicates, seed)):
            if math.isfinite(one.low):
                held[one.name].append(one.holds)
    return {name: 100 * float(np.mean(found)) for name, found in held.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--replicates", type=int, default=500)
    asked = parser.parse_args()
    print("| resampled | " + " | ".join(FIGURES) + " |")
    print("|---|" + "---:|" * len(FIGURES))
    for units in UNITS:
        for kind in KINDS:
            found = coverage(kind, units, asked.studies, asked.replicates)
            cells = [f"{found[name]:.0f}" if name in found else "" for name in FIGURES]
            print(f"| {units} {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
