"""What the files of a study are called, and what each holds."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()

Words = Mapping[str, str | Promise]
GROUPS: Words = {
    "ratings": _("Ratings and answers"),
    "items": _("Items and scores"),
    "raters": _("Raters and checks"),
    "decisions": _("Decisions"),
    "personal": _("Personal data"),
}
NAMES: Words = {
    "ratings": _("Ratings"),
    "ratings_wide": _("Ratings, one column per rater"),
    "choices": _("Choices with option order"),
    "probing": _("Probing questions"),
    "pair_rounds": _("Adaptive pairs: rounds"),
    "pair_counts": _("Adaptive pairs: counts of each round"),
    "tuples": _("Tuples: spans"),
    "tuple_parts": _("Tuples: components"),
    "located": _("Tuples: where they are"),
    "errors": _("Marked errors, one row per error"),
    "error_texts": _("Marked errors, one row per rater and text"),
    "cmdag": _("CMDAG JSON"),
    "bio": _("BIO tags"),
    "adjudicated": _("Final answers"),
    "adjudicated_tuples": _("Final tuples, one row per span"),
    "adjudication_decisions": _("All decisions, with second opinions"),
    "adjudication_discussion": _("Discussion and cases removed from the queue"),
    "items": _("Items"),
    "media": _("Media files"),
    "scores": _("Scores"),
    "judgements": _("Answers of judges"),
    "raters": _("Raters"),
    "checks": _("Attention checks"),
    "qualification": _("Qualification"),
    "problems": _("Problems reported by raters"),
    "exclusions": _("Exclusions"),
    "rules": _("Exclusion rules"),
    "audit": _("Audit log"),
    "demographics": _("Demographic answers"),
    "platform-ids": _("Platform IDs"),
}
HOLDS: Words = {
    "ratings": _("One row per rating. If you import the file again, you get the same statistics."),
    "ratings_wide": _(
        "One row per item and criterion: the ratings that count side by side, with their number and mean. "
        "Groundwork imports only the long shape."
    ),
    "choices": _(
        "One row per answer to a choice question: the chosen option, its position on the page, and "
        "the correct answer."
    ),
    "probing": _(
        "The columns of the published files (sentence, options, majority answer, correct answer), "
        "then each rater’s answer."
    ),
    "pair_rounds": _(
        "One row per round: the pairs that got a rating slot, strengths, the seed, and why no more pairs "
        "are added."
    ),
    "pair_counts": _(
        "One row per round and pair whose answers or slots have changed since the round before: what the "
        "round was computed from."
    ),
    "tuples": _(
        "One row per span. Offsets count Unicode code points in the item’s text. Words that are not "
        "in the text have no offsets. A response without tuples has one row with an empty component."
    ),
    "tuple_parts": _("One row per component of a tuple, with its words and spans."),
    "located": _("One row per tuple: which of its components are in the text."),
    "errors": _(
        "One row per error with its span, category, severity and weight. An answer without an error has one "
        "row without a number."
    ),
    "error_texts": _(
        "One row per rater and text: the score, the number of errors by severity, the other values of the "
        "page, and all errors as JSON."
    ),
    "cmdag": _("JSON as in the published CMDAG files. Excluded data are left out."),
    "bio": _("BIO tags for each character. Excluded data are left out."),
    "adjudicated": _(
        "One row per final answer, with the rule that selected the case and the rater whose answer "
        "was chosen. Agreement is always computed from the original ratings."
    ),
    "adjudicated_tuples": _("One row per span of a final tuple."),
    "adjudication_decisions": _(
        "One row per answer of a decision: final ones, earlier ones that were replaced, and second opinions."
    ),
    "adjudication_discussion": _("Comments on cases, and cases removed from the queue."),
    "items": _("One row per item: ID, group, system, texts and metadata."),
    "media": _("One row per media file: kind, size, checksums, description and transcript."),
    "scores": _("One row per item and metric, with the scoring run."),
    "judgements": _("One row per answer of an automatic judge. No other table contains them."),
    "raters": _(
        "Code, state, number of responses, and the consent form version each rater accepted, with the date."
    ),
    "checks": _(
        "One row per check that a rater answered, with the result. Exports of ratings do not contain checks."
    ),
    "qualification": _(
        "Raters’ answers to calibration items with the reference values, and the result of each "
        "attempt. Exports of ratings do not contain them."
    ),
    "problems": _("One row per report: the item, the problem, and when it was resolved."),
    "exclusions": _("All exclusions, including those that have ended, with rule and reason."),
    "rules": _("The exclusion rules as declared, with their conditions."),
    "audit": _("One row per action: who did what, and when. Members appear with their email addresses."),
    "demographics": _(
        "Raters’ answers to the demographic questions, under the raters’ codes. Store this file "
        "separately from the ratings."
    ),
    "platform-ids": _(
        "Links the codes of raters to IDs on a crowd platform. Store this file separately from the ratings."
    ),
}
SHAPES: Words = {
    "ratings": _("Long: one row per rating"),
    "ratings_wide": _("Wide: one column per rater"),
}
# Where a file has no section of its own in the documentation of columns.
DOCUMENTED: Mapping[str, str] = {"cmdag": "tuples#cmdags-json", "bio": "tuples#export"}


@register.filter
def group_name(key: str) -> str:
    """The heading of a group of files."""
    return str(GROUPS[key])


@register.filter
def file_name(key: str) -> str:
    """What a file is called."""
    return str(NAMES[key])


@register.filter
def file_holds(key: str) -> str:
    """What a file holds, in a sentence or several."""
    return str(HOLDS[key])


@register.filter
def shape_name(key: str) -> str:
    """How the ratings are arranged in a file."""
    return str(SHAPES[key])


@register.filter
def columns_address(key: str) -> str:
    """Where the documentation explains a file."""
    return DOCUMENTED.get(key, f"export-columns#{key}")
