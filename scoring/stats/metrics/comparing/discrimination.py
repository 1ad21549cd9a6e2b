"""Whether a metric distinguishes systems as raters do: agreement of labels over pairs of systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import Resampling
from scoring.stats.data.directions import Directions, direction_of
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.systems import compare_systems

# What a label becomes when the metric points down.
TURNED = {0: 0, 1: 2, 2: 1}


@dataclass(frozen=True)
class Discrimination:
    """How well the labels of one metric agree with those of one criterion."""

    criterion: str
    metric: str
    f1: float  # F1 of each label, weighted by how often raters give it
    n_pairs: int  # Pairs of systems


def discriminative_power(
    items: MeasuredItems, resampling: Resampling, directions: Directions | None = None
) -> list[Discrimination]:
    """Agreement of every metric with every criterion on which of two systems is better.

    Parameters
    ----------
    items
        Items of at least two systems.
    resampling
        Settings of the paired bootstrap; its confidence is what a label takes.
    directions
        Metrics declared `lower` are reversed; all others are used unchanged, as in the paper.

    References
    ----------
    HANNA (2022), figures 7 and 26.
    """
    of_metric = _labels(items.among_metrics(), resampling)
    result = []
    for criterion, human in _labels(items, resampling).items():
        for metric in items.metrics:
            own = of_metric[metric]
            if direction_of(metric, directions or {}) == "lower":
                own = [TURNED[label] for label in own]
            f1 = weighted_f1(human, own)
            result.append(Discrimination(criterion, metric, f1, len(human)))
    return result


def weighted_f1(true: Sequence[int], given: Sequence[int]) -> float:
    """F1 of each label, averaged with the label's share of the true ones.

    Parameters
    ----------
    true, given
        Labels of the same pairs.

    Returns
    -------
    float
        Between 0 and 1; NaN without pairs.

    References
    ----------
    Goutte & Gaussier (2005).
    """
    truth, guess = np.asarray(true), np.asarray(given)
    total = 0.0
    for label in np.unique(truth):
        hits = int(((truth == label) & (guess == label)).sum())
        total += int((truth == label).sum()) * 2 * hits / int((truth == label).sum() + (guess == label).sum())
    return total / len(truth) if len(truth) else float("nan")


def _labels(items: MeasuredItems, resampling: Resampling) -> dict[str, list[int]]:
    """Labels of all pairs of systems, by criterion."""
    labels: dict[str, list[int]] = {criterion: [] for criterion in items.criteria}
    for found in compare_systems(items, resampling):
        labels[found.criterion].append(found.label)
    return labels
