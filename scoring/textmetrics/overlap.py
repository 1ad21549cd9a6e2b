"""BLEU, chrF, ROUGE and METEOR against one or more references."""

from __future__ import annotations

from functools import cache
from typing import Any

from scoring.textmetrics.candidates import Candidate, Outcome
from scoring.textmetrics.words import spaced, tokens, words

BLEU_ORDERS = (1, 2, 3, 4)
ROUGE_TYPES = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
# sacrebleu's scale ends at 100.
PERCENT = 100


class _RougeWords:
    """ROUGE's usual words; the library's own splitter drops every letter that is not ASCII."""

    def tokenize(self, text: str) -> list[str]:
        return words(text)


class _NoSynonyms:
    """Replaces WordNet in METEOR's implementation, because WordNet would have to be downloaded."""

    def synsets(self, _: str) -> list[Any]:
        return []


def bleu(candidate: Candidate) -> dict[str, Outcome]:
    """BLEU-1 to BLEU-4 of one text, each the geometric mean of its precisions up to that length.

    Parameters
    ----------
    candidate
        Candidate with at least one reference.

    Returns
    -------
    dict
        By name of the metric; 0 to 1.

    References
    ----------
    Papineni, Roukos, Ward & Zhu (2002); smoothing 3 ("exp") of Chen & Cherry (2014).
    """
    text, *references = (" ".join(bleu_tokens(one)) for one in (candidate.text, *candidate.references))
    return {
        f"bleu_{order}": Outcome(min(1.0, scorer.sentence_score(text, references).score / PERCENT))
        for order, scorer in _bleu_scorers().items()
    }


def bleu_tokens(text: str) -> list[str]:
    """The tokens that BLEU compares: sacrebleu's 13a; characters of Chinese and Japanese."""
    tokenized: str = _thirteen_a()(spaced(text))
    return tokenized.split()


def bleu_from_counts(correct: list[int], total: list[int], length: int, reference_length: int) -> float:
    """BLEU from matched and possible n-grams, smoothed like `bleu`.

    Parameters
    ----------
    correct, total
        By length of the n-grams, from 1.
    length, reference_length
        Tokens of the text, and of the reference that is closest in length.

    Returns
    -------
    float
        0 to 1.
    """
    from sacrebleu.metrics.bleu import BLEU

    found = BLEU.compute_bleu(
        correct,
        total,
        length,
        reference_length,
        smooth_method="exp",
        effective_order=True,
        max_ngram_order=len(correct),
    )
    return min(1.0, float(found.score) / PERCENT)


def chrf(candidate: Candidate) -> dict[str, Outcome]:
    """chrF2: F score (recall counts twice) of character sequences of 1 to 6, against the best reference.

    References
    ----------
    Popović (2015).
    """
    score = _chrf_scorer().sentence_score(candidate.text, list(candidate.references)).score / PERCENT
    return {"chrf": Outcome(min(1.0, score))}


def rouge(candidate: Candidate) -> dict[str, Outcome]:
    """F scores of ROUGE-1, ROUGE-2 and ROUGE-L, each against the reference that is best for it.

    References
    ----------
    Lin (2004).
    """
    scores = _rouge_scorer().score_multi(list(candidate.references), candidate.text)
    return {name: Outcome(float(scores[kind].fmeasure)) for name, kind in ROUGE_TYPES.items()}


def meteor(candidate: Candidate) -> dict[str, Outcome]:
    """METEOR with exact and stemmed matches, against the best reference.

    References
    ----------
    Banerjee & Lavie (2005) with the parameters of Lavie & Agarwal (2007): α .9, β 3, γ .5.
    """
    from nltk.translate.meteor_score import meteor_score

    references = [tokens(reference) for reference in candidate.references]
    return {"meteor": Outcome(float(meteor_score(references, tokens(candidate.text), wordnet=_NoSynonyms())))}


@cache
def _bleu_scorers() -> dict[int, Any]:
    from sacrebleu.metrics.bleu import BLEU

    return {
        order: BLEU(tokenize="none", effective_order=True, max_ngram_order=order, force=True)
        for order in BLEU_ORDERS
    }


@cache
def _thirteen_a() -> Any:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()


@cache
def _chrf_scorer() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


@cache
def _rouge_scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(ROUGE_TYPES.values()), tokenizer=_RougeWords())
