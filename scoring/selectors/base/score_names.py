"""Words for the names of scores, components, levels and tests that are stored in English."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

WORDS = {
    # Scores
    "quality": _("quality"),
    "relevance": _("relevance"),
    "logic": _("logical consistency"),
    "sentiment": _("sentiment consistency"),
    "creativity": _("creativity"),
    "informativeness": _("informativeness"),
    "combined": _("combined rank"),
    # Components, and their sources
    "topic": _("topic"),
    "vehicle": _("vehicle"),
    "event": _("event"),
    "property": _("property"),
    "comparator": _("comparator"),
    "given": _("marked in the data"),
    "raters": _("marked by raters"),
    "extracted": _("extracted automatically"),
    "corrected": _("corrected manually"),
    # Labels of the models
    "entailment": _("entailment"),
    "neutral": _("neutral"),
    "contradiction": _("contradiction"),
    "positive": _("positive"),
    "negative": _("negative"),
    # Levels, rules for ties, and tests
    "item": _("items"),
    "group": _("groups"),
    "system": _("systems"),
    "expected": _("averaged"),
    "stable": _("file order"),
    "bootstrap": _("paired bootstrap"),
    "permutation": _("permutation test"),
    "williams": _("Williams’s test"),
    "pearson": _("Pearson r"),
    "spearman": _("Spearman ρ"),
    "kendall": _("Kendall τ"),
    # Tables of a report
    "correlations": _("correlations"),
    "systems": _("systems"),
    "criteria": _("criteria"),
    "pairwise": _("pairwise accuracy"),
    # Formulas of relevance
    "eq. (2)": _("Equation 2"),
    "eq. (3)": _("Equation 3"),
    # Warnings stored with scores
    "embedded models: for demonstration": _("embedded models: for demonstration"),
}


def in_words(name: str) -> str:
    """`logic` → “logical consistency”; a name without words of its own, such as of a file, is unchanged."""
    return str(WORDS.get(name, name))
