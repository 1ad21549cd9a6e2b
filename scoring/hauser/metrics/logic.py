"""Whether a simile contradicts its literal sentence: eq. (4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.hauser.base.labels import check_probabilities, the_label
from scoring.hauser.base.scores import Score


@dataclass(frozen=True, kw_only=True)
class LogicalConsistency(Score):
    """c_l, the probabilities that it is computed from, and the label used for contradiction."""

    label: str
    probabilities: Mapping[str, float]


def logical_consistency(probabilities: Mapping[str, float]) -> LogicalConsistency:
    """1 − P(contradiction).

    Parameters
    ----------
    probabilities : mapping of str to float
        Probabilities of an MNLI classifier for the pair (literal sentence, simile), by its own labels.

    Raises
    ------
    MetricError
        `no_such_label`, `several_labels` and `bad_probabilities`.

    Notes
    -----
    He et al. (2023), section 3.1.2, eq. (4).
    """
    label = the_label(probabilities, "contradiction")
    check_probabilities(probabilities)
    return LogicalConsistency(value=1 - probabilities[label], label=label, probabilities=dict(probabilities))
