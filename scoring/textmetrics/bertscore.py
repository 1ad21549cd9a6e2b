"""BERTScore: how well the tokens of two texts can be matched by their vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """The tokens of a text as an encoder sees them."""

    vectors: npt.NDArray[np.float32]  # One per token, including those that the model adds
    # False for tokens that the model adds: they can be matched but do not count
    counted: npt.NDArray[np.bool_]
    truncated: bool = False  # Whether the encoder saw only the beginning


@dataclass(frozen=True)
class BertScore:
    """Precision, recall and their harmonic mean, each at most 1.

    `f1` is None where precision or recall is not positive: such numbers have no harmonic mean.
    """

    precision: float
    recall: float
    f1: float | None


def bertscore(candidate: TokenVectors, reference: TokenVectors) -> BertScore | None:
    """Match each token with the most similar one of the other text.

    Parameters
    ----------
    candidate, reference
        Vectors of the same encoder.

    Returns
    -------
    BertScore or None
        None when either text has no token that counts.

    References
    ----------
    Zhang, Kishore, Wu, Weinberger & Artzi (2020), without the weighting by rarity and without rescaling by a
    baseline.
    """
    if not candidate.counted.any() or not reference.counted.any():
        return None
    similarity = _unit(candidate.vectors) @ _unit(reference.vectors).T
    precision = float(similarity.max(axis=1)[candidate.counted].mean())
    recall = float(similarity.max(axis=0)[reference.counted].mean())
    if min(precision, recall) <= 0:
        return BertScore(precision, recall, None)
    return BertScore(precision, recall, 2 * precision * recall / (precision + recall))


def _unit(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    lengths: npt.NDArray[np.float64] = np.linalg.norm(wide, axis=1, keepdims=True)
    return wide / np.where(lengths > 0, lengths, 1.0)
