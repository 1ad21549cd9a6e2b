"""How often do the intervals of correlations over systems hold the truth: of these systems, and of new ones?

    python -m benchmarks.system_level [--studies 300] [--replicates 200]

Each study has one item of every system in every group, with three ratings by raters of their own, on a
continuous scale or on 1 to 5 with most ratings at the upper end. Quality and a metric's view of it differ
between systems with a correlation of ρ; items differ within a system, and the metric follows that in part.
The truth of these systems is the correlation of their expected means; that of new ones is over all systems.
Prints a table for docs/statistics/coverage.md and keeps it, cell by cell, in
docs/statistics/system-level.json; cells that are there are not simulated again.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import norm

from benchmarks.simulated_studies import NODES, WEIGHTS
from scoring.stats.base.association import COEFFICIENTS, Coefficient, associations
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.system_level import SystemLevel

STORED = Path(__file__).resolve().parents[1] / "docs" / "statistics" / "system-level.json"
RATINGS_AN_ITEM = 3
GROUP, ITEM, RATING = 0.5, 0.6, 0.9
# How far the metric follows the differences between items of a system, and its own noise.
FOLLOWS, METRIC_NOISE = 0.4, 0.7
EDGES = np.array([-2.2, -1.6, -1.0, -0.2])
SYSTEMS, GROUPS = (6, 10, 20, 40), (30, 96)
POPULATIONS = (
    ("skewed 1–5", 0.4, 0.7),
    ("continuous", 0.4, 0.7),
    ("skewed 1–5", 0.2, 0.7),
    ("continuous", 0.4, 0.0),
)
TRUTHS = ("these", "new")
ASPIRED = (93.0, 97.0)


@dataclass(frozen=True)
class Design:
    """What is simulated."""

    scale: str
    spread: float  # Standard deviation between systems; that within them is about 0.8
    rho: float
    systems: int
    groups: int

    @property
    def key(self) -> str:
        return f"{self.scale}|{self.spread}|{self.rho}|{self.systems}|{self.groups}"

    def expected(self, quality: FloatArray) -> FloatArray:
        """Expected rating of systems of these qualities."""
        if self.scale == "continuous":
            return quality
        below = norm.cdf((EDGES - quality[:, None]) / math.sqrt(GROUP**2 + ITEM**2 + RATING**2))
        return np.asarray(1 + (1 - below).sum(axis=1), dtype=np.float64)

    def simulate(self, rng: np.random.Generator) -> tuple[MeasuredItems, FloatArray]:
        """One study, and the expected mean rating and score of each of its systems."""
        quality = rng.normal(0, self.spread, self.systems)
        own = rng.normal(0, self.spread, self.systems)
        view = self.rho * quality + math.sqrt(1 - self.rho**2) * own
        group = rng.normal(0, GROUP, (self.groups, 1))
        item = rng.normal(0, ITEM, (self.groups, self.systems))
        latent = quality + group + item
        ratings = latent[..., None] + rng.normal(0, RATING, (*latent.shape, RATINGS_AN_ITEM))
        if self.scale != "continuous":
            ratings = np.asarray(1.0 + np.searchsorted(EDGES, ratings), dtype=np.float64)
        scores = view + FOLLOWS * (group + item) + rng.normal(0, METRIC_NOISE, latent.shape)
        truth = np.column_stack([view, self.expected(quality)])
        return _measured(ratings.mean(axis=-1), scores), truth

    def truth_of_all(self, coefficient: Coefficient) -> float:
        """The correlation over all systems."""
        if coefficient != "pearson":
            angle = math.asin(self.rho / 2) * 3 if coefficient == "spearman" else math.asin(self.rho)
            return 2 / math.pi * angle
        rated = self.expected(self.spread * NODES)
        rated = np.asarray(rated - WEIGHTS @ rated, dtype=np.float64)
        return float(self.rho * (WEIGHTS @ (NODES * rated)) / math.sqrt(WEIGHTS @ rated**2))


def _measured(human: FloatArray, scores: FloatArray) -> MeasuredItems:
    groups, systems = human.shape
    return MeasuredItems(
        items=tuple(map(str, range(human.size))),
        group=np.repeat(np.arange(groups), systems),
        groups=tuple(map(str, range(groups))),
        system=np.tile(np.arange(systems), groups),
        systems=tuple(map(str, range(systems))),
        criteria=("quality",),
        human=human.reshape(-1, 1),
        metrics=("metric",),
        scores=scores.reshape(-1, 1),
    )


def missed(design: Design, seed: int, replicates: int) -> Iterator[tuple[str, float, bool]]:
    """For each interval: -1 where all of it is above the truth, 1 below, 0 where it holds it; and the p test.

    The third is whether the interval leaves 0 out.
    """
    rng = np.random.default_rng([seed, design.systems, design.groups])
    items, means = design.simulate(rng)
    scores, human = (
        values.reshape(design.groups, design.systems).mean(axis=0)[:, None]
        for values in (items.scores, items.human)
    )
    for coefficient in COEFFICIENTS:
        estimate = float(associations(scores, human, coefficient)[0, 0])
        truths = (
            float(associations(means[:, :1], means[:, 1:], coefficient)[0, 0]),
            design.truth_of_all(coefficient),
        )
        found = SystemLevel(items, coefficient, Resampling(replicates, seed)).infer((0, 0), estimate)
        for name, truth, inference in zip(TRUTHS, truths, found, strict=True):
            low, high = inference.interval.low, inference.interval.high
            side = float(truth > high + 1e-9) - float(truth < low - 1e-9)
            excludes = low > 0 or high < 0
            if not math.isnan(low) and excludes != (inference.p < 0.05):
                raise AssertionError(f"{design.key}, {coefficient}, {name}: interval and p disagree")
            yield f"{coefficient}|{name}", side if math.isfinite(low) else math.nan, excludes


def cell(design: Design, studies: int, replicates: int) -> dict[str, dict[str, float]]:
    """Coverage, misses on either side and share without an interval, by coefficient and truth."""
    sides: dict[str, list[float]] = {}
    for seed in range(studies):
        for key, side, _ in missed(design, seed, replicates):
            sides.setdefault(key, []).append(side)
    found = {}
    for key, values in sides.items():
        known = np.array(values)[np.isfinite(values)]
        found[key] = {
            "coverage": round(100 * float(np.mean(known == 0)), 1),
            "too_high": round(100 * float(np.mean(known < 0)), 1),
            "too_low": round(100 * float(np.mean(known > 0)), 1),
            "intervals": len(known),
        }
    return found


def designs() -> Iterator[Design]:
    for population, systems, groups in product(POPULATIONS, SYSTEMS, GROUPS):
        yield Design(*population, systems, groups)


def table(cells: dict[str, dict[str, dict[str, float]]]) -> str:
    """As Markdown; what is outside 93 to 97 % is in bold."""
    columns = [f"{systems} × {groups}" for systems, groups in product(SYSTEMS, GROUPS)]
    lines = ["| ratings | SD of systems | ρ | coefficient | truth of | " + " | ".join(columns) + " |"]
    lines.append("|---|---:|---:|---|---|" + "---:|" * len(columns))
    for population, coefficient, truth in product(POPULATIONS, COEFFICIENTS, TRUTHS):
        shown = [
            _shown(cells.get(Design(*population, *size).key, {}).get(f"{coefficient}|{truth}"))
            for size in product(SYSTEMS, GROUPS)
        ]
        head = f"| {population[0]} | {population[1]} | {population[2]} | {coefficient} | {truth} systems | "
        lines.append(head + " | ".join(shown) + " |")
    return "\n".join(lines)


def _shown(found: dict[str, float] | None) -> str:
    if found is None:
        return ""
    text = f"{found['coverage']:.0f}"
    return text if ASPIRED[0] <= found["coverage"] <= ASPIRED[1] else f"**{text}**"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--again", action="store_true", help="simulate what is stored, too")
    asked = parser.parse_args()
    settings = {"studies": asked.studies, "replicates": asked.replicates}
    stored = json.loads(STORED.read_text()) if STORED.exists() and not asked.again else {}
    cells = stored.get("cells", {}) if {**stored, **settings} == stored else {}
    for design in designs():
        if design.key not in cells:
            cells[design.key] = cell(design, asked.studies, asked.replicates)
            STORED.write_text(json.dumps({**settings, "cells": cells}, indent=1) + "\n", encoding="utf-8")
            print(f"{design.key}: {cells[design.key]}", file=sys.stderr, flush=True)
    print(table(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
