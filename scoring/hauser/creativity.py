"""How rarely a simile's vehicles are compared with anything: eq. (8) and (9)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from scoring.hauser.cleaning import lookup_key
from scoring.hauser.knowledge_base import KnowledgeBase
from scoring.hauser.parts import Extraction
from scoring.hauser.scores import NO_COMPONENTS, NO_WORDS, Score


@dataclass(frozen=True)
class VehicleFound:
    """A vehicle as the base was asked for it, and N_v: in how many of its similes it stands."""

    vehicle: str
    frequency: int


@dataclass(frozen=True, kw_only=True)
class Creativity(Score):
    """A simile's creativity and the vehicles that it follows from; one a pair."""

    vehicles: Sequence[VehicleFound] = ()


def creativity(extraction: Extraction, base: KnowledgeBase) -> Creativity:
    """−ln of 1 plus the mean frequency of the vehicles; not normalised.

    Parameters
    ----------
    extraction : Extraction
        The simile's components.
    base : KnowledgeBase
        Where the vehicles are looked up, in the form that `lookup_key` gives them.

    Returns
    -------
    Creativity
        At most 0, which is a vehicle that the base does not hold. No value without a vehicle: the
        extraction's own reason, `no_components`, or `no_words`.

    Notes
    -----
    He et al. (2023), section 3.2: eq. (8) with N_v by eq. (9).
    """
    if not extraction.pairs:
        return Creativity(value=None, reason=extraction.reason or NO_COMPONENTS)
    named = [key for pair in extraction.pairs if (key := lookup_key(pair.vehicle.text))]
    if not named:
        return Creativity(value=None, reason=NO_WORDS)
    frequencies = base.vehicles(named)
    found = tuple(VehicleFound(*one) for one in zip(named, frequencies, strict=True))
    # From 0, not to it: a vehicle of no simile is 0.0 and not -0.0.
    return Creativity(value=0.0 - math.log1p(fmean(frequencies)), vehicles=found)
