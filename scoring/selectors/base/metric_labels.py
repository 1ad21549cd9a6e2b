"""How pages and charts name a metric that is stored under its key."""

from __future__ import annotations

from scoring.textmetrics.registry import METRICS

OF_HAUSER = {
    "relevance": "Relevance",
    "logic": "Logical consistency",
    "sentiment": "Sentiment consistency",
    "quality": "Quality",
    "creativity": "Creativity",
    "informativeness": "Informativeness",
    "combined": "Combined rank",
}
NORMALISED = "_normalised"


def metric_label(name: str) -> str:
    """Give a metric the name that pages and charts show.

    Parameters
    ----------
    name : str
        Name under which its scores are stored.

    Returns
    -------
    str
        The registry's label of a text metric; for HAUSER's own metrics the key in words. A metric that was
        imported keeps its own name.
    """
    plain = name.removesuffix(NORMALISED)
    label = METRICS[plain].label if plain in METRICS else OF_HAUSER.get(plain)
    if label is None:
        return name
    return label if plain == name else f"{label} (normalised)"
