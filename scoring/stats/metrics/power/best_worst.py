"""Whether one text scores above another in simulated best–worst sets, by the intervals of a report."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray, Resampling
from scoring.stats.choices.best_worst.clusters import Clusters
from scoring.stats.choices.best_worst.scores import margins_of_scores
from scoring.stats.choices.best_worst.strengths import BEST, BETWEEN, WORST
from scoring.stats.choices.rankings.coded_rankings import Ranked
from scoring.stats.metrics.power.answering import Design, PowerError, draw_raters
from scoring.stats.metrics.power.questions import Outcome

FIRST, SECOND = 0, 1


@dataclass(frozen=True)
class SetsDiffer:
    """Whether the first candidate scores above the second: the intervals of their scores do not overlap."""

    difference: float  # Of their strengths, in log odds
    candidates: int
    size: int  # Candidates of a set
    # Variances in squared log odds
    spread: float  # Between the strengths of the other candidates
    item: float  # Between sets, of each candidate
    rater: float  # Between the raters' tastes for each candidate
    n_systems: int = field(default=1, init=False)

    def __post_init__(self) -> None:
        """Refuse sets that cannot be drawn."""
        if self.candidates < self.size:
            raise PowerError(
                "too_few_candidates",
                f"Sets of {self.size} need at least {self.size} candidates, not {self.candidates}.",
            )

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw sets and choices, and compute the scores with their intervals."""
        ranked, clusters = self._choices(design, generator)
        scores, half = ranked.mean_scores(), margins_of_scores(ranked, clusters, resampling.confidence).half
        low, high = np.maximum(-1.0, scores - half), np.minimum(1.0, scores + half)
        above = low[FIRST] > high[SECOND]
        found = above or (self.difference == 0 and low[SECOND] > high[FIRST])
        width = float((high - low)[[FIRST, SECOND]].mean())
        estimate = float(scores[FIRST] - scores[SECOND])
        return Outcome(math.isfinite(width), bool(found), estimate, width)

    def without_effect(self) -> "SetsDiffer":
        """Two candidates of the same strength; a difference in either direction counts as found."""
        return replace(self, difference=0.0)

    def _choices(self, design: Design, generator: np.random.Generator) -> tuple[Ranked, Clusters]:
        code = draw_sets(design.items, self.candidates, self.size, generator)
        strength = generator.normal(0, math.sqrt(self.spread), self.candidates)
        strength[[FIRST, SECOND]] = self.difference / 2, -self.difference / 2
        taste = generator.normal(0, math.sqrt(self.rater), (design.pool, self.candidates))
        in_set = strength[code] + generator.normal(0, math.sqrt(self.item), code.shape)
        raters = draw_raters(design, design.items, generator)
        worth = in_set[:, None, :] + taste[raters[:, :, None], code[:, None, :]]
        place = choose_ends(worth.reshape(-1, self.size), generator)
        answers = len(place)
        of_set = np.repeat(np.arange(design.items, dtype=np.int64), design.raters)
        ranked = Ranked(
            names=tuple(map(str, range(self.candidates))),
            answer=np.repeat(np.arange(answers, dtype=np.int64), self.size),
            item=np.repeat(code, design.raters, axis=0).ravel(),
            place=place.ravel(),
            of_set=of_set,
        )
        return ranked, Clusters(of_set, rater=raters.ravel())


def draw_sets(n: int, candidates: int, size: int, generator: np.random.Generator) -> IntArray:
    """Sets of different candidates, each of which is in about equally many.

    Parameters
    ----------
    n : int
        Number of sets.
    candidates, size : int
        Number of candidates, and of those of a set.
    generator : Generator
        Source of the draws.

    Returns
    -------
    array of int, shape (n, size)
        Random orders of all candidates, cut into sets; what is left of an order is in none.
    """
    of_order = candidates // size
    orders = generator.random((-(-n // of_order), candidates)).argsort(axis=1)
    return np.asarray(orders[:, : of_order * size].reshape(-1, size)[:n], dtype=np.int64)


def choose_ends(worth: FloatArray, generator: np.random.Generator) -> IntArray:
    """Choose the best of each row, then the worst of the others.

    Parameters
    ----------
    worth : array of float, shape (answers, size)
        Log odds of the candidates.
    generator : Generator
        Source of the draws.

    Returns
    -------
    array of int, shape (answers, size)
        Places of the candidates, as `Ranked` has them.

    References
    ----------
    Marley & Louviere (2005); noise after Gumbel makes the greatest a choice by the odds.
    """
    rows = np.arange(len(worth))
    best = (worth + generator.gumbel(size=worth.shape)).argmax(axis=1)
    against = generator.gumbel(size=worth.shape) - worth
    against[rows, best] = -np.inf
    place = np.full(worth.shape, BETWEEN, dtype=np.int64)
    place[rows, best] = BEST
    place[rows, against.argmax(axis=1)] = WORST
    return place


def strength_variance(strengths: FloatArray, errors: FloatArray) -> float:
    """Variance between the true strengths of a pilot's candidates.

    Parameters
    ----------
    strengths, errors : array of float, shape (candidates,)
        Estimates and their standard errors, in log odds; at least two.

    Returns
    -------
    float
        The variance of the estimates less the mean squared error; at least 0.
    """
    return max(0.0, float(np.var(strengths, ddof=1) - np.mean(errors**2)))
