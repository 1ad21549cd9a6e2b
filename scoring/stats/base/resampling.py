"""Seeded percentile bootstrap: generators, chunks of replicates, intervals."""

import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoring.stats.base.cautions import FEW_GROUPS, FEW_ITEMS
from scoring.stats.base.result import TOO_FEW_GROUPS, TOO_FEW_ITEMS, UNDEFINED_REPLICATES, Interval

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Tick = Callable[[int], None]
Limits = Literal["percentile", "bca", "measured"]

UNDEFINED_TOLERATED = 0.05
CHUNK_CELLS = 2_000_000

# With more units of a kind than this, drawing how often each kind comes is quicker than drawing the units.
POOLED = 4

FEW_REPLICATES = 32

# All replicates of so few units are drawn and counted at once.
FEW_UNITS = 10_000

# Resamples of fewer items or groups bound nothing.
FEWEST_UNITS = 5

# With fewer than this, percentile intervals contain the true value clearly less often than stated, see
# `docs/statistics/coverage.md`.
FEW_TO_RESAMPLE = 30

# Number of units that sixteen bits can distinguish.
BLOCK = 2**16


def nothing_to_draw(unit: str) -> Interval:
    """No interval, since there are too few items or groups to draw from.

    Parameters
    ----------
    unit
        Unit of resampling, `items` or `groups`.
    """
    return Interval.missing(TOO_FEW_GROUPS if unit == "groups" else TOO_FEW_ITEMS)


def tail_p(replicates: FloatArray) -> float:
    """Two-sided p of no effect that agrees with the percentile interval of the same replicates.

    Parameters
    ----------
    replicates
        One value per replicate; undefined ones are left out.

    Returns
    -------
    float
        1 less the greatest confidence at which the interval is on one side of 0, but at least 2/(1 + B) for B
        replicates, and NaN without any.
    """
    defined = np.sort(replicates[np.isfinite(replicates)])
    if len(defined) == 0:
        return math.nan
    smaller = min(_share_below(defined), _share_below(-defined[::-1]))
    return float(min(1.0, max(2 * smaller, 2 / (1 + len(defined)))))


def _share_below(values: FloatArray) -> float:
    """The greatest probability whose quantile is not above 0."""
    number = int(np.searchsorted(values, 0.0, side="right"))
    if number in {0, len(values)}:
        return float(number > 0)
    low, high = values[number - 1], values[number]
    return (number - 1 + float(-low / (high - low))) / (len(values) - 1)


def ignore_progress(_replicates: int) -> None:
    """Report no progress."""


def draw_units(generator: np.random.Generator, frequency: IntArray, size: int) -> FloatArray:
    """How often each kind of unit comes when as many units are drawn with replacement as there are.

    Parameters
    ----------
    generator
        Source of the draws.
    frequency
        Number of units of each kind.
    size
        Number of replicates.

    Returns
    -------
    ndarray, shape (kinds, size)
        Every column sums to the number of units.
    """
    kinds, units = len(frequency), int(frequency.sum())
    if units > POOLED * kinds:
        return generator.multinomial(units, frequency / units, size=size).T.astype(np.float64)
    counts = _few(generator, units, size) if units <= FEW_UNITS else _many(generator, units, size)
    return counts if kinds == units else np.add.reduceat(counts, np.cumsum(frequency) - frequency, axis=0)


def _few(generator: np.random.Generator, units: int, size: int) -> FloatArray:
    drawn = generator.integers(0, units, size=(size, units))
    drawn += units * np.arange(size)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=size * units)
    return counts.reshape(size, units).T.astype(np.float64)


def _many(generator: np.random.Generator, units: int, size: int) -> FloatArray:
    # Written by replicate; a few replicates of many units are read by unit.
    counts = np.empty((units, size), order="C" if size <= FEW_REPLICATES else "F")
    starts = np.arange(0, units, BLOCK)
    lengths = np.diff(starts, append=units)
    # How many fall into each block, then where in it: so the counts stay in the processor's cache.
    in_block = generator.multinomial(units, lengths / units, size=size)
    for block, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        for replicate, number in enumerate(in_block[:, block]):
            drawn = generator.integers(0, length, number, dtype=np.uint16)
            counts[start : start + length, replicate] = np.bincount(drawn, minlength=length)
    return counts


@dataclass(frozen=True)
class Resampling:
    """How intervals are to be resampled."""

    replicates: int = 2000  # Bootstrap replicates
    seed: int = 0  # Seed of every generator; each figure has a stream of its own
    confidence: float = 0.95  # Nominal coverage of the intervals
    tick: Tick = ignore_progress  # Called with the number of replicates done since the last call
    # `percentile`; `bca` for figures that can be computed with each unit left out in turn; or `measured`, the
    # one of both that was chosen by coverage for that number of units
    limits: Limits = "percentile"

    def __post_init__(self) -> None:
        """Refuse settings no interval can be made with."""
        if self.replicates < 1:
            raise ValueError(f"replicates is {self.replicates}; at least 1 is needed")
        if not 0 < self.confidence < 1:
            raise ValueError(f"confidence is {self.confidence}; it must lie between 0 and 1")
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}; it must not be negative")

    def generator(self, *stream: str) -> np.random.Generator:
        """The random generator of a named stream, the same for the same seed and names."""
        return np.random.default_rng([self.seed, *(zlib.crc32(name.encode()) for name in stream)])

    def chunks(self, width: int) -> Iterator[int]:
        """Sizes of chunks of replicates of `width` cells each; reports each chunk when it is done."""
        yield from self.pieces(max(1, CHUNK_CELLS // max(width, 1)))

    def pieces(self, most: int) -> Iterator[int]:
        """Sizes of chunks of at most so many replicates; reports each chunk when it is done."""
        for size in self.sizes(most):
            yield size
            self.tick(size)

    def sizes(self, most: int) -> list[int]:
        """Sizes of chunks of at most so many replicates."""
        full, rest = divmod(self.replicates, most)
        return [most] * full + [rest] * (rest > 0)

    def tails(self) -> tuple[float, float]:
        """Probabilities below the lower and below the upper limit."""
        tail = (1 - self.confidence) / 2
        return tail, 1 - tail

    def interval(self, replicates: FloatArray, unit: str, n_units: int) -> Interval:
        """Percentile interval of bootstrap replicates.

        Parameters
        ----------
        replicates
            One value per replicate, NaN where the coefficient was undefined.
        unit
            Unit of resampling, `items` or `groups`.
        n_units
            Number of units.

        Returns
        -------
        Interval
            Without limits when more than 5 % of the replicates were undefined, or fewer than five units
            were there to draw from: their resamples differ too little to bound anything. Its settings name
            the caution where there were few units.
        """
        method = f"percentile-bootstrap:{unit}"
        if n_units < FEWEST_UNITS:
            return replace(nothing_to_draw(unit), method=method)
        defined = replicates[np.isfinite(replicates)]
        undefined = len(replicates) - len(defined)
        settings = f"replicates:{self.replicates}|undefined:{undefined}|seed:{self.seed}"
        if undefined > UNDEFINED_TOLERATED * len(replicates):
            return Interval(math.nan, math.nan, method, UNDEFINED_REPLICATES, settings)
        if n_units < FEW_TO_RESAMPLE:
            settings += f"|{FEW_GROUPS if unit == 'groups' else FEW_ITEMS}"
        low, high = np.quantile(defined, self.tails())
        return Interval(float(low), float(high), method, "", settings)
