"""Every metric: its name, direction, needs, bounds, definition and where it comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.stats.data.directions import Direction

Need = Literal["references", "source", "set", "encoder", "language_model"]
Family = Literal[
    "bleu",
    "chrf",
    "rouge",
    "meteor",
    "bertscore",
    "perplexity",
    "self_bleu",
    "distinct",
    "against_source",
    "alone",
]
LIBRARIES = {
    "bleu": "sacrebleu",
    "chrf": "sacrebleu",
    "self_bleu": "sacrebleu",
    "rouge": "rouge-score",
    "meteor": "nltk",
}


@dataclass(frozen=True)
class Metric:
    """The definition of a metric."""

    name: str  # Stable: scores are stored under it
    label: str  # Name on pages
    family: Family  # Metrics of a family are computed together
    direction: Direction  # Whether higher or lower scores are better, as the papers use it
    needs: tuple[Need, ...]  # Inputs besides the text
    bounds: tuple[float, float]  # Least and greatest value
    definition: str  # One sentence
    source: str  # Publication
    signature: str  # Variant; with the versions of the libraries it reproduces a score

    @property
    def library(self) -> str:
        """The package that computes it; empty for this one."""
        return LIBRARIES.get(self.family, "")


SHARE = (0.0, 1.0)
COSINE = (-1.0, 1.0)
FROM_ZERO = (0.0, math.inf)
TOKENS = "lower case, words and punctuation"
BLEU_SIGNATURE = (
    "13a, characters for Chinese and Japanese, mixed case, smoothing exp, effective order, nrefs all"
)


def _bleu(order: int) -> Metric:
    return Metric(
        f"bleu_{order}",
        f"BLEU-{order}",
        "bleu",
        "higher",
        ("references",),
        SHARE,
        f"Geometric mean of the shares of the text’s sequences of 1 to {order} tokens found in a reference, "
        "lower if the text is shorter than the reference.",
        "Papineni et al. (2002)",
        f"order 1-{order}, {BLEU_SIGNATURE}",
    )


def _rouge(name: str, label: str, what: str) -> Metric:
    return Metric(
        name,
        label,
        "rouge",
        "higher",
        ("references",),
        SHARE,
        f"F score of the {what} that text and reference share; the best reference counts.",
        "Lin (2004)",
        "F1, no stemming, words without punctuation, lower case, best of the references",
    )


def _bertscore(letter: str, what: str) -> Metric:
    return Metric(
        f"bertscore_{letter}",
        f"BERTScore {letter.upper()}",
        "bertscore",
        "higher",
        ("references", "encoder"),
        COSINE,
        f"{what} by cosine similarity of encoder vectors; the reference with the best F1 counts.",
        "Zhang et al. (2020)",
        "no idf, no rescaling, best of the references",
    )


def _self_bleu(order: int) -> Metric:
    return Metric(
        f"self_bleu_{order}",
        f"Self-BLEU-{order}",
        "self_bleu",
        "lower",
        ("set",),
        SHARE,
        f"BLEU-{order} of the text against all other texts of the set; low if it differs from them.",
        "Zhu et al. (2018)",
        f"order 1-{order}, {BLEU_SIGNATURE}",
    )


def _distinct(order: int) -> Metric:
    return Metric(
        f"distinct_{order}",
        f"Distinct-{order}",
        "distinct",
        "higher",
        ("set",),
        SHARE,
        f"Mean, over the text’s sequences of {order} tokens, of 1 divided by their frequency in the set.",
        "Li et al. (2016); Tevet & Berant (2021)",
        f"share in the set, {TOKENS}",
    )


def _statistic(
    name: str,
    label: str,
    definition: str,
    source: str,
    *,
    bounds: tuple[float, float] = SHARE,
    alone: bool = False,
) -> Metric:
    return Metric(
        name,
        label,
        "alone" if alone else "against_source",
        "unsigned",
        () if alone else ("source",),
        bounds,
        definition,
        source,
        TOKENS,
    )


GRUSKY, FABBRI = "Grusky et al. (2018)", "Fabbri et al. (2021)"

_ALL = (
    *(_bleu(order) for order in (1, 2, 3, 4)),
    _rouge("rouge_1", "ROUGE-1", "words"),
    _rouge("rouge_2", "ROUGE-2", "pairs of neighbouring words"),
    _rouge("rouge_l", "ROUGE-L", "longest common subsequence of words"),
    Metric(
        "meteor",
        "METEOR (exact, stem)",
        "meteor",
        "higher",
        ("references",),
        SHARE,
        "Harmonic mean of precision and recall (recall counts nine times) of the words that match exactly or "
        "by stem, lower if the matches are scattered; the best reference counts.",
        "Banerjee & Lavie (2005)",
        f"exact and Porter stem, no WordNet, alpha .9, beta 3, gamma .5, {TOKENS}",
    ),
    Metric(
        "chrf",
        "chrF2",
        "chrf",
        "higher",
        ("references",),
        SHARE,
        "F score (recall counts twice) of the character sequences of 1 to 6 that text and reference share.",
        "Popović (2015)",
        "character order 6, word order 0, beta 2, mixed case, no blanks, best of the references",
    ),
    _bertscore("p", "Mean similarity of the text’s tokens to the reference’s nearest,"),
    _bertscore("r", "Mean similarity of the reference’s tokens to the text’s nearest,"),
    _bertscore("f1", "Harmonic mean of BERTScore P and R,"),
    Metric(
        "perplexity",
        "Perplexity",
        "perplexity",
        "lower",
        ("language_model",),
        (1.0, math.inf),
        "Exponential of the mean negative log-probability of the text’s tokens in a causal language model.",
        "Pang et al. (2020); Tevet & Berant (2021)",
        "whole text behind the start token where the model has one",
    ),
    *(_self_bleu(order) for order in (3, 4, 5)),
    *(_distinct(order) for order in (1, 2, 3)),
    _statistic(
        "coverage",
        "Coverage",
        "Share of the text’s tokens in fragments copied from the source.",
        GRUSKY,
    ),
    _statistic(
        "density",
        "Density",
        "Mean length of the copied fragment that contains each token of the text.",
        GRUSKY,
        bounds=FROM_ZERO,
    ),
    _statistic(
        "compression",
        "Compression",
        "Number of source tokens per token of the text.",
        GRUSKY,
        bounds=FROM_ZERO,
    ),
    _statistic(
        "length", "Text length", "Number of tokens of the text.", FABBRI, bounds=FROM_ZERO, alone=True
    ),
    *(
        _statistic(
            f"novelty_{order}",
            f"Novelty-{order}",
            f"Share of the text’s distinct sequences of {order} tokens that the source does not have.",
            FABBRI,
        )
        for order in (1, 2, 3)
    ),
    *(
        _statistic(
            f"repetition_{order}",
            f"Repetition-{order}",
            f"Share of the text’s distinct sequences of {order} tokens that it has more than once.",
            FABBRI,
            alone=True,
        )
        for order in (1, 2, 3)
    ),
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
