"""Values that differ by rounding only are made equal before they are ranked or compared."""

import numpy as np

from scoring.stats.base.resampling import FloatArray

# Bits of a value that count: a relative difference below 1e-12 is rounding.
BITS = 40


def round_significant(values: FloatArray) -> FloatArray:
    """Drop the last bits of values, so that sums of tenths that are equal on paper are equal here.

    Parameters
    ----------
    values
        Any shape; NaN and infinities stay what they are.

    Returns
    -------
    ndarray
        Of the same shape, each value within 1e-12 of itself, whatever the size of its neighbours.
    """
    fraction, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(np.ldexp(fraction, BITS)), exponent - BITS), dtype=np.float64)
