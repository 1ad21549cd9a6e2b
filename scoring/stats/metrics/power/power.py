"""The share of simulated studies that find an existing effect, for several designs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.stats.base.parallel import Progress, Tick, run_parallel
from scoring.stats.base.proportions import wilson
from scoring.stats.base.resampling import Resampling
from scoring.stats.metrics.power.answering import Design
from scoring.stats.metrics.power.questions import Outcome, Question

STUDIES, REPLICATES = 400, 500
ENOUGH = 0.8


@dataclass(frozen=True)
class PowerRow:
    """One design."""

    design: Design
    ratings: int  # Ratings to collect, of all systems
    power: float  # Share of the simulated studies that find the effect
    # Limits of its Wilson interval, because studies were drawn
    low: float
    high: float
    estimate: float  # Median of the estimates; NaN where no study has one
    width: float  # Median width of the 95 % interval; NaN where no study has one
    undecided: int  # Studies without a test or an interval; they count as not found


@dataclass(frozen=True)
class PowerResult:
    """Power of several designs."""

    rows: list[PowerRow]  # By raters, then by items
    # Share of studies that find an effect where there is none, in the first design: at most
    # 1 − confidence if the test keeps its level. None for a question without such a case
    false_positives: PowerRow | None
    studies: int  # Simulated studies of each design
    seed: int


def power(
    question: Question,
    designs: Sequence[Design],
    *,
    seed: int,
    studies: int = STUDIES,
    replicates: int = REPLICATES,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> PowerResult:
    """Simulate studies of each design, and apply the test of a study's report to each.

    Parameters
    ----------
    question : Question
        What is to be found, and how raters answer.
    designs : sequence of Design
        At least one.
    seed : int
        Seed of all draws; a design's studies do not depend on the other designs.
    studies : int
        Simulated studies of each design.
    replicates : int
        Bootstrap replicates of each study, where its test has any.
    confidence : float
        Of the intervals; a test decides at 1 less this.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    PowerResult
        Shares with intervals that say how exact so many studies are.

    References
    ----------
    Davison & Hinkley (1997), section 4.2, for tests by few replicates; Wilson (1927).
    """
    null = question.without_effect()
    asked = [(question, design) for design in designs]
    if null is not None:
        asked.append((null, designs[0]))
    resamplings = [Resampling(replicates, seed + study, confidence) for study in range(studies)]
    parts = [partial(_row, one, design, resamplings) for one, design in asked]
    rows = run_parallel(parts, len(parts) * studies, progress)
    return PowerResult(rows[: len(designs)], None if null is None else rows[-1], studies, seed)


def fewest_ratings(result: PowerResult, enough: float = ENOUGH) -> PowerRow | None:
    """The design with fewest ratings whose power is large enough; None where no design's is.

    Parameters
    ----------
    result : PowerResult
        Power of several designs.
    enough : float
        The power that is wanted, between 0 and 1.
    """
    reached = [row for row in result.rows if row.power >= enough]
    return min(reached, key=lambda row: (row.ratings, row.design.raters), default=None)


def _row(question: Question, design: Design, resamplings: Sequence[Resampling], tick: Tick) -> PowerRow:
    outcomes = []
    for resampling in resamplings:
        key = [resampling.seed, design.items, design.raters, design.pool, design.in_group]
        outcomes.append(question.simulate(design, np.random.default_rng(key), resampling))
        tick(1)
    return _summary(question, design, outcomes)


def _summary(question: Question, design: Design, outcomes: Sequence[Outcome]) -> PowerRow:
    found, n = sum(one.decided and one.found for one in outcomes), len(outcomes)
    interval = wilson(found, n)
    return PowerRow(
        design=design,
        ratings=design.items * design.raters * question.n_systems,
        power=found / n,
        low=interval.low,
        high=interval.high,
        estimate=_median([one.estimate for one in outcomes]),
        width=_median([one.width for one in outcomes]),
        undecided=sum(not one.decided for one in outcomes),
    )


def _median(values: Sequence[float]) -> float:
    known = [one for one in values if math.isfinite(one)]
    return float(np.median(known)) if known else math.nan
