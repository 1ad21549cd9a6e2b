"""Strength of a metric's correlation in its declared direction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays import Row
from ..coefficients.correlation import settled


def strength(r: Any, direction: str) -> Any:
    """A correlation in the declared direction; its size where none is declared."""
    if direction == "unsigned":
        return np.abs(r)
    return r if direction == "higher" else -r


def best(
    rows: Sequence[Row], criterion: str, how: tuple[str, str], k: int, directions: Mapping[str, str]
) -> list[str]:
    """The k metrics that follow a criterion best; equally strong ones by name."""
    chosen = [
        (
            -float(settled(np.array(strength(row["estimate"], directions.get(row["metric"], "unsigned"))))),
            row["metric"],
        )
        for row in rows
        if (row["criterion"], row["level"], row["coefficient"]) == (criterion, *how)
        and math.isfinite(row["estimate"])
    ]
    return [metric for _, metric in sorted(chosen)[:k]]
