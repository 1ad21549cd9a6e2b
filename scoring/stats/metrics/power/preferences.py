"""Whether one of two competitors is preferred: simulated answers to pairs, tested as a report tests them."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.base.proportions import share_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.preference import HALF
from scoring.stats.metrics.power.answering import NODES, Answering, Design, simulate_ratings
from scoring.stats.metrics.power.questions import Outcome

# An answer is a win of the other one, a tie or a win of the first.
WINS = np.array([0.0, HALF, 1.0])
LOGISTIC = math.pi**2 / 3
FARTHEST = 200.0
MOST_VARIANCE = 100.0


@dataclass(frozen=True)
class PairsDiffer:
    """Whether the first of two competitors is preferred: the interval of its win rate decides."""

    answering: Answering
    preferred: float  # Share of answers that prefer the first, a tie counted as half
    n_systems: int = field(default=1, init=False)

    @cached_property
    def shift(self) -> float:
        """Log odds of the first, for the average pair and rater."""
        return self.answering.shift_for(self.preferred - HALF)

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw the answers to all pairs and compute the win rate of the first."""
        drawn = simulate_ratings(self.answering, design, generator, shifts=(self.shift,))
        unit = "items" if drawn.group is None else "groups"
        units = np.arange(design.items, dtype=np.int64) if drawn.group is None else drawn.group
        share = share_of(drawn.values.ravel(), np.repeat(units, design.raters), resampling.confidence, unit)
        limits, rate = share.interval, share.hits / share.n
        right = (rate - HALF) * (self.preferred - HALF) >= 0
        found = (limits.low > HALF or limits.high < HALF) and right
        return Outcome(math.isfinite(limits.low), bool(found), rate, limits.high - limits.low)

    def without_effect(self) -> "PairsDiffer":
        """Two competitors that are equally good; a preference for either counts as found."""
        return replace(self, preferred=HALF)


def preferring(item: float, rater: float, ties: float, shared: float = 0.0) -> Answering:
    """Answers to pairs of equally good competitors, as the Bradley–Terry model has them, and ties.

    Parameters
    ----------
    item : float
        Variance between pairs of how much better the first one is, in squared log odds.
    rater : float
        Variance between raters of their taste for the first competitor, in squared log odds.
    ties : float
        Share of ties, at least 0 and below 1.
    shared : float
        Share of the pairs' variance that the pairs of a group have in common, from 0 to 1.

    Returns
    -------
    Answering
        A pair is a tie where the log odds with the noise of the answer are between two bounds.

    References
    ----------
    Bradley and Terry (1952); Rao and Kupper (1967) for ties.
    """
    own, group = item * (1 - shared), item * shared
    without_ties = Answering(WINS, np.zeros(2), own, group, rater, LOGISTIC, "logistic")
    bound = _bound(without_ties, (1 + ties) / 2) if ties > 0 else 0.0
    return replace(without_ties, thresholds=np.array([-bound, bound]))


@dataclass(frozen=True)
class Pilot:
    """Shares of the answers of a pilot."""

    preferred: float  # Answers that prefer the first, a tie counted as half
    ties: float
    agreement: float  # Pairs of raters who gave the same answer to a pair

    def fitted(self, rater: float) -> tuple[float, float]:
        """What the model needs to have these shares.

        Parameters
        ----------
        rater : float
            Variance of tastes between raters, in squared log odds.

        Returns
        -------
        item, ties : float
            Variance between pairs in squared log odds, 0 where raters agree no more often than by chance and
            at most 100, and the share of ties between equally good competitors.
        """
        item = self._item(rater)
        answering = self._answering(item, rater)
        low, high = answering.thresholds
        return item, float(2 * answering.share_below(np.array([(high - low) / 2]))[0] - 1)

    def _item(self, rater: float) -> float:
        def beyond(item: float) -> float:
            return _agreement(self._answering(item, rater)) - self.agreement

        if beyond(0.0) >= 0:
            return 0.0
        if beyond(MOST_VARIANCE) <= 0:
            return MOST_VARIANCE
        return float(scipy.optimize.brentq(beyond, 0.0, MOST_VARIANCE, xtol=1e-3))

    def _answering(self, item: float, rater: float) -> Answering:
        """Answers with these shares of wins and ties."""
        answering = preferring(item, rater, 0.0)
        losses = 1 - self.preferred - self.ties / 2
        bounds = [_bound(answering, losses), _bound(answering, losses + self.ties)]
        return replace(answering, thresholds=np.array(bounds))


def _bound(answering: Answering, share: float) -> float:
    """The bound below which so many answers are."""
    return float(
        scipy.optimize.brentq(
            lambda bound: answering.share_below(np.array([bound]))[0] - share, -FARTHEST, FARTHEST
        )
    )


def _agreement(answering: Answering) -> float:
    """How often two raters of a pair give the same answer."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    of_pair = replace(answering, item=0.0, group=0.0)
    effects = nodes * math.sqrt(answering.item + answering.group)
    below = np.array([of_pair.share_below(answering.thresholds - effect) for effect in effects])
    edges = np.zeros((len(effects), 1))
    shares = np.diff(np.concatenate((edges, below, edges + 1), axis=1), axis=1)
    return float((shares**2).sum(axis=1) @ weights / weights.sum())
