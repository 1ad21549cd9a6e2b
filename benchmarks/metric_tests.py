"""`python -m benchmarks.metric_tests`: how often tests of two metrics reject when both are equally good.

40 items without groups; both metrics follow the same latent quality, on the same or on very different
scales. By Kendall's τ, at .05: Williams's test and the permutation test.

20 systems in 30 groups; both metrics have the same true means of the systems, and their scores noise of the
same or of very different size. By Pearson's r of the means, at .05: Williams's test, and a percentile
bootstrap of the groups, which is not used over systems.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.resampling import FloatArray, Resampling, tail_p
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.permutation import permutation_p
from scoring.stats.metrics.comparing.williams import williams

Scale = Callable[[FloatArray], FloatArray]
SCALES: dict[str, tuple[Scale, Scale]] = {
    "both normal": (lambda x: x, lambda x: x),
    "exp(2x) and −exp(−2x)": (lambda x: np.exp(2 * x), lambda x: -np.exp(-2 * x)),
}
SYSTEMS, GROUPS = 20, 30
NOISE = ((1.0, 1.0), (0.3, 2.0))
# Standard deviations between systems, of their quality and of the metrics' common view of it.
VIEWS = ((0.3, 0.3), (0.3, 0.6))
RATING = 0.3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--items", type=int, default=40)
    options = parser.parse_args()
    for name, scales in SCALES.items():
        p = np.array([_p_values(seed, options.items, scales) for seed in range(options.studies)])
        williams, permuted = (p < 0.05).mean(axis=0)
        sys.stdout.write(f"{name}: Williams {williams:.3f}, permutation {permuted:.3f}\n")
    for view, noise in product(VIEWS, NOISE):
        p = np.array([_p_over_systems(seed, view, noise) for seed in range(options.studies)])
        by_williams, drawn = (p < 0.05).mean(axis=0)
        what = f"systems, quality and view {view}, noise {noise}"
        sys.stdout.write(f"{what}: Williams {by_williams:.3f}, bootstrap {drawn:.3f}\n")
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


def _p_over_systems(seed: int, view: tuple[float, float], noise: tuple[float, float]) -> tuple[float, float]:
    human, *scores = simulate_systems(seed, view, noise)
    first, second, between = (
        _correlate(one.mean(axis=1), other.mean(axis=1))
        for one, other in ((human, scores[0]), (human, scores[1]), (scores[0], scores[1]))
    )
    tested = williams(float(first), float(second), float(between), SYSTEMS)
    weights = np.random.default_rng(seed).multinomial(GROUPS, [1 / GROUPS] * GROUPS, 200) / GROUPS
    drawn = [_correlate(weights @ human.T, weights @ one.T) for one in scores]
    return float(tested.p), tail_p(drawn[0] - drawn[1])


def simulate_systems(
    seed: int, view: tuple[float, float], noise: tuple[float, float]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ratings and two metrics' scores of an item of every system in every group, shape (systems, groups).

    Parameters
    ----------
    seed
        Seed of the study.
    view
        Standard deviations between systems, of their quality and of what both metrics add to it.
    noise
        Standard deviation of the noise of each metric's scores.
    """
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, view[0], SYSTEMS)
    seen = quality + rng.normal(0, view[1], SYSTEMS)
    sides = ((quality, RATING), (seen, noise[0]), (seen, noise[1]))
    human, first, second = (
        means[:, None] + rng.normal(0, spread, (SYSTEMS, GROUPS)) for means, spread in sides
    )
    return human, first, second


def _correlate(x: FloatArray, y: FloatArray) -> FloatArray:
    """Pearson's r along the last axis."""
    x, y = (one - one.mean(axis=-1, keepdims=True) for one in (x, y))
    return np.asarray((x * y).sum(axis=-1) / np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1)))


if __name__ == "__main__":
    sys.exit(main())
