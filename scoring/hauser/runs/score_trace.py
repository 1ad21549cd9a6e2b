"""How a candidate's scores were computed, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from scoring.hauser.base.candidates import Simile
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.base.scores import Score
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.creativity import Creativity
from scoring.hauser.metrics.informativeness import Informativeness
from scoring.hauser.metrics.logic import LogicalConsistency
from scoring.hauser.metrics.relevance import Relevance
from scoring.hauser.metrics.sentiment import SentimentConsistency
from scoring.hauser.metrics.within_group import Placed

TRIPLES_SHOWN = 10
PARTS_OF_A_PAIR = ("topic", "vehicle", "event", "property", "comparator")


def explanation(
    simile: Simile, components: Extraction, raw: Mapping[str, Score], placed: Placed, base: KnowledgeBase
) -> dict[str, Any]:
    """Everything needed to compute a candidate's scores again manually.

    Parameters
    ----------
    simile : Simile
        The candidate.
    components : Extraction
        Components of the scores.
    raw : mapping of str to Score
        The parts of quality, creativity and informativeness.
    placed : Placed
        The candidate within its group.
    base : KnowledgeBase
        Asked for the triples of each pair.

    Returns
    -------
    dict
        Values and reasons by metric, with what they follow from; numbers, texts, lists and mappings.
    """
    return {
        "text": simile.text,
        "literal": simile.literal,
        "components": components_json(components),
        "known_for": _known_for(components, base),
        **{name: _of_part(score, base) for name, score in raw.items()},
        "normalised": {name: dict(vars(score)) for name, score in placed.normalised.items()},
        "quality": {
            **_value(placed.quality),
            "metric": placed.quality.metric,
            "weights": asdict(placed.quality.weights),
            "parts": dict(placed.quality.parts),
            "missing": dict(placed.quality.missing),
        },
        "combined": {
            **_value(placed.combined),
            "ranks": dict(placed.combined.ranks),
            "place": placed.combined.place,
            "is_tied": placed.combined.is_tied,
            "n": placed.n,
        },
    }


def _known_for(components: Extraction, base: KnowledgeBase) -> list[dict[str, Any]]:
    """For each named property, in how many of its uses the base knows the vehicle for it."""
    return [
        {
            "vehicle": pair.vehicle.text,
            "property": pair.property.text,
            "n": base.known_for(pair.vehicle.text, pair.property.text),
            "uses": base.vehicle(pair.vehicle.text).frequency,
        }
        for pair in components.pairs
        if pair.property
    ]


def components_json(components: Extraction) -> dict[str, Any]:
    """Components as JSON; `components_from` reads it."""
    return {
        "reason": components.reason,
        "pairs": [
            {
                name: None if (part := getattr(pair, name)) is None else dict(vars(part))
                for name in PARTS_OF_A_PAIR
            }
            for pair in components.pairs
        ],
    }


def components_from(stored: Mapping[str, Any]) -> Extraction:
    """Components as `components_json` wrote them."""
    pairs = [
        Components(**{name: part and Part(**part) for name, part in pair.items()}) for pair in stored["pairs"]
    ]
    return Extraction(tuple(pairs), stored["reason"])


def _value(score: Score) -> dict[str, Any]:
    return {"value": score.value, "reason": score.reason}


def _of_part(score: Score, base: KnowledgeBase) -> dict[str, Any]:
    if isinstance(score, Relevance):
        pairs = [
            {
                **counts._asdict(),
                "found": [
                    triple._asdict()
                    for triple in base.triples(counts.topic, counts.vehicle, most=TRIPLES_SHOWN)
                ]
                if counts.triples
                else [],
            }
            for counts in score.pairs
        ]
        return {**_value(score), "formula": score.formula, "pairs": pairs}
    if isinstance(score, Creativity):
        return {**_value(score), "vehicles": [vehicle._asdict() for vehicle in score.vehicles]}
    if isinstance(score, Informativeness):
        return {**_value(score), "words": list(score.words)}
    if isinstance(score, LogicalConsistency | SentimentConsistency):
        return asdict(score)
    return _value(score)
