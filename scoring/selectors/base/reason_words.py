"""Sentences for the codes of missing scores."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.selectors.base import score_names

WORDS = {
    "empty_text": gettext_lazy("The text is empty."),
    "control_characters": gettext_lazy("The text contains control characters."),
    "literal_empty_text": gettext_lazy("The literal sentence is empty."),
    "literal_control_characters": gettext_lazy("The literal sentence contains control characters."),
    "no_literal": gettext_lazy("The item has no literal sentence to compare with."),
    "no_group": gettext_lazy("The item has no group, so its scores cannot be normalised."),
    "group_of_one": gettext_lazy("The group has only 1 candidate."),
    "run_of_one": gettext_lazy("The run has only 1 candidate."),
    "no_models": gettext_lazy("The run uses no models."),
    "models_not_installed": gettext_lazy(
        "The software for models is not installed on the workers. "
        "Ask your administrator to run: pip install 'groundwork-ratings[worker]'"
    ),
    "no_encoder": gettext_lazy("The run has no encoder."),
    "no_language_model": gettext_lazy("The run has no causal language model."),
    "no_reference": gettext_lazy("The item has no reference text."),
    "no_similarity": gettext_lazy("The text and its reference are not similar, so BERTScore has no F1."),
    "no_source": gettext_lazy("The item has no source text."),
    "metric_library_missing": gettext_lazy(
        "The library of this metric is not installed on the workers. "
        "Ask your administrator to run: pip install 'groundwork-ratings[worker]'"
    ),
    "too_long": gettext_lazy("The text is too long for this metric."),
    "too_short": gettext_lazy("The text is too short for this metric."),
    "no_components": gettext_lazy("No topic and vehicle were found."),
    "no_topic": gettext_lazy("No pair has a topic."),
    "topic_not_named": gettext_lazy("The sentence does not name its topic."),
    "no_vehicle": gettext_lazy("No pair has a vehicle."),
    "no_words": gettext_lazy("The text contains no letters or digits."),
    "no_event": gettext_lazy("The simile has no event, so the literal sentence was not cut."),
    "event_not_found": gettext_lazy("The event is not in the literal sentence, so the sentence was not cut."),
    "vehicle_not_found": gettext_lazy("The vehicle is not in the text, so the text was not cut."),
    "none_by_raters": gettext_lazy("More than half of the raters marked no pair."),
    "no_simile_by_hand": gettext_lazy("A study member marked this text as not a simile."),
    "polarity_tied": gettext_lazy(
        "The model classifies the literal sentence as neither positive nor negative."
    ),
    "not_finite": gettext_lazy("The model returned no finite number."),
    "not_given": gettext_lazy("The imported file has no value for the item."),
    "no_parts": gettext_lazy("None of the quality sub-scores has a value."),
    "other_quality": gettext_lazy(
        "The quality score lacks a sub-score that most candidates of the group have, so it has no rank."
    ),
    "empty": gettext_lazy("The text is empty."),
    "no_comparator": gettext_lazy("There is no comparator."),
    "verb_like": gettext_lazy("“Like” is a verb in this sentence."),
    "fixed_expression": gettext_lazy("The comparator is part of a fixed expression."),
    "clause_compared": gettext_lazy("The comparison is with a clause, not with a thing."),
    "vehicle_only_points": gettext_lazy("The vehicle is only a pointing word (“like this”)."),
    "inclination": gettext_lazy("The sentence states an inclination (“feel like”)."),
    "examples": gettext_lazy("The sentence lists examples."),
    "named_individual": gettext_lazy("The vehicle is a named person or thing."),
    "forecast": gettext_lazy("The sentence states an expectation (“looks like rain”)."),
    "same_kind": gettext_lazy("Topic and vehicle are things of the same kind."),
    "question": gettext_lazy("The sentence asks what something is like."),
    "literal_comparison": gettext_lazy("The comparison is literal: it measures one thing by another."),
    "appearance": gettext_lazy("The sentence states how something looks or sounds."),
    "situation_compared": gettext_lazy("The comparison is with a situation, not with a thing."),
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
    found = [(code, _words_of(code)) for code in dict.fromkeys(codes) if code]
    return [(code, words) for code, words in found if words]


def _words_of(code: str) -> str:
    if code in WORDS:
        return str(WORDS[code])
    if code.startswith(SOURCE) and code.removeprefix(SOURCE) in WORDS:
        return _("Source text: %(reason)s") % {"reason": WORDS[code.removeprefix(SOURCE)]}
    lacking = code.removeprefix("no_").split("_")
    if code.startswith("no_") and set(lacking) <= PARTS:
        return _("Missing sub-scores: %(names)s.") % {
            "names": ", ".join(score_names.in_words(name) for name in lacking)
        }
    return ""
