"""Sequence classification: texts or pairs in, probabilities by the model's own label names out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.backends.checkpoints import Located
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute, Text, batches, encode, load
from scoring.hauser.base.labels import Meaning, the_label
from scoring.hauser.base.scores import MetricError

EMPTY_TEXT = "empty_text"
NOT_FINITE = "not_finite"


@dataclass(frozen=True)
class Classified:
    """The labels of one text by a model."""

    # By label, in the model's order; they add up to 1. Empty when there is a reason.
    probabilities: Mapping[str, float]
    truncated: bool = False  # Whether the model saw only the beginning
    # Why there are no probabilities: `empty_text`, or `not_finite` for a model that overflowed
    reason: str = ""


class Classifier:
    """A loaded classifier; calling it classifies.

    Parameters
    ----------
    located
        The checkpoint.
    compute
        Device, precision, threads and batch.
    labels
        Required number of labels.
    needed
        Meanings that exactly one label each must have by its name.

    Raises
    ------
    ModelRefused
        `wrong_number_of_labels`, `no_contradiction_label` and the like, and those of `load`.
    """

    def __init__(
        self,
        located: Located,
        compute: Compute | None = None,
        *,
        labels: int | None = None,
        needed: Sequence[Meaning] = (),
    ) -> None:
        self._loaded = load("AutoModelForSequenceClassification", located, compute or Compute())
        names = self._loaded.model.config.id2label
        self.labels: tuple[str, ...] = tuple(str(names[number]) for number in sorted(names))
        check_labels(located, self.labels, labels, needed)

    def __call__(self, texts: Sequence[Text]) -> list[Classified]:
        """Classify texts or pairs; equal ones are computed once.

        Parameters
        ----------
        texts
            Texts, or pairs in the order in which the model was trained on them (premise first).

        Returns
        -------
        list of Classified
            In the order of `texts`.
        """
        distinct = list(dict.fromkeys(text for text in texts if not is_empty(text)))
        found = dict(zip(distinct, self._classified(distinct), strict=True))
        return [found.get(text) or Classified({}, reason=EMPTY_TEXT) for text in texts]

    def _classified(self, texts: Sequence[Text]) -> list[Classified]:
        import torch

        encoded = encode(self._loaded, texts)
        found: dict[int, Classified] = {}
        with torch.inference_mode():
            for positions, inputs in batches(self._loaded, encoded):
                probabilities = self._loaded.model(**inputs).logits.float().softmax(-1).tolist()
                for position, row in zip(positions, probabilities, strict=True):
                    found[position] = self._named(row, truncated=encoded[position].truncated)
        return [found[position] for position in range(len(texts))]

    def _named(self, row: list[float], *, truncated: bool) -> Classified:
        if any(math.isnan(value) for value in row):
            return Classified({}, truncated, NOT_FINITE)
        return Classified(dict(zip(self.labels, row, strict=True)), truncated)


def is_empty(text: Text) -> bool:
    """Whether a text, or either of a pair, has nothing to read in it."""
    parts = (text,) if isinstance(text, str) else text
    return not all(any(letter.isprintable() and not letter.isspace() for letter in part) for part in parts)


def check_labels(
    located: Located, labels: Sequence[str], number: int | None, needed: Sequence[Meaning]
) -> None:
    """Refuse a classifier that does not have the labels that its role needs.

    Parameters
    ----------
    located
        The checkpoint, for the message.
    labels
        Its labels.
    number
        Required number of labels; None for any number.
    needed
        Meanings that exactly one label each must have, by the same rule as for scores.

    Raises
    ------
    ModelRefused
        `wrong_number_of_labels`, or `no_MEANING_label` such as `no_contradiction_label`.
    """
    problem = f"{located.name} has the labels {', '.join(labels)}"
    if number is not None and len(labels) != number:
        raise ModelRefused(
            "wrong_number_of_labels",
            f"{problem}, but {number} are needed. Choose a checkpoint trained for this task.",
        )
    for meaning in needed:
        try:
            the_label(labels, meaning)
        except MetricError as fault:
            raise ModelRefused(
                f"no_{meaning}_label",
                f"{problem}, but exactly one must mean {meaning}. If the names are missing, add them "
                f"under id2label in {located.folder / 'config.json'}, in the order of the training data.",
            ) from fault
