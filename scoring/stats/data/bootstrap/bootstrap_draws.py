"""Bootstrap draws of units, given again and again the same."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from scoring.stats.base.resampling import FloatArray, Resampling, ignore_progress

Draws = Callable[[], Iterator[FloatArray]]


def unit_draws(n_units: int, width: int, resampling: Resampling, stream: str = "units") -> Draws:
    """How often each unit is drawn in each replicate.

    Parameters
    ----------
    n_units
        Number of units, each drawn as likely as any other.
    width
        Cells that a replicate takes in the computation; sets the size of the chunks.
    resampling
        Replicates and seed; its tick is not called.
    stream
        Name of the stream of random numbers.

    Returns
    -------
    callable
        Gives chunks of weights, shape (replicates, units), the same at every call.
    """
    shares = np.full(n_units, 1 / max(n_units, 1))
    silent = replace(resampling, tick=ignore_progress)

    def draw() -> Iterator[FloatArray]:
        generator = silent.generator(stream)
        for size in silent.chunks(width):
            yield generator.multinomial(n_units, shares, size=size).astype(np.float64)

    return draw
