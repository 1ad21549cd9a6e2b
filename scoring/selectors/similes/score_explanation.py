"""How an item's scores in a run were computed, in the order in which a person would compute them."""

from __future__ import annotations

from typing import Any

from annotation.domain.questions.text_pieces import Span, segments
from annotation.models import Item
from scoring.hauser.metrics.combine import RATIO
from scoring.models import ItemComponents, Score, ScoredItem, ScoreRun
from scoring.selectors.base.metric_labels import metric_label
from scoring.selectors.base.reason_words import in_words
from scoring.selectors.similes.similes import refresh_positions
from scoring.selectors.spans.marked_components import raters_of

PARTS = ("relevance", "logic", "sentiment")


def explain_scores(run: ScoreRun, item: Item) -> dict[str, Any]:
    """What the page of an item shows of a run; empty where the run has not scored the item."""
    scored = ScoredItem.objects.filter(run=run, item=item).first()
    if scored is None:
        return {}
    explanation = scored.explanation
    scores = list(Score.objects.filter(run=run, item=item).order_by("metric"))
    return {
        "explanation": explanation,
        "pieces": marked_text(explanation["text"], explanation["components"]["pairs"]),
        "source": explanation["source"],
        "raters": raters_of(explanation.get("answers", [])),
        "n_answers": len(explanation.get("answers", [])),
        "truncated": [metric_label(key) for key in scored.truncated],
        "rows": [_row(part, explanation) for part in PARTS],
        "terms": _terms(explanation),
        "ranks": [
            (name, explanation["combined"]["ranks"].get(name), int(share)) for name, share in RATIO.items()
        ],
        "scores": scores,
        "reasons": in_words(
            [explanation["components"]["reason"], *_uncut(explanation), *(score.reason for score in scores)]
        ),
        "mean_frequency": _mean(
            [vehicle["frequency"] for vehicle in explanation["creativity"].get("vehicles", [])]
        ),
    }


def outdated(stored: ItemComponents | None, explanation: dict[str, Any]) -> bool:
    """Whether components were corrected after an explanation was stored.

    A run that uses components marked by raters does not make a run that uses others outdated.
    """
    if stored is None or not explanation:
        return False
    sources = {stored.source, explanation["source"]}
    if len(sources) > 1 and "raters" in sources and "corrected" not in sources:
        return False
    pairs = (
        refresh_positions(stored.pairs, explanation["text"]) if stored.source == "corrected" else stored.pairs
    )
    return bool(pairs != explanation["components"]["pairs"])


def _uncut(explanation: dict[str, Any]) -> list[str]:
    """Why texts were given to the sentiment model whole."""
    cuts = (explanation["sentiment"].get(name) or {} for name in ("simile", "literal"))
    return [cut.get("uncut", "") for cut in cuts]


def marked_text(text: str, pairs: list[dict[str, Any]]) -> Any:
    """A scored text in pieces, with the components that have a position in it.

    Parameters
    ----------
    text : str
        The text.
    pairs : list of dict
        Components by name, as an explanation stores them.
    """
    spans = [
        Span(name, part["start"], part["end"])
        for pair in pairs
        for name, part in pair.items()
        if part and part["start"] is not None
    ]
    return segments(text, spans)


def _row(part: str, explanation: dict[str, Any]) -> dict[str, Any]:
    weight, normalised = explanation["quality"]["weights"][part], explanation["normalised"][part]
    value = normalised["value"]
    return {
        "part": part,
        **normalised,
        "weight": weight,
        "product": None if value is None else weight * value,
    }


def _terms(explanation: dict[str, Any]) -> list[dict[str, float]]:
    """The summands of quality."""
    quality = explanation["quality"]
    return [
        {"weight": weight, "value": quality["parts"][part]}
        for part, weight in quality["weights"].items()
        if weight and quality["parts"][part] is not None
    ]


def _mean(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None
