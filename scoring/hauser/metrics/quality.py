"""Quality as the weighted sum of its normalised parts: eq. (7)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from scoring.hauser.base.scores import MetricError, Score

PARTS = ("relevance", "logic", "sentiment")
NO_PARTS = "no_parts"
QUALITY = "quality"


@dataclass(frozen=True)
class Weights:
    """α, β and γ: how much each part counts; a part with weight 0 is not required."""

    relevance: float
    logic: float
    sentiment: float

    def __post_init__(self) -> None:
        values = list(asdict(self).values())
        if not all(math.isfinite(value) and value >= 0 for value in values) or not any(values):
            message = f"weights must be numbers of at least 0, and not all 0; got: {values}"
            raise MetricError("bad_weights", message)


# Combination [7] of Table 5.
BEST = Weights(3 / 6, 2 / 6, 1 / 6)


@dataclass(frozen=True, kw_only=True)
class Quality(Score):
    """A quality, named after its parts."""

    # `quality`, or `quality[-logic]` etc. for a sum without these parts, which is another metric:
    # values of two metrics are never ranked or correlated together.
    metric: str
    parts: Mapping[str, float | None]  # The normalised parts; None where there is none
    missing: Mapping[str, str]  # Reason of each missing part
    weights: Weights


def quality(parts: Mapping[str, Score], weights: Weights = BEST) -> Quality:
    """α r' + β c_l' + γ c_s' over the parts that are there.

    Parameters
    ----------
    parts : mapping of str to Score
        `relevance`, `logic` and `sentiment`, each normalised within the group. Weights are not
        redistributed when one is missing, as in the ablation of Table 3.
    weights : Weights
        Weights of the run; by default the best of Table 5.

    Returns
    -------
    Quality
        No value (`no_parts`) where none of the parts with a weight is there.

    Notes
    -----
    He et al. (2023), section 3.1.4, eq. (7).
    """
    weighed = {part: weight for part, weight in asdict(weights).items() if weight}
    missing = {part: parts[part].reason for part in weighed if parts[part].value is None}
    terms = [weight * value for part, weight in weighed.items() if (value := parts[part].value) is not None]
    return Quality(
        value=math.fsum(terms) if terms else None,
        reason="" if terms else NO_PARTS,
        metric=f"{QUALITY}[-{'-'.join(missing)}]" if missing else QUALITY,
        parts={part: parts[part].value for part in PARTS},
        missing=missing,
        weights=weights,
    )
