"""Agreement of raters on errors: by characters, by spans, and on the scores of texts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.spans.character_alpha import alpha_of_characters
from scoring.stats.spans.errors.spans import MATCHINGS, ErrorSpan, OfErrors, heaviest
from scoring.stats.spans.pair_counts import PairCounts

MARKED, WEIGHTED = "nominal, characters", "interval, characters by weight"


@dataclass(frozen=True)
class MarkedErrors:
    """The errors that raters marked in texts.

    Attributes
    ----------
    raters : mapping of str to mapping of str to sequence of ErrorSpan
        By rater and item; an empty sequence says that there is no error.
    lengths : mapping of str to int
        Number of characters of each item's text.
    groups : mapping of str to str
        Group of each item that has one.
    identified : bool
        Whether raters are persons.
    """

    raters: Mapping[str, Mapping[str, Sequence[ErrorSpan]]]
    lengths: Mapping[str, int]
    groups: Mapping[str, str]
    identified: bool


@dataclass(frozen=True)
class ErrorAgreement:
    """F1 over all pairs of raters and α of the characters; precision, recall and F1 of each pair."""

    figures: list[Figure]
    pairs: list[Figure]


def error_agreement(marked: MarkedErrors, name: str, resampling: Resampling) -> ErrorAgreement:
    """Compute the agreement of raters on the errors in texts.

    Parameters
    ----------
    marked
        The errors.
    name
        Name of the criterion.
    resampling
        Replicates, seed and confidence of the bootstrap over the items, or over their groups.

    Returns
    -------
    ErrorAgreement
        F1 in each way of `MATCHINGS`, pooled and as the mean of pairs. α of the characters: `nominal`, of
        whether a character is in an error; `interval`, of the weight of the heaviest error at it, 0 for none.
        A unit is a character, so `n_ratings` counts characters, once for each rater.

    References
    ----------
    Hripcsak & Rothschild (2005); Krippendorff (2019), chapter 12.
    """
    figures: list[Figure] = []
    pairs: list[Figure] = []
    for matching in MATCHINGS:
        counted = PairCounts.of(
            marked.raters,
            name,
            matching,
            OfErrors(matching),
            identified=marked.identified,
            groups=marked.groups,
        )
        drawn = counted.drawn(resampling)
        figures += counted.headline(drawn, resampling)
        pairs += counted.of_pairs(drawn, resampling)
    return ErrorAgreement([*figures, *_of_characters(marked, name, resampling)], pairs)


def _of_characters(marked: MarkedErrors, name: str, resampling: Resampling) -> list[Figure]:
    times = Counter(item for items in marked.raters.values() for item in items)
    # A text that one rater saw says nothing of agreement, nor does one without characters.
    answers = [
        (item, rater, heaviest(spans, marked.lengths[item]))
        for rater, items in marked.raters.items()
        for item, spans in items.items()
        if times[item] > 1 and marked.lengths[item] > 0
    ]
    if not answers:
        return []
    alpha = partial(
        alpha_of_characters, identified=marked.identified, resampling=resampling, groups=marked.groups
    )
    covered = [(item, rater, np.where(weights > 0, 1.0, 0.0)) for item, rater, weights in answers]
    return [alpha(covered, name, "nominal", MARKED), alpha(answers, name, "interval", WEIGHTED)]
