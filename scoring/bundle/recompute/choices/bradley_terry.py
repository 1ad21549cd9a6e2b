"""Bradley–Terry strengths."""

from __future__ import annotations

import math

import numpy as np
from scipy import linalg
from scipy.sparse.csgraph import connected_components

from ..arrays import Array

# Strengths of competitors: of how many they are fitted and resampled, in how many replicates and steps.
MOST_FITTED, MOST_COMPETITORS, MOST_FITS, MOST_STEPS = 1000, 60, 500, 2000


def fit_bradley_terry(wins: Array) -> Array:
    """Compute the maximum likelihood strengths by iterated spectral ranking.

    Maystre & Grossglauser (2015): they are the logarithms of the stationary distribution π of the chain that
    goes from i to j at the rate wins[j, i] / (π_i + π_j). NaN where they are not finite, or not found in
    2,000 steps.
    """
    n = len(wins)
    nothing = np.full(n, math.nan)
    if n < 2 or connected_components(wins > 0, directed=True, connection="strong")[0] > 1:
        return nothing
    weights, before = np.ones(n), None
    for _ in range(MOST_STEPS):
        rates = wins.T / (weights[:, None] + weights)
        balance = rates.T - np.diag(rates.sum(axis=1))
        # One balance follows from the others; in its place the weights sum to n.
        balance[-1] = 1.0
        weights = linalg.solve(balance, np.append(np.zeros(n - 1), float(n)))
        found = np.log(weights) - np.log(weights).mean()
        weights = np.exp(found)
        if before is not None and np.abs(found - before).sum() <= 1e-8 * n:
            return np.asarray(found)
        before = found
    return nothing
