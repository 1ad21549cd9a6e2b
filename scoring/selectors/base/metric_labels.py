"""How pages and charts name a metric that is stored under its key."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.selectors.base.score_names import in_words
from scoring.textmetrics.registry import METRICS

OF_HAUSER = frozenset(
    ["relevance", "logic", "sentiment", "quality", "creativity", "informativeness", "combined"]
)
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
    if plain in METRICS:
        label = METRICS[plain].label
    elif plain in OF_HAUSER:
        label = capfirst(in_words(plain))
    else:
        return name
    return label if plain == name else _("%(metric)s (normalised)") % {"metric": label}
