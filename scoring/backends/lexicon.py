"""Sentiment by a lexicon: rated words and rules for negation and emphasis, without a neural model."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.backends.checkpoints import Located
from scoring.backends.classifier import EMPTY_TEXT, Classified, is_empty
from scoring.backends.inference import Text, library

NEGATIVE, POSITIVE = "negative", "positive"


class Lexicon:
    """The lexicon VADER as a classifier of two polarities.

    Parameters
    ----------
    located
        The installed package.

    Raises
    ------
    ModelRefused
        `worker_extra_missing`.

    Notes
    -----
    Hutto and Gilbert (2014). The compound score c from -1 to 1 is read as P(positive) = (1 + c) / 2. A text
    without any word of the lexicon is as positive as negative; eq. (5) then has no polarity to compare.
    """

    def __init__(self, located: Located) -> None:
        self._analyser = library(f"{located.name}.vaderSentiment").SentimentIntensityAnalyzer()

    def __call__(self, texts: Sequence[Text]) -> list[Classified]:
        """Classify texts, in their order; of a pair both together."""
        return [self._classified(text if isinstance(text, str) else " ".join(text)) for text in texts]

    def _classified(self, text: str) -> Classified:
        if is_empty(text):
            return Classified({}, reason=EMPTY_TEXT)
        positive = (1 + self._analyser.polarity_scores(text)["compound"]) / 2
        return Classified({NEGATIVE: 1 - positive, POSITIVE: positive})
