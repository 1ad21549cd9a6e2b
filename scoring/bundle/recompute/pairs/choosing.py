"""Which items a round of adaptive pairs asks for, from the counts that it was computed from."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import norm

from ..arrays import Array

PRIOR_PRECISION = 1 / 4.0
CONFIDENCE = 0.95
DECIMALS = 8
MEETINGS = 2


@dataclass(frozen=True)
class Pair:
    """An item with two candidates, and its answers and slots before a round."""

    item: str
    first: str
    second: str
    wins: int
    losses: int
    ties: int
    slots: int
    pending: int
    closed: bool

    @property
    def names(self) -> frozenset[str]:
        """Both candidates."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True)
class Limits:
    """Of the study: comparisons in all, in a round and of an item, and rounds."""

    budget: int
    per_round: int
    per_item: int
    rounds: int


@dataclass(frozen=True)
class Choice:
    """Items chosen, why there are none, and the fit that decided: strengths and pairs without an order."""

    items: list[str]
    stopped: str = ""
    strengths: Mapping[str, float] | None = None
    open_pairs: int | None = None


def choose_items(pairs: Sequence[Pair], limits: Limits, seed: int, number: int) -> Choice:
    """Choose the items of a round again."""
    order = draw_order(pairs, seed, number)
    left = limits.budget - sum(pair.slots for pair in pairs)
    if number == 1:
        chosen = connect_candidates(pairs, order, left)
        if chosen:
            return Choice(chosen)
    names = sorted({name for pair in pairs for name in pair.names})
    strengths, covariance = fit_strengths(pairs, names)
    undecided = find_open_pairs(strengths, covariance)
    fitted = dict(zip(names, map(float, strengths), strict=True)), int(undecided.sum()) // 2
    if not undecided.any():
        return Choice([], "order_known", *fitted)
    if left <= 0:
        return Choice([], "budget", *fitted)
    if number > limits.rounds:
        return Choice([], "round_limit", *fitted)
    place = {name: at for at, name in enumerate(names)}
    most = min(left, limits.per_round)
    waiting = [
        pair
        for pair in sorted(pairs, key=lambda one: (one.slots, order[one.item]))
        if not pair.closed
        and pair.slots < limits.per_item
        and undecided[place[pair.first], place[pair.second]]
    ]
    pending = [(place[pair.first], place[pair.second]) for pair in pairs for _ in range(pair.pending)]
    where = [(place[one.first], place[one.second]) for one in waiting]
    picked = pick_most_informative(strengths, covariance, pending, where, most)
    items = [waiting[at].item for at in picked]
    return Choice(items, "" if items else "pair_limit", *fitted)


def draw_order(pairs: Sequence[Pair], seed: int, number: int) -> dict[str, int]:
    """Draw the order in which equal items are taken."""
    items = sorted(pair.item for pair in pairs)
    random.Random(f"{seed}/round/{number}").shuffle(items)
    return {item: at for at, item in enumerate(items)}


def connect_candidates(pairs: Sequence[Pair], order: Mapping[str, int], left: int) -> list[str]:
    """Choose items that connect all candidates, then those of candidates that have met fewer than two."""
    met: dict[str, set[str]] = {name: set() for pair in pairs for name in pair.names}
    for pair in pairs:
        if pair.wins + pair.losses + pair.ties:
            note_comparison(met, pair)
    free = sorted((pair for pair in pairs if not pair.closed), key=lambda one: order[one.item])
    chosen: list[Pair] = []
    while joining := [one for one in free if one.second not in find_connected(met, one.first)]:
        chosen.append(take_least_met(met, joining))
    while len(chosen) < left:
        new = [one for one in free if one.second not in met[one.first]]
        short = [one for one in new if min(len(met[name]) for name in one.names) < MEETINGS]
        if not short:
            break
        chosen.append(take_least_met(met, short))
    return [one.item for one in chosen[: max(0, left)]]


def take_least_met(met: dict[str, set[str]], pairs: Sequence[Pair]) -> Pair:
    """Take the first of the pairs whose more often compared candidate has met the fewest others."""
    best = min(pairs, key=lambda one: sorted((len(met[name]) for name in one.names), reverse=True))
    note_comparison(met, best)
    return best


def note_comparison(met: dict[str, set[str]], pair: Pair) -> None:
    """Note that two candidates are compared."""
    met[pair.first].add(pair.second)
    met[pair.second].add(pair.first)


def find_connected(met: Mapping[str, set[str]], start: str) -> set[str]:
    """Find the candidates that comparisons connect with `start`, itself included."""
    found, waiting = {start}, [start]
    while waiting:
        for name in met[waiting.pop()] - found:
            found.add(name)
            waiting.append(name)
    return found


def fit_strengths(pairs: Sequence[Pair], names: Sequence[str]) -> tuple[Array, Array]:
    """Find the strengths where the posterior of the Bradley–Terry model is highest, and their covariance."""
    place = {name: at for at, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for pair in pairs:
        wins[place[pair.first], place[pair.second]] += pair.wins + pair.ties / 2
        wins[place[pair.second], place[pair.first]] += pair.losses + pair.ties / 2
    numbers, strengths = wins + wins.T, np.zeros(len(names))
    for _ in range(100):
        odds = expit(strengths[:, None] - strengths)
        slope = wins.sum(axis=1) - (numbers * odds).sum(axis=1) - PRIOR_PRECISION * strengths
        step = np.linalg.solve(get_precision(numbers, odds), slope)
        strengths = strengths + step
        if np.abs(step).max() < 1e-12:
            break
    odds = expit(strengths[:, None] - strengths)
    return strengths, np.linalg.inv(get_precision(numbers, odds))


def get_precision(numbers: Array, odds: Array) -> Array:
    """Return the precision of the strengths from so many comparisons and the prior."""
    weights = numbers * odds * odds.T
    return np.asarray(np.diag(weights.sum(axis=1) + PRIOR_PRECISION) - weights)


def get_variances(covariance: Array) -> Array:
    """Return the variance of the difference of each two strengths."""
    own = np.diag(covariance)
    return np.asarray(own[:, None] + own - 2 * covariance)


def find_open_pairs(strengths: Array, covariance: Array) -> Array:
    """Find the pairs whose simultaneous 95% interval of the difference contains 0."""
    n = len(strengths)
    width = ndtri(1 - (1 - CONFIDENCE) / (n * (n - 1)))
    away = np.abs(strengths[:, None] - strengths)
    within = away <= width * np.sqrt(np.maximum(get_variances(covariance), 0))
    return np.asarray(within & ~np.eye(n, dtype=bool))


def pick_most_informative(
    strengths: Array,
    covariance: Array,
    pending: Sequence[tuple[int, int]],
    where: Sequence[tuple[int, int]],
    most: int,
) -> list[int]:
    """Pick the most informative places in `where`, each given the answers expected for those before it."""
    odds = expit(strengths[:, None] - strengths)
    weights = odds * odds.T
    for pair in pending:
        covariance = expect_answer(covariance, pair, weights)
    away = np.abs(strengths[:, None] - strengths)
    first, second = np.array(where, dtype=int).reshape(-1, 2).T
    waiting = np.ones(len(where), dtype=bool)
    picked: list[int] = []
    while waiting.any() and len(picked) < most:
        spread = get_variances(covariance)[first, second]
        gains = spread * weights[first, second] * norm.sf(away[first, second] / np.sqrt(spread))
        best = int(np.argmax(np.where(waiting, np.round(gains, DECIMALS), -math.inf)))
        waiting[best] = False
        picked.append(best)
        covariance = expect_answer(covariance, where[best], weights)
    return picked


def expect_answer(covariance: Array, pair: tuple[int, int], weights: Array) -> Array:
    """Return the covariance that is expected after one more answer about a pair."""
    difference = np.zeros(len(covariance))
    difference[pair[0]], difference[pair[1]] = 1, -1
    along = covariance @ difference
    weight = weights[pair]
    return np.asarray(covariance - weight * np.outer(along, along) / (1 + weight * (difference @ along)))
