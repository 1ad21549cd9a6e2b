"""The meaning of a classifier's labels, by their names and never by their positions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Literal

from scoring.hauser.base.scores import MetricError

Meaning = Literal["contradiction", "positive", "negative"]
NAMES: Mapping[Meaning, frozenset[str]] = {
    "contradiction": frozenset({"contradiction", "contradictory", "contradicts"}),
    "positive": frozenset({"positive", "pos"}),
    "negative": frozenset({"negative", "neg"}),
}
NOT_A_LETTER = re.compile(r"[\W\d_]+")
ROUNDING = 1e-3


def the_label(labels: Iterable[str], meaning: Meaning) -> str:
    """The label that has this meaning, in the model's own spelling.

    Parameters
    ----------
    labels : iterable of str
        All labels of the model.
    meaning : str
        The meaning to look for.

    Raises
    ------
    MetricError
        `no_such_label` and `several_labels`.
    """
    known = list(labels)
    found = [label for label in known if NOT_A_LETTER.sub("", label).lower() in NAMES[meaning]]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(map(repr, known)) or "none"
    if found:
        message = f"several labels mean {meaning}: {listed}. Give them different names in its configuration"
        raise MetricError("several_labels", message)
    message = (
        f"no label of the model means {meaning}; its labels are {listed}. Name them in its configuration"
    )
    raise MetricError("no_such_label", message)


def check_probabilities(probabilities: Mapping[str, float]) -> None:
    """Refuse probabilities that are no distribution over the labels.

    Parameters
    ----------
    probabilities : mapping of str to float
        By label.

    Raises
    ------
    MetricError
        `bad_probabilities`.
    """
    values = probabilities.values()
    total = math.fsum(values)
    if not all(0 <= value <= 1 for value in values) or abs(total - 1) > ROUNDING:
        message = f"probabilities of labels must be from 0 to 1 and sum to 1, not {dict(probabilities)}"
        raise MetricError("bad_probabilities", message)
