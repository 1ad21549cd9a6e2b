"""Plackett–Luce strengths of candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import optimize, special
from scipy.sparse.csgraph import connected_components

from ..arrays import Array, Row
from ..drawing import FEWEST_UNITS, Drawing

# Strengths are fitted of at most so many candidates, in at most so many replicates.
MOST_CANDIDATES, MOST_FITS = 60, 500


def estimate_strengths(
    criterion: str, names: Sequence[str], places: Sequence[Mapping[str, int]], unit: Array, drawing: Drawing
) -> list[Row]:
    """Estimate strengths (log odds, mean 0) with bootstrap limits; NaN where they are not finite."""
    n, n_units = len(names), int(unit.max()) + 1
    nothing = [{"strength": math.nan, "low": math.nan, "high": math.nan} for _ in names]
    choices = list_choices(names, places, unit)
    if n > MOST_CANDIDATES or choices is None:
        return nothing
    best, left, of_unit = choices
    fitted = fit_plackett_luce(best, left, np.ones(len(best)))
    limits = [(math.nan, math.nan)] * n
    if np.isfinite(fitted).all() and n_units >= FEWEST_UNITS:
        few = Drawing(drawing.seed, min(drawing.replicates, MOST_FITS))
        generator, shares = few.stream(criterion, "plackett_luce"), np.full(n_units, 1 / n_units)
        drawn = generator.multinomial(n_units, shares, size=few.replicates).astype(float)
        replicates = np.array([fit_plackett_luce(best, left, weights[of_unit]) for weights in drawn])
        limits = [few.limits(column, n_units) for column in replicates.T]
    return [
        {"strength": float(fitted[place]), "low": limits[place][0], "high": limits[place][1]}
        for place in range(n)
    ]


def list_choices(
    names: Sequence[str], places: Sequence[Mapping[str, int]], unit: Array
) -> tuple[Array, Array, Array] | None:
    """List each choice: best candidate, candidates left and resampling unit.

    None where candidates above the last are tied.
    """
    code = {name: number for number, name in enumerate(names)}
    best: list[int] = []
    left: list[Array] = []
    of_unit: list[int] = []
    for placed, own in zip(places, unit, strict=True):
        for stage in range(max(placed.values())):
            first = [one for one, place in placed.items() if place == stage]
            if len(first) > 1:
                return None
            row = np.zeros(len(names), dtype=bool)
            row[[code[one] for one, place in placed.items() if place >= stage]] = True
            best.append(code[first[0]])
            left.append(row)
            of_unit.append(int(own))
    return np.array(best, dtype=int), np.array(left).reshape(-1, len(names)), np.array(of_unit, dtype=int)


def fit_plackett_luce(best: Array, left: Array, weights: Array) -> Array:
    """Compute the maximum likelihood strengths in a trust region; NaN where they are not finite.

    Hunter (2004), assumption 1: each candidate must be reached from each other one through choices.
    """
    n = left.shape[1]
    best, left, weights = best[weights > 0], left[weights > 0], weights[weights > 0]
    won = np.zeros((n, n), dtype=bool)
    np.logical_or.at(won, best, left)
    if n < 2 or connected_components(won, directed=True, connection="strong")[0] > 1:
        return np.full(n, math.nan)
    open_ = np.where(left, 0.0, -np.inf)

    def parts(theta: Array) -> tuple[Array, Array]:
        whole = np.append(theta, 0.0) + open_
        total = special.logsumexp(whole, axis=1)
        return total, np.exp(whole - total[:, None])

    def loss(theta: Array) -> float:
        return float(weights @ (parts(theta)[0] - np.append(theta, 0.0)[best]))

    def slope(theta: Array) -> Array:
        chosen = np.bincount(best, weights=weights, minlength=n)
        return np.asarray((weights @ parts(theta)[1] - chosen)[:-1])

    def curvature(theta: Array) -> Array:
        share = parts(theta)[1]
        return np.asarray((np.diag(weights @ share) - (share.T * weights) @ share)[:-1, :-1])

    found = optimize.minimize(
        loss,
        np.zeros(n - 1),
        jac=slope,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-9 * weights.sum()},
    )
    strengths = np.append(found.x, 0.0)
    return np.asarray(strengths - strengths.mean())
