"""The token classifier: a bidirectional GRU that points at the first and last token of topic and vehicle.

It is trained by `scoring.backends.component_training`. Its arithmetic here is that of PyTorch's `GRU`, in
NumPy, so that extraction needs no PyTorch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.hauser.components.trained.windows import (
    BEFORE,
    BEHIND,
    N_FEATURES,
    N_LETTERS,
    Span,
    Window,
)

FloatArray: TypeAlias = npt.NDArray[np.float32]

POINTERS = ("topic start", "topic end", "vehicle start", "vehicle end")
READERS = ("onward", "reverse")
PAD, UNKNOWN = 0, 1
N_PLACES = BEFORE + BEHIND + 2
WORD_SIZE, LETTER_SIZE, PLACE_SIZE, STATE_SIZE = 32, 16, 16, 48
INPUT_SIZE = WORD_SIZE + LETTER_SIZE + PLACE_SIZE + N_FEATURES
MOST_WORDS, MOST_ENDINGS = 4000, 1000
ENDING = 3
LONGEST_PART = 16
IMPOSSIBLE = -1e18


class Vocabulary:
    """Numbers of words; words that it lacks have the number of their last three letters."""

    def __init__(self, entries: Sequence[str]) -> None:
        self.entries = list(entries)
        self._numbers = {entry: place + 2 for place, entry in enumerate(self.entries)}

    @classmethod
    def of_windows(cls, windows: Iterable[Window]) -> Vocabulary:
        """The words and endings that occur at least twice, the most frequent first."""
        words = Counter(word for window in windows for word in window.words)
        endings: Counter[str] = Counter()
        for word, n in words.items():
            if len(word) > ENDING:
                endings[_ending(word)] += n
        return cls([*_frequent(words, MOST_WORDS), *_frequent(endings, MOST_ENDINGS)])

    def __len__(self) -> int:
        return len(self.entries) + 2

    def number(self, word: str) -> int:
        """The number of a word from 2, or `UNKNOWN`."""
        return self._numbers.get(word) or self._numbers.get(_ending(word), UNKNOWN)


def _ending(word: str) -> str:
    return "…" + word[-ENDING:]


def _frequent(counts: Counter[str], most: int) -> list[str]:
    return [entry for entry, n in counts.most_common(most) if n > 1]


def place_numbers(window: Window) -> list[int]:
    """Distance of each token from the comparator, as a number from 1."""
    start, end = window.comparator
    distances = [at - start if at < start else max(0, at - end) for at in range(len(window.words))]
    return [min(max(distance, -BEFORE), BEHIND) + BEFORE + 1 for distance in distances]


def shapes(n_words: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array of weights, by its name in PyTorch."""
    gates = 3 * STATE_SIZE
    found: dict[str, tuple[int, ...]] = {
        "words.weight": (n_words, WORD_SIZE),
        "letters.weight": (N_LETTERS, LETTER_SIZE),
        "places.weight": (N_PLACES, PLACE_SIZE),
        "pointers.weight": (len(POINTERS), 2 * STATE_SIZE + N_FEATURES),
        "pointers.bias": (len(POINTERS),),
    }
    for reader in READERS:
        found |= {
            f"{reader}.weight_ih_l0": (gates, INPUT_SIZE),
            f"{reader}.weight_hh_l0": (gates, STATE_SIZE),
            f"{reader}.bias_ih_l0": (gates,),
            f"{reader}.bias_hh_l0": (gates,),
        }
    return found


@dataclass(frozen=True)
class Network:
    """A trained classifier."""

    vocabulary: Vocabulary
    weights: Mapping[str, FloatArray]  # As `shapes` names them

    def scores(self, window: Window) -> FloatArray:
        """Scores of every token for the four pointers, shape (n_tokens, 4)."""
        weights = self.weights
        features = np.array(window.features, np.float32)
        words = [self.vocabulary.number(word) for word in window.words]
        given = np.concatenate(
            [
                weights["words.weight"][words],
                weights["letters.weight"][window.letters],
                weights["places.weight"][place_numbers(window)],
                features,
            ],
            axis=1,
        )
        states = self._read(given)
        found: FloatArray = (
            np.concatenate([states, features], axis=1) @ weights["pointers.weight"].T
            + weights["pointers.bias"]
        )
        return found

    def _read(self, given: FloatArray) -> FloatArray:
        """States of both directions at every token."""
        onward, reverse = READERS
        gates = np.stack([self._gates(given, onward), self._gates(given[::-1], reverse)])
        recurrent = np.stack([self.weights[f"{reader}.weight_hh_l0"] for reader in READERS])
        bias = np.stack([self.weights[f"{reader}.bias_hh_l0"] for reader in READERS])
        state = np.zeros((2, STATE_SIZE), np.float32)
        states = np.empty((2, len(given), STATE_SIZE), np.float32)
        for at in range(len(given)):
            state = _next_state(state, gates[:, at], (recurrent @ state[..., None])[..., 0] + bias)
            states[:, at] = state
        return np.concatenate([states[0], states[1, ::-1]], axis=1)

    def _gates(self, given: FloatArray, reader: str) -> FloatArray:
        weights = self.weights
        found: FloatArray = given @ weights[f"{reader}.weight_ih_l0"].T + weights[f"{reader}.bias_ih_l0"]
        return found

    def spans(self, window: Window) -> tuple[Span | None, Span]:
        """The best topic, outside comparator and vehicle, and the best vehicle, after the comparator."""
        scores = self.scores(window)
        first, last = window.comparator
        n = len(window.words)
        vehicle, _ = best_span(scores[:, 2:], last + 1, n) or ((n - 1, n - 1), 0.0)
        found = [best_span(scores[:, :2], 0, first), best_span(scores[:, :2], vehicle[1] + 1, n)]
        topic = max((one for one in found if one), key=lambda one: one[1], default=None)
        return topic[0] if topic else None, vehicle


def _next_state(state: FloatArray, given: FloatArray, recurrent: FloatArray) -> FloatArray:
    """One step of a GRU: reset gate, update gate and new state, as PyTorch orders them."""
    both = given[:, : 2 * STATE_SIZE] + recurrent[:, : 2 * STATE_SIZE]
    opened = 1 / (1 + np.exp(-both))
    reset, update = opened[:, :STATE_SIZE], opened[:, STATE_SIZE:]
    new = np.tanh(given[:, 2 * STATE_SIZE :] + reset * recurrent[:, 2 * STATE_SIZE :])
    found: FloatArray = (1 - update) * new + update * state
    return found


def best_span(scores: FloatArray, least: int, end: int) -> tuple[Span, float] | None:
    """The first and last token, between two positions, with the highest sum of scores.

    Parameters
    ----------
    scores : ndarray of float, shape (n_tokens, 2)
        Scores of each token as the first and as the last.
    least, end : int
        The positions allowed, end exclusive.
    """
    if least >= end:
        return None
    total = scores[least:end, None, 0] + scores[None, least:end, 1]
    allowed = np.tril(np.triu(np.ones_like(total)), LONGEST_PART - 1) > 0
    best = int(np.where(allowed, total, IMPOSSIBLE).argmax())
    n = end - least
    return (least + best // n, least + best % n), float(total.flat[best])
