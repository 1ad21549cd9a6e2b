"""`python -m benchmarks.metric_tests`: how often tests of two metrics reject when both are equally good.

40 items without groups; both metrics follow the same latent quality, on the same or on very different
scales. By Kendall's τ, at .05: Williams's test and the permutation test.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.permutation import permutation_p
from scoring.stats.metrics.comparing.williams import williams

Scale = Callable[[FloatArray], FloatArray]
SCALES: dict[str, tuple[Scale, Scale]] = {
    "both normal": (lambda x: x, lambda x: x),
    "exp(2x) and −exp(−2x)": (lambda x: np.exp(2 * x), lambda x: -np.exp(-2 * x)),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--items", type=int, default=40)
    options = parser.parse_args()
    for name, scales in SCALES.items():
        p = np.array([_p_values(seed, options.items, scales) for seed in range(options.studies)])
        williams, permuted = (p < 0.05).mean(axis=0)
        sys.stdout.write(f"{name}: Williams {williams:.3f}, permutation {permuted:.3f}\n")
    return 0


def _p_values(seed: int, n_items: int, scales: tuple[Scale, Scale]) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=n_items)
    keys = [str(place) for place in range(n_items)]
    human = pd.DataFrame({"quality": latent + rng.normal(size=n_items)}, keys)
    scores = [scale(latent + rng.normal(size=n_items)) for scale in scales]
    items = MeasuredItems.from_frames(
        human,
        pd.DataFrame(np.column_stack(scores), keys, ["a", "b"]),
        pd.DataFrame({"group": "", "system": ""}, index=pd.Index(keys)),
    )
    pairs = ((human["quality"], scores[0]), (human["quality"], scores[1]), (scores[0], scores[1]))
    first, second, between = (float(scipy.stats.kendalltau(*pair).statistic) for pair in pairs)
    tested = williams(first, second, between, n_items)
    permuted = permutation_p(items, "item", "kendall", lambda r: r[..., 0] - r[..., 1], Resampling(200, seed))
    return float(tested.p), permuted


if __name__ == "__main__":
    sys.exit(main())
