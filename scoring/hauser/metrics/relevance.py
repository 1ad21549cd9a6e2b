"""How often, and how plausibly, a simile's topics are compared with its vehicles: eq. (2) and (3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import NO_COMPONENTS, NO_TOPIC, Score
from scoring.hauser.knowledge.lookup import PairCounts, Reference

Formula = Literal["eq. (2)", "eq. (3)"]


@dataclass(frozen=True, kw_only=True)
class Relevance(Score):
    """A simile's relevance and the pairs it is the mean of; `KnowledgeBase.triples` has more of each."""

    formula: Formula
    pairs: Sequence[PairCounts] = ()


def relevance(extraction: Extraction, base: Reference) -> Relevance:
    """The mean over the topic–vehicle pairs of Σ n · P, or of Σ n in a base without plausibilities.

    Parameters
    ----------
    extraction : Extraction
        The simile's components; pairs without a topic are no pairs here.
    base : Reference
        Knowledge base of the pairs, in the form of `lookup_key`.

    Returns
    -------
    Relevance
        At least 0; a pair that the base does not contain counts 0. No value without a pair: the extraction's
        own reason, `no_components`, or `no_topic`.

    Notes
    -----
    He et al. (2023), section 3.1.1: eq. (2), and eq. (3) where the base is a corpus of similes.
    """
    formula: Formula = "eq. (2)" if base.has_plausibility else "eq. (3)"
    if not extraction.pairs:
        return Relevance(value=None, reason=extraction.reason or NO_COMPONENTS, formula=formula)
    asked = (base.pair(pair.topic.text, pair.vehicle.text) for pair in extraction.pairs if pair.topic)
    pairs = tuple(counts for counts in asked if counts.topic and counts.vehicle)
    if not pairs:
        return Relevance(value=None, reason=NO_TOPIC, formula=formula)
    sums = [counts.frequency if counts.weighted is None else counts.weighted for counts in pairs]
    return Relevance(value=sum(sums) / len(sums), formula=formula, pairs=pairs)
