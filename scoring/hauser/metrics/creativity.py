"""How rarely a simile's vehicles are compared with anything: eq. (8) and (9)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import NO_COMPONENTS, NO_WORDS, Score
from scoring.hauser.knowledge.lookup import Reference, VehicleCounts


@dataclass(frozen=True, kw_only=True)
class Creativity(Score):
    """A simile's creativity and the vehicles that it follows from; one per pair."""

    vehicles: Sequence[VehicleCounts] = ()


def creativity(extraction: Extraction, base: Reference) -> Creativity:
    """−ln of 1 plus the mean frequency of the vehicles; not normalised.

    Parameters
    ----------
    extraction : Extraction
        The simile's components.
    base : Reference
        Knowledge base of the vehicles, in the form of `lookup_key`.

    Returns
    -------
    Creativity
        At most 0, the value of a vehicle that the base does not contain. No value without a vehicle: the
        extraction's own reason, `no_components`, or `no_words`.

    Notes
    -----
    He et al. (2023), section 3.2: eq. (8) with N_v by eq. (9).
    """
    if not extraction.pairs:
        return Creativity(value=None, reason=extraction.reason or NO_COMPONENTS)
    asked = (base.vehicle(pair.vehicle.text) for pair in extraction.pairs)
    vehicles = tuple(counts for counts in asked if counts.vehicle)
    if not vehicles:
        return Creativity(value=None, reason=NO_WORDS)
    mean = sum(counts.frequency for counts in vehicles) / len(vehicles)
    # Subtracted from 0, so that a vehicle of no simile is 0.0 and not -0.0.
    return Creativity(value=0.0 - math.log1p(mean), vehicles=vehicles)
