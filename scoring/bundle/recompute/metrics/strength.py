"""Strength of a metric's correlation in its declared direction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays import Row
from ..coefficients.correlation import round_significant


def get_strength(r: Any, direction: str) -> Any:
    """Return a correlation in the declared direction; its size if none is declared."""
    if direction == "unsigned":
        return np.abs(r)
    return r if direction == "higher" else -r


def select_best_metrics(
    rows: Sequence[Row], criterion: str, how: tuple[str, str], k: int, directions: Mapping[str, str]
) -> list[str]:
    """Select the k metrics with the strongest correlation; ties are broken by name."""
    chosen = [
        (
            -float(
                round_significant(
                    np.array(get_strength(row["estimate"], directions.get(row["metric"], "unsigned")))
                )
            ),
            row["metric"],
        )
        for row in rows
        if (row["criterion"], row["level"], row["coefficient"]) == (criterion, *how)
        and math.isfinite(row["estimate"])
    ]
    return [metric for _, metric in sorted(chosen)[:k]]
