"""Definitions of metrics as messages that a page can translate."""

from __future__ import annotations

from annotation.domain.base.messages import message
from scoring.selectors.base.stored_sentences import as_message
from scoring.textmetrics.registry import METRICS

TEMPLATES = (
    message(
        "Geometric mean of the shares of the text’s sequences of 1 to %(order)s tokens found in a reference, "
        "lower if the text is shorter than the reference."
    ),
    message("F score of the words that text and reference share; the best reference counts."),
    message(
        "F score of the pairs of neighbouring words that text and reference share; the best reference counts."
    ),
    message(
        "F score of the longest common subsequence of words that text and reference share; the best "
        "reference counts."
    ),
    message(
        "Harmonic mean of precision and recall (recall counts nine times) of the words that match exactly or "
        "by stem, lower if the matches are scattered; the best reference counts."
    ),
    message(
        "F score (recall counts twice) of the character sequences of 1 to 6 that text and reference share."
    ),
    message(
        "Mean similarity of the text’s tokens to the reference’s nearest, by cosine similarity of encoder "
        "vectors; the reference with the best F1 counts."
    ),
    message(
        "Mean similarity of the reference’s tokens to the text’s nearest, by cosine similarity of encoder "
        "vectors; the reference with the best F1 counts."
    ),
    message(
        "Harmonic mean of BERTScore P and R, by cosine similarity of encoder vectors; the reference with the "
        "best F1 counts."
    ),
    message(
        "Exponential of the mean negative log-probability of the text’s tokens in a causal language model."
    ),
    message("BLEU-%(order)s of the text against all other texts of the set; low if it differs from them."),
    message(
        "Mean, over the text’s sequences of %(order)s tokens, of 1 divided by their frequency in the set."
    ),
    message("Share of the text’s tokens in fragments copied from the source."),
    message("Mean length of the copied fragment that contains each token of the text."),
    message("Number of source tokens per token of the text."),
    message("Number of tokens of the text."),
    message("Share of the text’s distinct sequences of %(order)s tokens that the source does not have."),
    message("Share of the text’s distinct sequences of %(order)s tokens that it has more than once."),
)


def metric_definition(name: str) -> str:
    """What a metric measures, in one sentence.

    Parameters
    ----------
    name : str
        A key of `METRICS`.
    """
    return as_message(METRICS[name].definition, TEMPLATES)
