"""Perplexity: how surprised a causal language model is at a text, on average per token."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.backends.checkpoints import Located
from scoring.backends.classifier import EMPTY_TEXT, NOT_FINITE, is_empty
from scoring.backends.inference import Compute, Encoded, batches, encode, load

NO_CONTEXT = "too_short"
IGNORED = -100
# A token has a number for each word of the vocabulary; with 50,000 words this many tokens take 0.4 GB.
TOKENS_AT_ONCE = 2048


@dataclass(frozen=True)
class Surprise:
    """Perplexity of one text, or the reason why there is none."""

    perplexity: float | None
    truncated: bool = False
    reason: str = ""


class LanguageModel:
    """A loaded causal language model; calling it measures perplexity.

    The text follows the token for the beginning of a text where the model has one, so that the first
    token of the text counts as well; where it has none, the first token only serves as context.

    Parameters
    ----------
    located
        The checkpoint.
    compute
        Device, precision, threads and batch.

    Raises
    ------
    ModelRefused
        Those of `load`.
    """

    def __init__(self, located: Located, compute: Compute | None = None) -> None:
        self._loaded = load("AutoModelForCausalLM", located, compute or Compute())
        tokenizer = self._loaded.tokenizer
        self._start = self._loaded.model.config.bos_token_id
        if self._start is None:
            self._start = tokenizer.bos_token_id
        if tokenizer.pad_token_id is None:
            # What is padded with does not matter: it is masked.
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token

    def __call__(self, texts: Sequence[str]) -> list[Surprise]:
        """exp of the mean negative log-probability per token, in the order of `texts`.

        Equal texts are computed once.
        """
        distinct = list(dict.fromkeys(text for text in texts if not is_empty(text)))
        found = dict(zip(distinct, self._measured(distinct), strict=True))
        return [found.get(text) or Surprise(None, reason=EMPTY_TEXT) for text in texts]

    def _measured(self, texts: Sequence[str]) -> list[Surprise]:
        import torch

        encoded = [self._started(one) for one in encode(self._loaded, texts, room=1)]
        found: dict[int, Surprise] = {
            position: Surprise(None, reason=NO_CONTEXT)
            for position, one in enumerate(encoded)
            if len(one) < 2
        }
        computed = [position for position in range(len(texts)) if position not in found]
        with torch.inference_mode():
            for positions, inputs in batches(
                self._loaded, [encoded[position] for position in computed], tokens=TOKENS_AT_ONCE
            ):
                losses = self._losses(inputs)
                for position, loss in zip(positions, losses, strict=True):
                    found[computed[position]] = _surprise(
                        loss, truncated=encoded[computed[position]].truncated
                    )
        return [found[position] for position in range(len(texts))]

    def _started(self, encoded: Encoded) -> Encoded:
        ids = encoded.inputs["input_ids"]
        if self._start is not None and ids[:1] != [self._start]:
            ids = [self._start, *ids]
        return Encoded({"input_ids": ids, "attention_mask": [1] * len(ids)}, encoded.truncated)

    def _losses(self, inputs: dict[str, Any]) -> list[float]:
        import torch

        logits = self._loaded.model(**inputs).logits.float()[:, :-1]
        ids, mask = inputs["input_ids"], inputs["attention_mask"]
        hidden = ids.masked_fill(mask == 0, IGNORED)[:, 1:]
        losses = torch.nn.functional.cross_entropy(
            logits.transpose(1, 2), hidden, ignore_index=IGNORED, reduction="none"
        )
        means: list[float] = (losses.sum(-1) / (hidden != IGNORED).sum(-1)).tolist()
        return means


def _surprise(loss: float, *, truncated: bool) -> Surprise:
    # exp overflows above 709.
    if not loss < 700:
        return Surprise(None, truncated, NOT_FINITE)
    return Surprise(math.exp(loss), truncated)
