"""Token vectors of an encoder, for BERTScore."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.backends.checkpoints import Located
from scoring.backends.classifier import is_empty
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute, batches, encode, load
from scoring.textmetrics.bertscore import TokenVectors

# An encoder is used below its pooling layer, and many checkpoints come without one.
POOLING = ("pooler.",)


class Encoder:
    """A loaded encoder; calling it gives the vectors of the tokens of texts.

    Parameters
    ----------
    located
        The checkpoint; of one with a head, the layers below it are used.
    compute
        Device, precision, threads and batch.
    layer
        Layer of the vectors, counted from the first; 0 means the last.

    Raises
    ------
    ModelRefused
        `bad_option` for a layer that it does not have, and those of `load`.
    """

    def __init__(self, located: Located, compute: Compute | None = None, *, layer: int = 0) -> None:
        self._loaded = load("AutoModel", located, compute or Compute(), may_lack=POOLING)
        layers = self._loaded.model.config.num_hidden_layers
        if not 0 <= layer <= layers:
            raise ModelRefused(
                "bad_option",
                f"{located.name} has {layers} layers. Choose 1 to {layers}, or 0 for the last.",
            )
        self._layer = layer or layers

    def __call__(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Vectors of each text's tokens, in the order of `texts`; an empty text has none.

        Equal texts are computed once.
        """
        distinct = list(dict.fromkeys(text for text in texts if not is_empty(text)))
        found = dict(zip(distinct, self._vectors(distinct), strict=True))
        nothing = TokenVectors(np.zeros((0, 1), np.float32), np.zeros(0, np.bool_))
        return [found.get(text, nothing) for text in texts]

    def _vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        import torch

        encoded = encode(self._loaded, texts)
        special = set(self._loaded.tokenizer.all_special_ids)
        found: dict[int, TokenVectors] = {}
        with torch.inference_mode():
            for positions, inputs in batches(self._loaded, encoded):
                states = self._loaded.model(**inputs, output_hidden_states=True).hidden_states[self._layer]
                for position, state in zip(positions, states.float().cpu().numpy(), strict=True):
                    ids = encoded[position].inputs["input_ids"]
                    found[position] = TokenVectors(
                        state[: len(ids)].copy(),
                        np.array([number not in special for number in ids]),
                        encoded[position].truncated,
                    )
        return [found[position] for position in range(len(texts))]
