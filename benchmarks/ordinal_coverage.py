"""How often do the intervals of the ordinal mixed model hold the truth?

    python -m benchmarks.ordinal_coverage [--studies 300]

Ratings from 1 to 5 follow the model: systems, four by default, differ by equal steps or not;
items differ with a standard deviation of 1 logit, raters with 0.6. Each study draws new items and raters.
Counted are the interval of each adjusted mean, all intervals of differences together, and that of each
rater's severity in logits, compared with the other raters of the study. Prints a table for
docs/statistics/ordinal-model.md, with the number of studies that have no model, and of those that have no
severity because the variance of raters is estimated as 0.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.ordinal_model import OrdinalModel, ordinal_model
from scoring.stats.base.resampling import FloatArray

THRESHOLDS = np.array([-2.2, -0.8, 0.6, 2.0])
ITEM_SD, RATER_SD = 1.0, 0.6
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
COUNTED = ("means", "all differences", "severity")


@dataclass(frozen=True)
class Design:
    """What is simulated."""

    items: int
    raters: int
    ratings_an_item: int
    step: float  # Logits between one system and the next
    systems: int = 4

    @property
    def name(self) -> str:
        whole = self.ratings_an_item == self.raters
        each = f"{self.raters}" if whole else f"{self.ratings_an_item} of {self.raters}"
        of = "" if self.systems == 4 else f" of {self.systems} systems"
        return f"{self.items} items{of} × {each} raters"

    @property
    def effects(self) -> FloatArray:
        return np.asarray(self.step * np.arange(self.systems), dtype=np.float64)

    @property
    def means(self) -> FloatArray:
        """Expected rating of each system over all items and raters."""
        spread = np.hypot(ITEM_SD, RATER_SD) * NODES
        below = expit(THRESHOLDS[:, None, None] - self.effects[:, None] - spread)
        return np.asarray((5 - below.sum(axis=0)) @ (WEIGHTS / WEIGHTS.sum()), dtype=np.float64)

    def simulate(self, rng: np.random.Generator) -> tuple[pd.DataFrame, FloatArray]:
        """One study, and the effect of each of its raters."""
        item_effects = rng.normal(0, ITEM_SD, self.items)
        rater_effects = rng.normal(0, RATER_SD, self.raters)
        chosen = [rng.choice(self.raters, self.ratings_an_item, replace=False) for _ in range(self.items)]
        item, rater = np.repeat(np.arange(self.items), self.ratings_an_item), np.concatenate(chosen)
        system = item % self.systems
        latent = self.effects[system] + item_effects[item] + rater_effects[rater]
        latent += rng.logistic(size=len(item))
        frame = pd.DataFrame(
            {
                "item": [f"i{one}" for one in item],
                "rater": [f"r{one:03d}" for one in rater],
                "system": [f"s{one}" for one in system],
                "criterion": "quality",
                "value": 1 + np.searchsorted(THRESHOLDS, latent),
            }
        )
        return frame, rater_effects


def held(design: Design, model: OrdinalModel, rater_effects: FloatArray) -> Iterator[tuple[str, bool]]:
    """Whether each interval holds its truth."""
    means = design.means
    for truth, mean in zip(means, model.adjusted.means, strict=True):
        yield "means", mean.low <= truth <= mean.high
    yield (
        "all differences",
        all(
            one.difference.low <= means[one.first] - means[one.second] <= one.difference.high
            for one in model.adjusted.contrasts
        ),
    )
    severities = rater_effects.mean() - rater_effects
    for rater in model.raters:
        if rater.logits:
            yield "severity", rater.logits.low <= severities[int(rater.rater[1:])] <= rater.logits.high


def row(design: Design, studies: int) -> str:
    counted: defaultdict[str, list[bool]] = defaultdict(list)
    refused = without_severity = 0
    for seed in range(studies):
        frame, rater_effects = design.simulate(np.random.default_rng([seed, design.items, design.raters]))
        try:
            model = ordinal_model(frame, seed=seed)
        except NotFitted:
            refused += 1
            continue
        without_severity += model.raters[0].severity is None
        for name, holds in held(design, model, rater_effects):
            counted[name].append(holds)
    cells = [f"{100 * np.mean(counted[name]):.1f}" for name in COUNTED]
    systems = f"steps of {design.step} logits" if design.step else "equal"
    return f"| {design.name} | {systems} | {' | '.join(cells)} | {refused} | {without_severity} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=300)
    asked = parser.parse_args()
    print(
        "| design | systems | adjusted mean | all differences together | severity | no model | no severity |"
    )
    print("|---|---|---:|---:|---:|---:|---:|")
    for items, raters, each in ((20, 4, 4), (100, 5, 5), (200, 40, 5), (100, 12, 4)):
        for step in (0.0, 0.4):
            print(row(Design(items, raters, each, step), asked.studies), flush=True)
    for systems in (10, 20):
        print(row(Design(100, 12, 4, 0.0, systems), asked.studies), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
