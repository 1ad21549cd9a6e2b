"""Simulated designs that R's lme4 has fitted.

`python -m tests.stats.agreement.generalisability.designs FOLDER` writes them;
`Rscript tests/stats/agreement/generalisability/lme4.R FOLDER` then prints the content of `lme4.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

TRUTH = {
    "item": 1.0,
    "rater": 0.3,
    "criterion": 0.2,
    "group": 0.4,
    "item:rater": 0.2,
    "item:criterion": 0.15,
    "rater:criterion": 0.1,
    "group:rater": 0.2,
    "group:criterion": 0.1,
    "residual": 0.8,
}


@dataclass(frozen=True)
class Simulated:
    """Sizes of a design and the variances behind it."""

    seed: int
    items: int
    raters: int
    per_item: int
    criteria: int = 1
    groups: int = 0
    missing: float = 0.0  # Share of the ratings that are left out
    points: bool = False  # Whether ratings are rounded to 1 to 5
    truth: Mapping[str, float] = field(default_factory=lambda: TRUTH)


DESIGNS = {
    "complete": Simulated(1, 40, 5, 5),
    "incomplete": Simulated(2, 150, 20, 4, missing=0.1),
    "rounded": Simulated(3, 120, 12, 4, missing=0.2, points=True),
    "groups": Simulated(4, 120, 12, 4, groups=20),
    "criteria": Simulated(5, 60, 8, 3, criteria=4),
    "criteria, some missing": Simulated(6, 60, 8, 4, criteria=3, missing=0.15),
    "criteria and groups": Simulated(7, 90, 9, 4, criteria=3, groups=15, missing=0.05),
    "raters alike": Simulated(8, 80, 8, 4, truth={"item": 0.5, "residual": 1.0}),
    "many raters, few items": Simulated(9, 12, 60, 25),
}


def simulated(design: Simulated) -> pd.DataFrame:
    """Draw the ratings of a design, in long form; `truth` has the variances that apply."""
    draw = np.random.default_rng(design.seed)
    chosen = [draw.permutation(design.raters)[: design.per_item] for _ in range(design.items)]
    item = np.repeat(np.arange(design.items), design.per_item * design.criteria)
    rater = np.repeat(np.concatenate(chosen), design.criteria)
    criterion = np.tile(np.arange(design.criteria), design.items * design.per_item)
    levels = {"item": item, "rater": rater}
    if design.criteria > 1:
        levels["criterion"] = criterion
    if design.groups:
        levels["group"] = item % design.groups
    value = 3 + np.zeros(len(item))
    for name, variance in design.truth.items():
        facets = name.split(":")
        if name == "residual":
            value += variance**0.5 * draw.standard_normal(len(item))
        elif all(facet in levels for facet in facets):
            sizes = [int(levels[facet].max()) + 1 for facet in facets]
            effect = variance**0.5 * draw.standard_normal(sizes)
            value += effect[tuple(levels[facet] for facet in facets)]
    if design.points:
        value = np.clip(np.round(value), 1, 5)
    frame = pd.DataFrame({facet: [f"{facet} {code:03}" for code in codes] for facet, codes in levels.items()})
    if design.criteria == 1:
        frame["criterion"] = "quality"
    return frame.assign(value=value)[draw.random(len(item)) >= design.missing].reset_index(drop=True)


if __name__ == "__main__":
    for name, one in DESIGNS.items():
        simulated(one).to_csv(Path(sys.argv[1]) / f"{name}.csv", index=False)
