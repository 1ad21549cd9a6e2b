"""Choice of the pairs that are compared next: those whose order is not yet known."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray

# Strengths are normal with this variance before anything is known: on the scale of log odds.
PRIOR_VARIANCE = 4.0
CONFIDENCE = 0.95
MOST_CANDIDATES = 60
MOST_STEPS = 100
# A Newton step below this ends the fit.
SMALLEST_STEP = 1e-12
# Gains that agree to so many decimals are equal: the draw decides, on every machine the same.
DECIMALS = 8
# In the first round each candidate meets so many others, where the items allow it.
MEETINGS = 2

ORDER_KNOWN = "order_known"
BUDGET = "budget"
PAIR_LIMIT = "pair_limit"
ROUND_LIMIT = "round_limit"


@dataclass(frozen=True)
class PairCount:
    """An item that compares two candidates, with its answers so far.

    Parameters
    ----------
    item
        ID of the item.
    first, second
        The candidates, two different ones.
    wins, losses, ties
        Answers that prefer the first, the second, or neither.
    slots
        Comparisons that were asked for.
    pending
        Those of them that have no answer.
    closed
        Whether the item is not compared again, because it is retired or excluded.
    """

    item: str
    first: str
    second: str
    wins: int = 0
    losses: int = 0
    ties: int = 0
    slots: int = 0
    pending: int = 0
    closed: bool = False

    @property
    def answers(self) -> int:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True)
class PairingLimits:
    """Comparisons in all (`budget`), per round, and per item; and `rounds` that ask for comparisons."""

    budget: int
    per_round: int
    per_item: int
    rounds: int


@dataclass(frozen=True)
class Fit:
    """Strengths of candidates, in the order of their names, on the scale of log odds.

    `covariance` has their variances from the answers; `open_pairs` are the numbers of two candidates whose
    difference has an interval that contains 0.
    """

    names: tuple[str, ...]
    strengths: FloatArray
    covariance: FloatArray
    open_pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Round:
    """Items that are compared once more, or none and the reason why it stops."""

    items: tuple[str, ...]
    stopped: str = ""
    fit: Fit | None = None


def first_round(counts: Sequence[PairCount], limits: PairingLimits, *, seed: int) -> Round:
    """Choose items that connect all candidates, each with two others where the items allow it.

    Parameters
    ----------
    counts
        The items of the study; they must connect all candidates. Those with answers, such as imported ones,
        connect theirs already.
    limits
        The budget; enough to connect all candidates.
    seed
        Of the draw.

    Returns
    -------
    Round
        At most as many items as the budget leaves, each once. Where the answers connect everything already,
        what `next_round` chooses.
    """
    left = limits.budget - sum(pair.slots for pair in counts)
    start = _StartDesign(counts, _drawn(counts, seed, 1))
    start.connect()
    start.fill_up(left)
    chosen = tuple(start.chosen[: max(0, left)])
    return Round(chosen) if chosen else next_round(counts, limits, seed=seed, number=1)


def next_round(counts: Sequence[PairCount], limits: PairingLimits, *, seed: int, number: int) -> Round:
    """Choose the items that are compared next, or find the reason to stop.

    An item is chosen if the order of its candidates is open: the interval of the difference of their
    strengths contains 0. Among them the one comes first with the greatest product of the variance of the
    difference, the information of one answer about it, and the probability that the present order is wrong.
    The product of the first two grows with the share by which one answer reduces the variance. The
    expected information of a chosen item is taken into account for the items chosen after it.

    Parameters
    ----------
    counts
        The items with all answers that count; all candidates are connected.
    limits
        When it stops, and how many items a round has.
    seed, number
        Of the study, and of the round: the draw among equally informative items.

    Returns
    -------
    Round
        Items, each at most once; or none, and `stopped`: `order_known` where no interval of a difference
        contains 0, `budget` where all comparisons were asked for, `round_limit` after `limits.rounds` rounds,
        `pair_limit` where no item is left for the pairs whose order is open: they have no item, or each has
        as many comparisons as it may have.

    Notes
    -----
    The intervals of one round are simultaneous for all pairs of candidates (Bonferroni), but not for all
    rounds together: testing after each round finds an order of equally strong candidates more often. They
    come from the Bradley–Terry model with a normal prior, so that they exist where a candidate has won or
    lost everything. An answer that prefers neither is half a win for each.

    References
    ----------
    Bradley and Terry (1952); Glickman and Jensen (2005) on the design of comparisons by expected information.
    """
    fit = fitted(counts)
    left = limits.budget - sum(pair.slots for pair in counts)
    if not fit.open_pairs:
        return Round((), ORDER_KNOWN, fit)
    if left <= 0:
        return Round((), BUDGET, fit)
    if number > limits.rounds:
        return Round((), ROUND_LIMIT, fit)
    items = _most_informative(counts, fit, limits, min(left, limits.per_round), _drawn(counts, seed, number))
    return Round(items, "" if items else PAIR_LIMIT, fit)


def fitted(counts: Sequence[PairCount]) -> Fit:
    """Fit the Bradley–Terry model with a normal prior to the answers; a tie is half a win for each."""
    names, code = _coded(counts)
    wins = np.zeros((len(names), len(names)))
    for pair in counts:
        first, second = code[pair.first], code[pair.second]
        wins[first, second] += pair.wins + pair.ties / 2
        wins[second, first] += pair.losses + pair.ties / 2
    strengths: FloatArray = np.zeros(len(names))
    for _ in range(MOST_STEPS):
        odds = scipy.special.expit(strengths[:, None] - strengths[None, :])
        surprise = (wins - (wins + wins.T) * odds).sum(axis=1) - strengths / PRIOR_VARIANCE
        step = np.linalg.solve(_information(wins + wins.T, odds), surprise)
        strengths = np.asarray(strengths + step, dtype=np.float64)
        if np.abs(step).max() < SMALLEST_STEP:
            break
    odds = scipy.special.expit(strengths[:, None] - strengths[None, :])
    covariance = np.asarray(np.linalg.inv(_information(wins + wins.T, odds)), dtype=np.float64)
    return Fit(names, strengths, covariance, _open_pairs(strengths, covariance))


def connected(counts: Sequence[PairCount]) -> bool:
    """Whether the items connect all candidates, directly or through others."""
    names, code = _coded(counts)
    return len(names) > 1 and _parts(counts, code) == 1


def candidates(counts: Sequence[PairCount]) -> tuple[str, ...]:
    """The names of all candidates, in their order."""
    return _coded(counts)[0]


def fewest_comparisons(counts: Sequence[PairCount]) -> int:
    """How many comparisons, in addition to those with answers, connect all candidates."""
    return max(0, _parts([pair for pair in counts if pair.answers], _coded(counts)[1]) - 1)


def _parts(counts: Sequence[PairCount], code: Mapping[str, int]) -> int:
    """Number of connected components of the candidates, with these items as edges."""
    meet = np.zeros((len(code), len(code)))
    for pair in counts:
        meet[code[pair.first], code[pair.second]] = 1
    return int(scipy.sparse.csgraph.connected_components(meet, directed=False)[0])


class _StartDesign:
    """Items that connect all candidates; those of candidates that have met few others come first."""

    def __init__(self, counts: Sequence[PairCount], drawn: Mapping[str, int]) -> None:
        self.pairs = sorted((pair for pair in counts if not pair.closed), key=lambda pair: drawn[pair.item])
        self.part = {name: name for pair in counts for name in (pair.first, pair.second)}
        self.met: dict[str, set[str]] = {name: set() for name in self.part}
        self.chosen: list[str] = []
        for pair in counts:
            if pair.answers:
                self._join(pair)

    def connect(self) -> None:
        while joining := [pair for pair in self.pairs if self.part[pair.first] != self.part[pair.second]]:
            self._take(min(joining, key=self._busiest))

    def fill_up(self, most: int) -> None:
        """Add items of candidates that have met too few others."""
        while len(self.chosen) < most:
            new = [pair for pair in self.pairs if pair.second not in self.met[pair.first]]
            short = [pair for pair in new if self._fewest(pair) < MEETINGS]
            if not short:
                return
            self._take(min(short, key=self._busiest))

    def _take(self, pair: PairCount) -> None:
        self.chosen.append(pair.item)
        self._join(pair)

    def _join(self, pair: PairCount) -> None:
        self.met[pair.first].add(pair.second)
        self.met[pair.second].add(pair.first)
        old, new = self.part[pair.second], self.part[pair.first]
        self.part = {name: new if part == old else part for name, part in self.part.items()}

    def _busiest(self, pair: PairCount) -> tuple[int, int]:
        sizes = len(self.met[pair.first]), len(self.met[pair.second])
        return max(sizes), sum(sizes)

    def _fewest(self, pair: PairCount) -> int:
        return min(len(self.met[pair.first]), len(self.met[pair.second]))


def _coded(counts: Sequence[PairCount]) -> tuple[tuple[str, ...], dict[str, int]]:
    names = tuple(sorted({name for pair in counts for name in (pair.first, pair.second)}))
    return names, {name: place for place, name in enumerate(names)}


def _information(numbers: FloatArray, odds: FloatArray) -> FloatArray:
    """The information of so many comparisons about the strengths, with that of the prior."""
    weights = numbers * odds * (1 - odds)
    return np.asarray(np.diag(weights.sum(axis=1) + 1 / PRIOR_VARIANCE) - weights, dtype=np.float64)


def _open_pairs(strengths: FloatArray, covariance: FloatArray) -> tuple[tuple[int, int], ...]:
    n = len(strengths)
    width = float(scipy.special.ndtri(1 - (1 - CONFIDENCE) / (n * (n - 1))))
    return tuple(
        (one, other)
        for one in range(n)
        for other in range(one + 1, n)
        if abs(strengths[one] - strengths[other])
        <= width * math.sqrt(covariance[one, one] + covariance[other, other] - 2 * covariance[one, other])
    )


def _most_informative(
    counts: Sequence[PairCount], fit: Fit, limits: PairingLimits, most: int, drawn: Mapping[str, int]
) -> tuple[str, ...]:
    code = {name: place for place, name in enumerate(fit.names)}
    open_pairs = set(fit.open_pairs)
    odds = scipy.special.expit(fit.strengths[:, None] - fit.strengths[None, :])
    information = odds * (1 - odds)
    covariance = fit.covariance.copy()
    for pair in counts:
        for _ in range(pair.pending):
            covariance = _after(covariance, code[pair.first], code[pair.second], information)
    waiting = [
        pair
        for pair in sorted(counts, key=lambda pair: (pair.slots, drawn[pair.item]))
        if not pair.closed
        and pair.slots < limits.per_item
        and tuple(sorted((code[pair.first], code[pair.second]))) in open_pairs
    ]
    first = np.array([code[pair.first] for pair in waiting], dtype=np.intp)
    second = np.array([code[pair.second] for pair in waiting], dtype=np.intp)
    free = np.ones(len(waiting), dtype=bool)
    chosen: list[str] = []
    while len(chosen) < min(most, len(waiting)):
        gains = np.round(_gains(fit.strengths, covariance, information), DECIMALS)[first, second]
        best = int(np.argmax(np.where(free, gains, -np.inf)))
        free[best] = False
        chosen.append(waiting[best].item)
        covariance = _after(covariance, int(first[best]), int(second[best]), information)
    return tuple(chosen)


def _gains(strengths: FloatArray, covariance: FloatArray, information: FloatArray) -> FloatArray:
    """Expected information of one more comparison of each pair, times the probability of a wrong order."""
    variances = _variances(covariance) + np.eye(len(covariance))
    away = np.abs(strengths[:, None] - strengths[None, :]) / np.sqrt(variances)
    return np.asarray(variances * information * scipy.special.ndtr(-away), dtype=np.float64)


def _variances(covariance: FloatArray) -> FloatArray:
    """The variance of the difference of each two strengths."""
    own = np.diag(covariance)
    return np.asarray(own[:, None] + own[None, :] - 2 * covariance, dtype=np.float64)


def _after(covariance: FloatArray, first: int, second: int, information: FloatArray) -> FloatArray:
    """The covariance as it is expected to be after one more comparison."""
    along = covariance[:, first] - covariance[:, second]
    weight = information[first, second]
    spread = along[first] - along[second]
    return np.asarray(covariance - weight / (1 + weight * spread) * np.outer(along, along), dtype=np.float64)


def _drawn(counts: Sequence[PairCount], seed: int, number: int) -> dict[str, int]:
    """A random position for each item, by which equally informative items are ordered."""
    items = sorted(pair.item for pair in counts)
    random.Random(f"{seed}/round/{number}").shuffle(items)
    return {item: place for place, item in enumerate(items)}
