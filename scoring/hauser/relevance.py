"""How often, and how plausibly, a simile's topics are compared with its vehicles: eq. (2) and (3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from scoring.hauser.cleaning import lookup_key
from scoring.hauser.knowledge_base import KnowledgeBase, PairCounts
from scoring.hauser.parts import Extraction
from scoring.hauser.scores import NO_COMPONENTS, NO_TOPIC, Score

Formula = Literal["eq. (2)", "eq. (3)"]


@dataclass(frozen=True)
class PairFound:
    """A topic and vehicle as the base was asked for them, and what it holds."""

    topic: str
    vehicle: str
    counts: PairCounts


@dataclass(frozen=True, kw_only=True)
class Relevance(Score):
    """A simile's relevance and the pairs it is the mean of; `KnowledgeBase.triples` has more of each."""

    formula: Formula
    pairs: Sequence[PairFound] = ()


def relevance(extraction: Extraction, base: KnowledgeBase) -> Relevance:
    """The mean over the topic–vehicle pairs of Σ n · P, or of Σ n in a base without plausibilities.

    Parameters
    ----------
    extraction : Extraction
        The simile's components; pairs without a topic are no pairs here.
    base : KnowledgeBase
        Where the pairs are looked up, in the form that `lookup_key` gives them.

    Returns
    -------
    Relevance
        At least 0; a pair that the base does not hold counts 0. No value without a pair: the extraction's
        own reason, `no_components`, or `no_topic`.

    Notes
    -----
    He et al. (2023), section 3.1.1: eq. (2), and eq. (3) where the base is a corpus of similes.
    """
    formula: Formula = "eq. (2)" if base.has_plausibility else "eq. (3)"
    if not extraction.pairs:
        return Relevance(value=None, reason=extraction.reason or NO_COMPONENTS, formula=formula)
    keys = [
        (lookup_key(pair.topic.text), lookup_key(pair.vehicle.text))
        for pair in extraction.pairs
        if pair.topic is not None
    ]
    named = [(topic, vehicle) for topic, vehicle in keys if topic and vehicle]
    if not named:
        return Relevance(value=None, reason=NO_TOPIC, formula=formula)
    pairs = [PairFound(*one, counts) for one, counts in zip(named, base.pairs(named), strict=True)]
    value = fmean(
        found.counts.frequency if found.counts.weighted is None else found.counts.weighted for found in pairs
    )
    return Relevance(value=value, formula=formula, pairs=tuple(pairs))
