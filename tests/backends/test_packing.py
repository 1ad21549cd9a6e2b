"""Linear layers laid out for the processor: every one, and the same answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.backends.checkpoints import Located, locate
from scoring.backends.classifier import Classifier
from scoring.backends.inference import Compute, load
from scoring.backends.profiles import EMBEDDED, PROFILES

ARCHITECTURES = ("Bert", "Roberta", "DistilBert")


def tiny(architecture: str) -> Any:
    import torch
    import transformers

    torch.manual_seed(3)
    sizes = (
        {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64}
        if architecture == "DistilBert"
        else {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    )
    settings = getattr(transformers, f"{architecture}Config")(
        vocab_size=8000, max_position_embeddings=140, initializer_range=0.3, pad_token_id=0, **sizes
    )
    settings.num_labels = 3
    return getattr(transformers, f"{architecture}ForSequenceClassification")(settings).eval()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_packed_models_give_the_probabilities_of_unpacked_ones(
    architecture: str, made_checkpoint: Callable[..., Path]
) -> None:
    import torch
    from transformers import AutoTokenizer

    plain = tiny(architecture)
    folder = made_checkpoint(plain)
    ready = Classifier(Located("made", "", folder), Compute(threads=1))
    words = AutoTokenizer.from_pretrained(folder)
    texts = ["He ran.", "The old bus climbed the hill like a snail on a wall.", "静 like a lake"]
    for text, found in zip(texts, ready(texts), strict=True):
        inputs = dict(words(text, return_tensors="pt"))
        if architecture == "DistilBert":
            inputs.pop("token_type_ids", None)
        with torch.no_grad():
            expected = plain(**inputs).logits.softmax(-1)[0]
        assert list(found.probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-6)


def test_every_linear_layer_is_packed_on_the_processor_in_full_precision_alone(
    nli_checkpoint: Located,
) -> None:
    import torch

    def linear(dtype: Any) -> int:
        loaded = load("AutoModelForSequenceClassification", nli_checkpoint, Compute(dtype=dtype, threads=1))
        return sum(type(module) is torch.nn.Linear for module in loaded.model.modules())

    assert torch.backends.mkldnn.is_available()
    assert (linear("fp32"), linear("bf16") > 0) == (0, True)


def test_a_layer_that_shares_its_weights_with_the_word_vectors_stays() -> None:
    import torch

    located = locate(PROFILES["embedded"].checkpoints["language_model"], EMBEDDED)
    model = load("AutoModelForCausalLM", located, Compute(threads=1)).model
    head = model.get_output_embeddings()
    assert type(head) is torch.nn.Linear
    assert head.weight is model.get_input_embeddings().weight
