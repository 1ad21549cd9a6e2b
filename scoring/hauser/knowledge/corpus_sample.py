"""Random samples of a knowledge base, as if its corpus had fewer similes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import MetricError
from scoring.hauser.knowledge.lookup import KnowledgeBase, PairCounts, VehicleCounts
from scoring.stats.base.resampling import FloatArray

# NumPy draws from urns of fewer balls than this.
MOST_SIMILES = 10**9
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sample:
    """A sample of a base, limited to the look-ups of its candidates; a `Reference`."""

    has_plausibility: bool  # As in the knowledge base
    # pairs, vehicles: Counts by wording
    pairs: Mapping[tuple[str, str], PairCounts]
    vehicles: Mapping[str, VehicleCounts]

    def pair(self, topic: str, vehicle: str) -> PairCounts:
        """Sums over the drawn similes with this topic and vehicle."""
        return self.pairs[topic, vehicle]

    def vehicle(self, vehicle: str) -> VehicleCounts:
        """How many drawn similes have this vehicle."""
        return self.vehicles[vehicle]


class Urn:
    """The similes of a base, as far as some candidates distinguish them.

    A simile that a base counts under a triple is a ball. Triples of a pair that is asked for are colours of
    their own; so are the other similes of each vehicle, and all the rest.

    Parameters
    ----------
    base : KnowledgeBase
        Knowledge base from which samples are drawn.
    candidates : iterable of Extraction
        Candidates whose pairs and vehicles will be looked up.

    Raises
    ------
    MetricError
        `base_too_large` with a thousand million similes or more.
    """

    def __init__(self, base: KnowledgeBase, candidates: Iterable[Extraction]) -> None:
        self.total = base.about.size.frequency
        if self.total >= MOST_SIMILES:
            message = (
                f"samples need a base of fewer than {MOST_SIMILES:,} similes; this one has {self.total:,}"
            )
            raise MetricError("base_too_large", message)
        self._has_plausibility = base.has_plausibility
        named = [pair for one in candidates for pair in one.pairs]
        wordings = dict.fromkeys((pair.topic.text, pair.vehicle.text) for pair in named if pair.topic)
        self._pairs = {words: base.pair(*words) for words in wordings}
        self._vehicles = {
            words: base.vehicle(words) for words in dict.fromkeys(pair.vehicle.text for pair in named)
        }
        self._make_colours(base)

    def _make_colours(self, base: KnowledgeBase) -> None:
        """Counts of the colours, and which pair and vehicle each belongs to."""
        asked = sorted({(counts.topic, counts.vehicle) for counts in self._pairs.values()})
        vehicles = {
            counts.vehicle: counts.frequency for counts in sorted(set(self._vehicles.values()), reverse=True)
        }
        self._places = {pair: position for position, pair in enumerate(asked)}
        self._vehicle_places = {vehicle: position for position, vehicle in enumerate(vehicles)}
        left = dict(vehicles)
        counts, plausible, of_pair, of_vehicle = [], [], [], []
        for topic, vehicle in asked:
            for triple in base.triples(topic, vehicle, most=self.total):
                counts.append(triple.frequency)
                plausible.append(1.0 if triple.plausibility is None else triple.plausibility)
                of_pair.append(self._places[topic, vehicle])
                of_vehicle.append(self._vehicle_places[vehicle])
                left[vehicle] -= triple.frequency
        self._of_pair = np.array(of_pair, dtype=np.int64)
        self._of_vehicle = np.array([*of_vehicle, *range(len(vehicles))], dtype=np.int64)
        self._plausible = np.array(plausible)
        rest = self.total - sum(vehicles.values())
        self._counts = np.array([*counts, *left.values(), rest], dtype=np.int64)

    def draw(self, size: int, random: np.random.Generator) -> Sample:
        """Draw `size` similes, at most `total`, without replacement.

        Parameters
        ----------
        size : int
            How many, at most `total`.
        random : Generator
            What decides which.
        """
        drawn = random.multivariate_hypergeometric(self._counts, size, method="marginals")
        of_pairs = drawn[: len(self._of_pair)]
        n_pairs, n_vehicles = len(self._places), len(self._vehicle_places)
        frequency = np.bincount(self._of_pair, of_pairs, n_pairs).astype(np.int64)
        weighted: FloatArray = np.bincount(self._of_pair, of_pairs * self._plausible, n_pairs).astype(float)
        triples = np.bincount(self._of_pair, of_pairs > 0, n_pairs).astype(np.int64)
        vehicles = np.bincount(self._of_vehicle, drawn[:-1], n_vehicles).astype(np.int64)
        return Sample(
            self._has_plausibility,
            {
                words: self._drawn_pair(counts, frequency, weighted, triples)
                for words, counts in self._pairs.items()
            },
            {
                words: VehicleCounts(counts.vehicle, int(vehicles[self._vehicle_places[counts.vehicle]]))
                for words, counts in self._vehicles.items()
            },
        )

    def _drawn_pair(
        self, counts: PairCounts, frequency: Whole, weighted: FloatArray, triples: Whole
    ) -> PairCounts:
        position = self._places[counts.topic, counts.vehicle]
        return PairCounts(
            counts.topic,
            counts.vehicle,
            int(frequency[position]),
            float(weighted[position]) if self._has_plausibility else None,
            int(triples[position]),
        )
