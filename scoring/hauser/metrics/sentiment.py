"""Whether a simile strengthens the sentiment of its literal sentence: eq. (5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.hauser.base.labels import Meaning, check_probabilities, the_label
from scoring.hauser.base.scores import Score
from scoring.hauser.components.classifier_input import Cut

POLARITY_TIED = "polarity_tied"
POLARITIES: tuple[Meaning, Meaning] = ("positive", "negative")


@dataclass(frozen=True, kw_only=True)
class SentimentConsistency(Score):
    """c_s, and how it was computed."""

    polarity: str  # The label a of the literal sentence; empty where neither is more probable
    # simile, literal: The texts that were classified
    simile: Cut
    literal: Cut
    # of_simile, of_literal: Probabilities by label
    of_simile: Mapping[str, float]
    of_literal: Mapping[str, float]


def sentiment_consistency(
    simile: Cut, literal: Cut, of_simile: Mapping[str, float], of_literal: Mapping[str, float]
) -> SentimentConsistency:
    """P(a | simile) − P(a | literal), a being the literal sentence's polarity.

    Parameters
    ----------
    simile, literal : Cut
        The texts that were classified, from `cuts`.
    of_simile, of_literal : mapping of str to float
        Probabilities of a sentiment classifier with a positive and a negative label, by label.

    Returns
    -------
    SentimentConsistency
        From −1 to 1; no value (`polarity_tied`) where the literal sentence is as positive as negative.

    Raises
    ------
    MetricError
        `no_such_label`, `several_labels` and `bad_probabilities`.

    Notes
    -----
    He et al. (2023), section 3.1.3, eq. (5). The polarity is that of the literal sentence as cut.
    """
    positive, negative = (the_label(of_literal, meaning) for meaning in POLARITIES)
    check_probabilities(of_literal)
    check_probabilities(of_simile)
    if of_literal[positive] == of_literal[negative]:
        polarity, value = "", None
    else:
        polarity = max(positive, negative, key=lambda label: of_literal[label])
        value = of_simile[polarity] - of_literal[polarity]
    return SentimentConsistency(
        value=value,
        reason="" if polarity else POLARITY_TIED,
        polarity=polarity,
        simile=simile,
        literal=literal,
        of_simile=dict(of_simile),
        of_literal=dict(of_literal),
    )
