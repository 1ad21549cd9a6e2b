"""How pages and charts name a metric that is stored under its key."""

from __future__ import annotations

import re

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.selectors.base.score_names import in_words
from scoring.textmetrics.registry import METRICS

OF_HAUSER = frozenset(
    ["relevance", "logic", "sentiment", "quality", "creativity", "informativeness", "combined"]
)
NORMALISED = "_normalised"
# A sum without some of its sub-scores, which is stored as another metric.
PARTIAL = re.compile(r"quality\[-([\w-]+)\]")


def metric_label(name: str) -> str:
    """Give a metric the name that pages and charts show.

    Parameters
    ----------
    name : str
        Name under which its scores are stored.

    Returns
    -------
    str
        The registry's label of a text metric; for HAUSER's own metrics the key in words, with the sub-scores
        that are missing. A metric that was imported keeps its own name.
    """
    partial = PARTIAL.fullmatch(name)
    if partial:
        parts = ", ".join(map(in_words, partial[1].split("-")))
        return _("%(metric)s (without %(parts)s)") % {"metric": capfirst(in_words("quality")), "parts": parts}
    plain = name.removesuffix(NORMALISED)
    if plain in METRICS:
        label = METRICS[plain].label
    elif plain in OF_HAUSER:
        label = capfirst(in_words(plain))
    else:
        return name
    return label if plain == name else _("%(metric)s (normalised)") % {"metric": label}
