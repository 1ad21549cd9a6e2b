"""How often do the intervals of generalisability hold the truth?

    python -m benchmarks.generalisability_coverage [--studies 300]

Ratings are normal, with the variances of `tests/stats/agreement/generalisability/designs.py`; each study
draws new items, raters, groups and criteria. Counted are Eρ² and Φ of the means at hand, Φ with ten raters,
and each variance component; the truth of a coefficient is that of the true variances in the same design.
Several criteria are read as these criteria. Prints a table for docs/statistics/generalisability.md.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from scoring.stats.agreement.generalisability.analysis import THESE, Generalisability, generalisability
from scoring.stats.agreement.generalisability.estimation import NotEstimated
from scoring.stats.agreement.generalisability.facets import CRITERION, GROUP, ITEM, RATER, FacetDesign
from scoring.stats.agreement.generalisability.weights import Weights, planned_weights, weights_at_hand
from scoring.stats.base.resampling import FloatArray
from tests.stats.agreement.generalisability.designs import TRUTH, Simulated, simulated

COEFFICIENTS = ("Eρ²", "Φ", "Φ, 10 raters")
COMPONENTS = (ITEM, RATER, GROUP, CRITERION, "group:rater", "item:rater", "item:criterion", "residual")
WITHOUT_ITEM_RATER = {name: variance for name, variance in TRUTH.items() if name != "item:rater"}


def _truth(rater: float, residual: float) -> dict[str, float]:
    return {"item": 1.0, "rater": rater, "residual": residual}


DESIGNS = {
    "20 items × 4 raters": Simulated(0, 20, 4, 4, truth=WITHOUT_ITEM_RATER),
    "100 items × 5 raters": Simulated(0, 100, 5, 5, truth=WITHOUT_ITEM_RATER),
    "100 items × 4 of 12 raters": Simulated(0, 100, 12, 4, truth=WITHOUT_ITEM_RATER),
    "200 items × 5 of 40 raters": Simulated(0, 200, 40, 5, truth=WITHOUT_ITEM_RATER),
    "120 items in 20 groups × 4 of 12 raters": Simulated(0, 120, 12, 4, groups=20, truth=WITHOUT_ITEM_RATER),
    "60 items × 4 raters × 4 criteria": Simulated(0, 60, 4, 4, criteria=4),
    "60 items × 3 of 12 raters × 4 criteria": Simulated(0, 60, 12, 3, criteria=4),
    # Raters who differ much, for which Satterthwaite's degrees of freedom of Φ do not do well.
    "100 items × 3 raters, rater .5, residual .5": Simulated(0, 100, 3, 3, truth=_truth(0.5, 0.5)),
    "100 items × 4 raters, rater 1, residual .5": Simulated(0, 100, 4, 4, truth=_truth(1.0, 0.5)),
    "100 items × 10 raters, rater .5, residual .5": Simulated(0, 100, 10, 10, truth=_truth(0.5, 0.5)),
    "60 items in 4 groups × 4 raters, group 1.5": Simulated(
        0, 60, 4, 4, groups=4, truth=WITHOUT_ITEM_RATER | {"group": 1.5}
    ),
    "100 items × 5 raters, rater .5, residual .5": Simulated(0, 100, 5, 5, truth=_truth(0.5, 0.5)),
}


def held(design: Simulated, frame: pd.DataFrame, found: Generalisability) -> Iterator[tuple[str, bool]]:
    """Whether each interval holds its truth."""
    names = found.fit.names
    truth = np.array([design.truth[name] for name in names])
    reading = found.readings[0]
    fixed = reading.criteria == THESE
    named = (ITEM, RATER, CRITERION, GROUP) if design.criteria > 1 else (ITEM, RATER, GROUP)
    codes = {name: pd.factorize(frame[name])[0] for name in named if name in frame}
    facets = FacetDesign.of(frame["value"].to_numpy(), codes)
    at_hand = weights_at_hand(facets, names, fixed=fixed)
    ten = planned_weights(names, 10, design.criteria, same_raters=True, fixed=fixed)
    planned = next(one for one in reading.study if one.raters == 10).same
    for name, estimated, weights, error in (
        (COEFFICIENTS[0], reading.at_hand.relative, at_hand, at_hand.relative),
        (COEFFICIENTS[1], reading.at_hand.absolute, at_hand, at_hand.absolute),
        (COEFFICIENTS[2], planned.absolute, ten, ten.absolute),
    ):
        yield name, estimated.low <= _coefficient(weights, error, truth) <= estimated.high
    for component in found.components:
        yield component.name, component.low <= design.truth[component.name] <= component.high


def _coefficient(weights: Weights, error: FloatArray, truth: FloatArray) -> float:
    universe = float(weights.universe @ truth)
    return universe / (universe + float(error @ truth))


def row(name: str, design: Simulated, studies: int) -> str:
    counted: defaultdict[str, list[bool]] = defaultdict(list)
    refused = 0
    for seed in range(studies):
        frame = simulated(replace(design, seed=seed))
        try:
            found = generalisability(frame)
        except NotEstimated:
            refused += 1
            continue
        for figure, holds in held(design, frame, found):
            counted[figure].append(holds)
    shown = (*COEFFICIENTS, *COMPONENTS)
    cells = [f"{100 * np.mean(counted[one]):.1f}" if counted[one] else "–" for one in shown]
    return f"| {name} | {' | '.join(cells)} | {refused} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=300)
    asked = parser.parse_args()
    print(f"| design | {' | '.join((*COEFFICIENTS, *COMPONENTS))} | refused |")
    print(f"|---|{'---:|' * (len(COEFFICIENTS) + len(COMPONENTS) + 1)}")
    for name, design in DESIGNS.items():
        print(row(name, design, asked.studies), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
