"""The random effects of a rating: facets, their interactions, and which ratings have which level."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray

ITEM, RATER, CRITERION, GROUP, RESIDUAL = "item", "rater", "criterion", "group", "residual"
# In the order in which they are left out where the ratings do not separate them, the last one first.
INTERACTIONS = (
    (ITEM, CRITERION),
    (ITEM, RATER),
    (RATER, CRITERION),
    (GROUP, RATER),
    (GROUP, CRITERION),
)


@dataclass(frozen=True)
class Effect:
    """A random effect: which of its levels each rating has."""

    name: str  # `item`, or `item:rater` of an interaction
    level: IntArray  # Shape (ratings,)
    levels: int

    @property
    def is_interaction(self) -> bool:
        """Whether it is of two facets."""
        return ":" in self.name

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum of the values at each level, shape (levels,)."""
        return np.bincount(self.level, values, self.levels).astype(np.float64, copy=False)


@dataclass(frozen=True)
class FacetDesign:
    """Ratings and their random effects; the residual is the last effect, with a level of its own a rating."""

    value: FloatArray  # Centred, with variance 1
    scale: float  # Standard deviation of the ratings, in their unit
    facets: Mapping[str, IntArray]  # `item` and `rater`, and `criterion` and `group` where there are any
    effects: tuple[Effect, ...]

    @classmethod
    def of(cls, value: FloatArray, facets: Mapping[str, IntArray]) -> "FacetDesign":
        """All effects of the facets that are not the same as another one.

        Parameters
        ----------
        value
            Ratings, not all equal; shape (ratings,).
        facets
            Codes of each rating by facet, from 0 on; items belong to one group each.
        """
        effects = [_effect(name, codes) for name, codes in facets.items()]
        for one, other in INTERACTIONS:
            if one in facets and other in facets:
                effects.append(_effect(f"{one}:{other}", _paired(facets[one], facets[other])))
        effects.append(Effect(RESIDUAL, np.arange(len(value)), len(value)))
        scale = float(value.std())
        return cls((value - value.mean()) / scale, scale, facets, tuple(effects))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the effects."""
        return tuple(effect.name for effect in self.effects)

    def without(self, name: str) -> "FacetDesign":
        """The design with an effect less."""
        rest = tuple(effect for effect in self.effects if effect.name != name)
        return FacetDesign(self.value, self.scale, self.facets, rest)


def _effect(name: str, codes: IntArray) -> Effect:
    return Effect(name, codes, int(codes.max()) + 1)


def _paired(one: IntArray, other: IntArray) -> IntArray:
    codes = one.astype(np.int64) * (int(other.max()) + 1) + other
    return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.int64)


def same_partition(one: Effect, other: Effect) -> bool:
    """Whether two effects divide the ratings in the same way."""
    if one.levels != other.levels:
        return False
    return len(np.unique(_paired(one.level, other.level))) == one.levels
