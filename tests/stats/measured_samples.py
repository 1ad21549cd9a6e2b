"""Items with ratings and scores made up for the tests of correlations."""

import numpy as np
import pandas as pd

from scoring.stats.data.rated_items import MeasuredItems


def measured(
    seed: int,
    *,
    groups: int = 8,
    systems: int = 4,
    metrics: int = 3,
    criteria: int = 2,
    missing: float = 0.0,
    steps: int = 4,
) -> MeasuredItems:
    """One item of every group and system; values on few steps, so that they tie; some of them missing."""
    rng = np.random.default_rng(seed)
    n = groups * systems
    latent = rng.normal(size=(n, 1)) + rng.normal(size=(systems, 1))[np.tile(np.arange(systems), groups)]

    def columns(number: int, prefix: str) -> pd.DataFrame:
        values = np.round((latent + rng.normal(size=(n, number))) * steps / 2) / steps
        values[rng.random(values.shape) < missing] = np.nan
        return pd.DataFrame(values, keys, [f"{prefix}{place}" for place in range(number)])

    keys = pd.Index([f"item {place:03d}" for place in range(n)], name="item")
    places = pd.DataFrame(
        {
            "group": [f"group {place // systems}" for place in range(n)],
            "system": [f"system {place % systems}" for place in range(n)],
        },
        index=keys,
    )
    return MeasuredItems.from_frames(columns(criteria, "criterion "), columns(metrics, "metric "), places)


def ungrouped(items: MeasuredItems) -> MeasuredItems:
    """The same items without groups and systems."""
    keys = list(items.items)
    human = pd.DataFrame(items.human, keys, list(items.criteria))
    scores = pd.DataFrame(items.scores, keys, list(items.metrics))
    return MeasuredItems.from_frames(human, scores, pd.DataFrame(index=keys))
