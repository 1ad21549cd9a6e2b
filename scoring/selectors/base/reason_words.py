"""Words for the codes of missing scores."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

WORDS = {
    "empty_text": gettext_lazy("The text is empty."),
    "control_characters": gettext_lazy("The text holds control characters."),
    "literal_empty_text": gettext_lazy("The literal sentence is empty."),
    "literal_control_characters": gettext_lazy("The literal sentence holds control characters."),
    "no_literal": gettext_lazy("The item has no literal sentence to compare with."),
    "no_group": gettext_lazy("The item is in no group, so there is nothing to normalise within."),
    "group_of_one": gettext_lazy("The group has one candidate only."),
    "run_of_one": gettext_lazy("The run has one candidate only."),
    "no_models": gettext_lazy("The run was asked for without models."),
    "models_not_installed": gettext_lazy(
        "What models need is not installed for the workers: pip install 'groundwork-ratings[worker]' adds it."
    ),
    "no_encoder": gettext_lazy("The run has no encoder."),
    "no_language_model": gettext_lazy("The run has no causal language model."),
    "no_reference": gettext_lazy("The item has no reference text."),
    "no_source": gettext_lazy("The item has no source text."),
    "metric_library_missing": gettext_lazy(
        "The library of this metric is not installed for the workers: "
        "pip install 'groundwork-ratings[worker]' adds it."
    ),
    "too_long": gettext_lazy("The text is too long for this metric."),
    "too_short": gettext_lazy("The text is too short for this metric."),
    "no_components": gettext_lazy("No topic and vehicle were found."),
    "no_topic": gettext_lazy("No pair has a topic."),
    "topic_not_named": gettext_lazy("The sentence does not name its topic."),
    "no_vehicle": gettext_lazy("Nothing is compared with."),
    "no_words": gettext_lazy("There are neither letters nor digits to look up or count."),
    "no_event": gettext_lazy("The simile has no event to cut the literal sentence after; it is not cut."),
    "event_not_found": gettext_lazy("The event does not stand in the literal sentence, which is not cut."),
    "vehicle_not_found": gettext_lazy("The vehicle does not stand in the text, which is not cut."),
    "none_by_raters": gettext_lazy("More than half of the raters marked no pair."),
    "no_simile_by_hand": gettext_lazy("Somebody said by hand that this is no simile."),
    "polarity_tied": gettext_lazy("The model finds the literal sentence neither positive nor negative."),
    "not_finite": gettext_lazy("The model overflowed and gave no number."),
    "not_given": gettext_lazy("The imported file has no value for the item."),
    "no_parts": gettext_lazy("None of the parts of quality has a value."),
    "other_quality": gettext_lazy(
        "The quality lacks a part that most of the group have, so it has no place among them."
    ),
    "empty": gettext_lazy("The text is empty."),
    "no_comparator": gettext_lazy("No word compares."),
    "verb_like": gettext_lazy("“Like” is a verb here."),
    "fixed_expression": gettext_lazy("The word that may compare belongs to a fixed expression."),
    "clause_compared": gettext_lazy("A clause is compared, not a thing."),
    "vehicle_only_points": gettext_lazy("What is compared with is only pointed at (“like this”)."),
    "inclination": gettext_lazy("It says what somebody feels like doing."),
    "examples": gettext_lazy("It names examples."),
    "named_individual": gettext_lazy("A named person or thing is compared with."),
    "forecast": gettext_lazy("It says what is expected (“looks like rain”)."),
    "same_kind": gettext_lazy("Things of the same kind are compared."),
    "question": gettext_lazy("It is a question for likeness."),
    "situation_compared": gettext_lazy("A situation is compared, not a thing."),
}
SOURCE = "source_"
PARTS = frozenset({"relevance", "logic", "sentiment", "quality", "creativity", "informativeness"})


def in_words(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Each code once with its words; a code without words is left out.

    Parameters
    ----------
    codes : iterable of str
        Stored codes; empty ones are ignored.

    Returns
    -------
    list of tuple
        In the order in which they come.
    """
    said = [(code, _said(code)) for code in dict.fromkeys(codes) if code]
    return [(code, words) for code, words in said if words]


def _said(code: str) -> str:
    if code in WORDS:
        return str(WORDS[code])
    if code.startswith(SOURCE) and code.removeprefix(SOURCE) in WORDS:
        return _("Of the source text: %(said)s") % {"said": WORDS[code.removeprefix(SOURCE)]}
    lacking = code.removeprefix("no_").split("_")
    if code.startswith("no_") and set(lacking) <= PARTS:
        return _("It has no value without: %(parts)s.") % {"parts": ", ".join(lacking)}
    return ""
