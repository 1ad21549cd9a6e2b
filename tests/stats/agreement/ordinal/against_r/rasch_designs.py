"""Simulated designs that R's eRm has fitted: every rater uses every point, as eRm needs it.

`python -m tests.stats.agreement.ordinal.against_r.rasch_designs FOLDER` writes them;
`Rscript tests/stats/agreement/ordinal/against_r/erm.R FOLDER` then prints the content of `erm.json`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.stats.agreement.ordinal.designs import Simulated, simulated

RASCH_DESIGNS = {
    "complete": Simulated(56, 200, 8, 8, deviations=(1.2, 0.8, 0.0)),
    "incomplete": Simulated(52, 400, 8, 5, deviations=(1.2, 0.8, 0.0)),
    "systems": Simulated(53, 300, 10, 10, systems=3, deviations=(1.0, 0.6, 0.0)),
    "seven points": Simulated(
        54, 250, 6, 6, cuts=(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5), deviations=(1.5, 0.7, 0.0)
    ),
    "two categories": Simulated(55, 300, 12, 6, cuts=(0.2,), deviations=(1.2, 1.0, 0.0)),
}


if __name__ == "__main__":
    for name, one in RASCH_DESIGNS.items():
        simulated(one).to_csv(Path(sys.argv[1]) / f"{name}.csv", index=False)
