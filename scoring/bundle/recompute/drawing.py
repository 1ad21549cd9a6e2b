"""Random streams, bootstrap draws and the limits of intervals."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Array

CONFIDENCE = 0.95
# Resamples of fewer items or groups than this have no limits.
FEWEST_UNITS = 5
# An interval from fewer than these has a caution.
FEW_UNITS = 30


@dataclass(frozen=True)
class Drawing:
    """Seed and number of replicates of a report."""

    seed: int
    replicates: int
    # Whether limits are bias-corrected and accelerated where units are neither few nor very many
    corrects: bool = False

    def stream(self, *names: str) -> np.random.Generator:
        """Return the stream of a name: PCG64 seeded with the seed and each name's CRC-32."""
        return np.random.default_rng([self.seed, *(zlib.crc32(name.encode()) for name in names)])

    def chunks(self, width: int) -> list[int]:
        """Divide the replicates into chunks of two million cells."""
        most = max(1, 2_000_000 // max(width, 1))
        full, rest = divmod(self.replicates, most)
        return [most] * full + [rest] * (rest > 0)

    def limits(self, replicates: Array | None, n_units: int) -> tuple[float, float]:
        """Compute percentile limits; NaN with under five units or over 5 % undefined replicates."""
        if replicates is None or n_units < FEWEST_UNITS:
            return math.nan, math.nan
        defined = replicates[np.isfinite(replicates)]
        if len(replicates) - len(defined) > 0.05 * len(replicates):
            return math.nan, math.nan
        low, high = np.quantile(defined, get_tail_probabilities())
        return float(low), float(high)

    def unit_weights(self, n_units: int, width: int, stream: str = "units") -> Iterator[Array]:
        """Yield how often each unit is drawn in each replicate, by one multinomial a replicate."""
        generator, shares = self.stream(stream), np.full(n_units, 1 / max(n_units, 1))
        for size in self.chunks(width):
            yield generator.multinomial(n_units, shares, size=size).astype(float)


def find_few_units(n_units: int, *, grouped: bool) -> list[str]:
    """Find the caution of an interval from few groups, or few items."""
    if n_units >= FEW_UNITS:
        return []
    return ["few_groups" if grouped else "few_items"]


def get_tail_probabilities() -> tuple[float, float]:
    """Return the cumulative probabilities of the two limits."""
    tail = (1 - CONFIDENCE) / 2
    return tail, 1 - tail


def draw_units(generator: np.random.Generator, frequency: Array, size: int) -> Array:
    """Draw how often each kind of unit occurs, shape (kinds, size).

    One multinomial where there are more than four units a kind; otherwise the units themselves are drawn,
    beyond 10,000 of them block by block of 2¹⁶.
    """
    kinds, units = len(frequency), int(frequency.sum())
    if units > 4 * kinds:
        return generator.multinomial(units, frequency / units, size=size).T.astype(float)
    if units <= 10_000:
        drawn = generator.integers(0, units, size=(size, units))
        counts = np.stack([np.bincount(row, minlength=units) for row in drawn], axis=1).astype(float)
    else:
        counts = draw_in_blocks(generator, units, size)
    return counts if kinds == units else np.add.reduceat(counts, np.cumsum(frequency) - frequency, axis=0)


def draw_in_blocks(generator: np.random.Generator, units: int, size: int) -> Array:
    """Draw how many units fall into each block, then which units of the block."""
    counts = np.empty((units, size))
    starts = np.arange(0, units, 2**16)
    lengths = np.diff(starts, append=units)
    in_block = generator.multinomial(units, lengths / units, size=size)
    for block, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        for replicate, number in enumerate(in_block[:, block]):
            drawn = generator.integers(0, length, number, dtype=np.uint16)
            counts[start : start + length, replicate] = np.bincount(drawn, minlength=length)
    return counts


def assign_item_units(items: Sequence[str], groups: Mapping[str, str]) -> tuple[Array, str]:
    """Number the resampling unit of each item: its group, or the item if it has none."""
    names = [("group", groups[item]) if groups.get(item) else ("item", item) for item in items]
    code_of = {name: number for number, name in enumerate(dict.fromkeys(names))}
    kind = "groups" if len(code_of) < len(names) else "items"
    return np.array([code_of[name] for name in names], dtype=int), kind
