"""Perplexity against the plain definition."""

from __future__ import annotations

import math

import pytest

from scoring.backends.checkpoints import Located, locate
from scoring.backends.language_model import LanguageModel, Surprise
from scoring.backends.profiles import EMBEDDED, PROFILES


@pytest.fixture(scope="module")
def checkpoint() -> Located:
    return locate(PROFILES["embedded"].checkpoints["language_model"], EMBEDDED)


@pytest.fixture(scope="module")
def model(checkpoint: Located) -> LanguageModel:
    return LanguageModel(checkpoint)


def test_perplexity_is_exp_of_the_mean_surprise_a_token(model, checkpoint):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    words = AutoTokenizer.from_pretrained(checkpoint.folder)
    plain = AutoModelForCausalLM.from_pretrained(checkpoint.folder).eval()
    texts = ["He ran.", "The sea was like glass after dinner, and nobody laughed at the drum.", "ice"]
    for text, found in zip(texts, model(texts), strict=True):
        ids = torch.tensor([words(text)["input_ids"]])
        with torch.no_grad():
            chances = plain(ids).logits[0].log_softmax(-1)
        surprise = [-chances[place - 1, ids[0, place]].item() for place in range(1, ids.shape[1])]
        assert found.perplexity == pytest.approx(math.exp(sum(surprise) / len(surprise)), rel=1e-4)


def test_a_sentence_is_less_surprising_than_its_words_mixed_up(model):
    straight, mixed = model(["The old man walked slowly.", "Walked the slowly man old."])
    assert straight.perplexity < mixed.perplexity


def test_empty_and_long_texts(model):
    empty, long = model(["", "the sea was calm " * 2500])
    assert empty == Surprise(None, reason="empty_text")
    assert long.truncated
    assert long.perplexity > 1


def test_without_a_start_token_a_text_of_one_token_has_no_perplexity(made_checkpoint):
    from transformers import GPT2Config, GPT2LMHeadModel

    ends = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
    folder = made_checkpoint(
        GPT2LMHeadModel(GPT2Config(vocab_size=2000, n_positions=32, n_embd=8, n_layer=1, n_head=1, **ends))
    )
    import json

    config = json.loads((folder / "tokenizer.json").read_text())
    config["post_processor"] = None
    (folder / "tokenizer.json").write_text(json.dumps(config))
    one, two = LanguageModel(Located("mine", "", folder))(["ice", "ice ice"])
    assert one == Surprise(None, reason="too_short")
    assert two.perplexity is not None
