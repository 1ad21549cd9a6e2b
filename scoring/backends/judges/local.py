"""Local transformers as judges: the probability of each point of a scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.domain.base.messages import message
from scoring.backends.checkpoints import Located
from scoring.backends.classifier import EMPTY_TEXT, NOT_FINITE, Classifier, is_empty
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute, load

Reading = Literal["mode", "expected"]
READINGS: tuple[Reading, ...] = ("mode", "expected")
TOO_LONG = "too_long"


@dataclass(frozen=True)
class Distribution:
    """Probabilities of the values of a scale, or the reason why there are none."""

    # By value, in the order of the scale; they add up to 1.
    probabilities: Mapping[str, float]
    reason: str = ""

    def read(self, reading: Reading) -> str:
        """The answer: the most probable value, or the mean of numeric values weighted by probability.

        Parameters
        ----------
        reading
            `mode` takes the first of equally probable values; `expected` needs values that are numbers.
        """
        if reading == "mode":
            return max(self.probabilities, key=lambda value: self.probabilities[value])
        return f"{sum(float(value) * share for value, share in self.probabilities.items()):.6f}"


class SequenceJudge:
    """A classifier whose labels are points of a scale.

    Parameters
    ----------
    located
        The checkpoint.
    values
        The values of the scale.
    labels
        Value by label of the model; by default each label is named as its value.
    compute
        Device, precision, threads and batch.

    Raises
    ------
    ModelRefused
        `labels_not_mapped` where labels and values do not correspond one to one; those of `load`.
    """

    def __init__(
        self,
        located: Located,
        values: Sequence[str],
        labels: Mapping[str, str] | None = None,
        compute: Compute | None = None,
    ) -> None:
        self._classify = Classifier(located, compute)
        self._values = tuple(values)
        self._value_of = {label: (labels or {}).get(label, label) for label in self._classify.labels}
        if sorted(self._value_of.values()) != sorted(self._values):
            raise ModelRefused(
                "labels_not_mapped",
                message(
                    "The checkpoint %(name)s has the labels %(labels)s, but the scale has the values "
                    "%(values)s. State the value of each label, such as %(example)s.",
                    name=located.shown,
                    labels=", ".join(self._classify.labels),
                    values=", ".join(self._values),
                    example=f"{self._classify.labels[0]}={self._values[0]}",
                ),
            )

    def __call__(self, texts: Sequence[str]) -> list[Distribution]:
        """The distribution for each text, in the order of `texts`."""
        return [
            Distribution({}, found.reason) if found.reason else self._by_value(found.probabilities)
            for found in self._classify(texts)
        ]

    def _by_value(self, probabilities: Mapping[str, float]) -> Distribution:
        by_value = {self._value_of[label]: share for label, share in probabilities.items()}
        return Distribution({value: by_value[value] for value in self._values})


class CausalJudge:
    """A causal language model, read by the probability of each value as what follows the prompt.

    The probability of a value is that of its tokens and of the line’s end after them, so that “1” is not more
    probable because “10” begins with it; probabilities are normalised over the values of the scale.

    Parameters
    ----------
    located
        The checkpoint.
    compute
        Device and precision.

    Raises
    ------
    ModelRefused
        Those of `load`.
    """

    def __init__(self, located: Located, compute: Compute | None = None) -> None:
        self._loaded = load("AutoModelForCausalLM", located, compute or Compute())

    def __call__(self, prompt: str, values: Sequence[str]) -> Distribution:
        """The distribution over values that may follow a prompt.

        Parameters
        ----------
        prompt
            Text that ends where the value would follow after a space.
        values
            The values of the scale.

        Returns
        -------
        Distribution
            `too_long` where the prompt does not fit the model: a shortened one would ask something else.
        """
        if is_empty(prompt):
            return Distribution({}, EMPTY_TEXT)
        known = self._tokens(prompt)
        asked = {value: self._tokens(f"{prompt} {value}\n") for value in values}
        if max(map(len, asked.values())) > self._loaded.longest:
            return Distribution({}, TOO_LONG)
        if len({tuple(ids) for ids in asked.values()}) < len(asked):
            raise ModelRefused(
                "values_look_alike",
                message(
                    "The checkpoint %(name)s does not know some of the values %(values)s: its tokenizer "
                    "writes several of them alike. Choose another checkpoint.",
                    name=self._loaded.located.shown,
                    values=", ".join(values),
                ),
            )
        # The same context for all values, also where a tokenizer joins the end of the prompt with some.
        context = min(_shared(known, ids) for ids in asked.values())
        return _normalised({value: self._log_probability(ids, context) for value, ids in asked.items()})

    def _tokens(self, text: str) -> list[int]:
        readable = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._loaded.tokenizer(readable, verbose=False, add_special_tokens=False)[
            "input_ids"
        ]
        start = self._loaded.model.config.bos_token_id
        return ids if start is None else [start, *ids]

    def _log_probability(self, ids: Sequence[int], known: int) -> float:
        """Log-probability of the tokens from `known` on, given those before."""
        import torch

        inputs = torch.tensor([list(ids)], device=self._loaded.model.device)
        with torch.inference_mode():
            logits: Any = self._loaded.model(input_ids=inputs).logits.float()[0]
        chances = logits[known - 1 : -1].log_softmax(-1)
        chosen = chances.gather(1, inputs[0, known:, None])
        return float(chosen.sum())


def _shared(known: Sequence[int], asked: Sequence[int]) -> int:
    """How many tokens both begin with; at least 1, which only serves as context."""
    for place, (one, other) in enumerate(zip(known, asked, strict=False)):
        if one != other:
            return max(1, place)
    return max(1, min(len(known), len(asked) - 1))


def _normalised(logs: Mapping[str, float]) -> Distribution:
    if not all(math.isfinite(one) for one in logs.values()):
        return Distribution({}, NOT_FINITE)
    highest = max(logs.values())
    shares = {value: math.exp(one - highest) for value, one in logs.items()}
    total = sum(shares.values())
    return Distribution({value: share / total for value, share in shares.items()})
