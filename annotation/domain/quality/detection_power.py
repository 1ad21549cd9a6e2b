"""How well numbers of scale points and items detect careless raters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

from annotation.domain.quality.careless_responding import Limits
from annotation.domain.quality.longest_run import expected_run, shortest_rare_run

NORMAL = NormalDist()
# True correlations of careful raters with the mean of the others, low to high.
CAREFUL = (0.3, 0.5, 0.7)
# One-sided error of the correlation that counts as above zero.
ERROR = 0.05


@dataclass(frozen=True)
class Runs:
    """The longest run of one value from a rater who answers each item independently.

    `flagged_from` is the length from which a run is flagged; above the number of items, none is.
    """

    expected: float
    flagged_from: int


@dataclass(frozen=True)
class Correlations:
    """What the correlation with the other raters can show at a number of items.

    `significant_from` is the smallest correlation that is above zero at the 5 % level; `power` the
    probability to reach it, by the true correlation; `careful_flagged` the share of such raters
    who fall below the limit by chance, and `random_passed` the share of random ones who do not.
    """

    significant_from: float
    power: Mapping[float, float]
    careful_flagged: Mapping[float, float]
    random_passed: float


@dataclass(frozen=True)
class DetectionPower:
    """The power of each indicator. `correlations` is None with fewer than four items.

    `even` and `peaked` are the runs of a rater who uses all points equally often, and of a rater who
    gives half of the answers on one point. `instructed` is the chance level of one instructed
    check, `instructed_needed` how many passed in a row chance does not explain; `near` the share
    of random answers within one point of a reference, `twin` of random answers to a twin below its
    original; `flat` the share of pages with one value on every criterion at random, None
    where a page has too few criteria. `retained` is the share of a correlation
    that remains when a continuous judgement is cut into so many points.
    """

    points: int
    items: int
    enough_items: bool
    even: Runs
    peaked: Runs
    instructed: float
    instructed_needed: int
    near: float
    twin: float
    flat: float | None
    retained: float
    correlations: Correlations | None


def assess_detection_power(points: int, items: int, *, criteria: int = 1) -> DetectionPower:
    """Compute what a study of this size can and cannot show about one rater.

    Parameters
    ----------
    points : int
        Length of the scale, at least 2.
    items, criteria : int
        Items that one rater rates, and criteria of a page; at least 1.

    Raises
    ------
    ValueError
        A number is too small.

    References
    ----------
    Correlations by Fisher's z, standard error 1/√(n − 3).
    """
    if points < 2 or items < 1 or criteria < 1:
        raise ValueError("A scale needs at least 2 points, and a rater at least 1 item and 1 criterion.")
    limits = Limits()
    even = [1 / points] * points
    peaked = [0.5, *[0.5 / (points - 1)] * (points - 1)]
    return DetectionPower(
        points=points,
        items=items,
        enough_items=items >= limits.fewest,
        even=Runs(expected_run(items, even), shortest_rare_run(items, even, limits.rare / criteria)),
        peaked=Runs(expected_run(items, peaked), shortest_rare_run(items, peaked, limits.rare / criteria)),
        instructed=1 / points,
        instructed_needed=next(n for n in itertools.count(1) if points**-n < limits.by_chance),
        near=(3 * points - 2) / points**2,
        twin=0.5,
        flat=(1 / points) ** (criteria - 1) if criteria >= limits.fewest_criteria else None,
        retained=_retained(points),
        correlations=_correlations(items, limits) if items > 3 else None,
    )


def _correlations(items: int, limits: Limits) -> Correlations:
    precision = math.sqrt(items - 3)
    significant_from = math.tanh(NORMAL.inv_cdf(1 - ERROR) / precision)

    def share_below(limit: float, true: float) -> float:
        return NORMAL.cdf((math.atanh(limit) - math.atanh(true)) * precision)

    return Correlations(
        significant_from=significant_from,
        power={true: 1 - share_below(significant_from, true) for true in CAREFUL},
        careful_flagged={true: share_below(limits.correlation, true) for true in CAREFUL},
        random_passed=1 - share_below(limits.correlation, 0.0),
    )


def _retained(points: int) -> float:
    """Correlation of a normal judgement with its points, cut so that each point is equally frequent."""
    cuts = [NORMAL.inv_cdf(cut / points) for cut in range(1, points)]
    return math.fsum(map(NORMAL.pdf, cuts)) / math.sqrt((points**2 - 1) / 12)
