"""Simulated designs that R's clmm has fitted.

`python -m tests.stats.agreement.ordinal.designs FOLDER` writes them;
`Rscript tests/stats/agreement/ordinal/clmm.R FOLDER` then prints the content of `clmm.json`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Simulated:
    """Sizes of a design and the truth behind it."""

    seed: int
    items: int
    raters: int
    per_item: int
    systems: int = 1
    groups: int = 0
    cuts: tuple[float, ...] = (-1.5, -0.3, 0.8, 2.0)
    deviations: tuple[float, float, float] = (1.0, 0.6, 0.5)  # Items, raters, groups
    step: float = 0.5  # From one system to the next, in logits


DESIGNS = {
    "complete": Simulated(1, 60, 6, 6, systems=3),
    "incomplete": Simulated(2, 150, 20, 4, systems=4),
    "groups": Simulated(3, 120, 12, 4, systems=5, groups=24),
    "skewed": Simulated(4, 200, 10, 3, systems=2, cuts=(1.0, 2.0, 3.0, 4.0)),
    "seven points": Simulated(5, 100, 15, 5, systems=3, cuts=(-3, -1.5, -0.5, 0.5, 1.5, 3)),
    "two categories": Simulated(6, 150, 8, 4, systems=2, cuts=(0.3,)),
    "no system": Simulated(7, 120, 9, 3),
    "raters alike": Simulated(8, 100, 10, 4, systems=2, deviations=(1.2, 0.0, 0.0)),
}


def simulated(design: Simulated) -> pd.DataFrame:
    """Draw the ratings of a design, in long form."""
    draw = np.random.default_rng(design.seed)
    item = np.repeat(np.arange(design.items), design.per_item)
    rater = np.concatenate([draw.permutation(design.raters)[: design.per_item] for _ in range(design.items)])
    system = item % design.systems
    of_items, of_raters, of_groups = design.deviations
    latent = (
        of_items * draw.standard_normal(design.items)[item]
        + of_raters * draw.standard_normal(design.raters)[rater]
        + design.step * system
        + draw.logistic(size=len(item))
    )
    columns = {
        "item": [f"item {code}" for code in item],
        "rater": [f"R-{code:02}" for code in rater],
        "criterion": "quality",
        "system": [f"system {code}" for code in system],
    }
    if design.groups:
        group = item // design.systems % design.groups
        latent += of_groups * draw.standard_normal(design.groups)[group]
        columns["group"] = [f"group {code}" for code in group]
    return pd.DataFrame(columns | {"value": 1 + np.digitize(latent, design.cuts)})


if __name__ == "__main__":
    for name, one in DESIGNS.items():
        simulated(one).to_csv(Path(sys.argv[1]) / f"{name}.csv", index=False)
