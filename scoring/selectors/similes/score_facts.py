"""What an item's scores say, as the numbers of short sentences."""

from __future__ import annotations

from typing import Any

from annotation.models import Item
from scoring.models import ScoredItem
from scoring.selectors.similes.score_explanation import marked_text


def newest_explained(item: Item) -> dict[str, Any]:
    """How the newest computed run scored an item; empty without one.

    Parameters
    ----------
    item : Item
        Any item.

    Returns
    -------
    dict
        `run`, `source` of the components, `pieces` of the text with its components, and `facts`.
    """
    scored = ScoredItem.objects.filter(item=item).select_related("run")
    newest = scored.order_by("-run__created_at", "-run_id").first()
    if newest is None:
        return {}
    explanation = newest.explanation
    return {
        "run": newest.run,
        "source": explanation["source"],
        "pieces": marked_text(explanation["text"], explanation["components"]["pairs"]),
        "facts": score_facts(explanation),
    }


def score_facts(explanation: dict[str, Any]) -> dict[str, Any]:
    """The numbers of an explanation that its sentences need.

    Parameters
    ----------
    explanation : dict
        An explanation as `scoring.hauser.runs.score_trace.explanation` stores it; one of an earlier version
        lacks `known_for`.

    Returns
    -------
    dict
        `known_for`, how often each vehicle is known for its property; `pairs`, how often each topic is
        compared with its vehicle; `vehicles`; `words`; and the probabilities as percentages.
    """
    uses = {one["vehicle"]: one["frequency"] for one in explanation["creativity"].get("vehicles", [])}
    probabilities = explanation["logic"].get("probabilities") or {}
    sentiment = explanation["sentiment"]
    polarity = sentiment.get("polarity")
    return {
        "known_for": explanation.get("known_for", []),
        "pairs": [
            {**pair, "uses": uses.get(pair["vehicle"], 0)}
            for pair in explanation["relevance"].get("pairs", [])
        ],
        "vehicles": [{"vehicle": vehicle, "uses": n} for vehicle, n in uses.items()],
        "words": explanation["informativeness"].get("words", []),
        "contradiction": _percent(probabilities.get(explanation["logic"].get("label", ""))),
        "polarity": polarity,
        "of_literal": _percent(sentiment["of_literal"][polarity]) if polarity else None,
        "of_simile": _percent(sentiment["of_simile"][polarity]) if polarity else None,
    }


def _percent(probability: float | None) -> str | None:
    """A whole number of per cent; a probability that is not 0 or 1 is not shown as if it were."""
    if probability is None:
        return None
    shown = round(100 * probability)
    if shown in {0, 100} and 0 < probability < 1:
        return ">99" if shown else "<1"
    return str(shown)
