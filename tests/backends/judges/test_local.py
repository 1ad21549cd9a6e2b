"""Local judges: labels as points of a scale, and the probability of each value after a prompt."""

from __future__ import annotations

import math

import pytest

from scoring.backends.checkpoints import Located, locate
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute
from scoring.backends.judges.local import CausalJudge, Distribution, SequenceJudge
from scoring.backends.profiles import EMBEDDED, PROFILES


def embedded(role):
    return locate(PROFILES["embedded"].checkpoints[role], EMBEDDED)


@pytest.fixture(scope="module")
def causal():
    return CausalJudge(embedded("language_model"), Compute(threads=1))


@pytest.fixture(scope="module")
def polarities():
    from scoring.backends.classifier import Classifier

    return Classifier(embedded("sentiment")).labels


def test_labels_are_read_as_the_values_that_are_stated_for_them(polarities):
    low, high = polarities
    judge = SequenceJudge(embedded("sentiment"), ("1", "5"), {low: "1", high: "5"})
    turned = SequenceJudge(embedded("sentiment"), ("1", "5"), {low: "5", high: "1"})
    (found,), (other,) = judge(["She was happy."]), turned(["She was happy."])
    assert sum(found.probabilities.values()) == pytest.approx(1)
    assert found.probabilities["1"] == pytest.approx(other.probabilities["5"])
    assert list(found.probabilities) == ["1", "5"]


def test_labels_that_are_not_the_values_of_the_scale_are_refused(polarities):
    for labels in ({}, {polarities[0]: "1", polarities[1]: "1"}):
        with pytest.raises(ModelRefused) as caught:
            SequenceJudge(embedded("sentiment"), ("1", "5"), labels)
        assert caught.value.code == "labels_not_mapped"


def test_an_empty_text_has_a_reason_and_no_probabilities(polarities):
    judge = SequenceJudge(embedded("sentiment"), polarities)
    assert judge([""]) == [Distribution({}, "empty_text")]


def test_a_value_is_as_probable_as_its_tokens_after_the_prompt(causal):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where = embedded("language_model").folder
    words, plain = AutoTokenizer.from_pretrained(where), AutoModelForCausalLM.from_pretrained(where).eval()
    start = [] if plain.config.bos_token_id is None else [plain.config.bos_token_id]
    prompt, values, logs = "The sea was like", ("glass", "the old man", "ice"), []
    context = len(words(prompt, add_special_tokens=False)["input_ids"]) + len(start)
    for value in values:
        ids = start + words(f"{prompt} {value}\n", add_special_tokens=False)["input_ids"]
        with torch.no_grad():
            chances = plain(torch.tensor([ids])).logits[0].log_softmax(-1)
        logs.append(sum(chances[place - 1, ids[place]].item() for place in range(context, len(ids))))
    total = sum(map(math.exp, logs))
    found = causal(prompt, values)
    for value, log in zip(values, logs, strict=True):
        assert found.probabilities[value] == pytest.approx(math.exp(log) / total, rel=1e-4)


def test_a_prompt_that_does_not_fit_is_not_shortened(causal):
    assert causal("the sea was calm " * 2500, ("1", "2")).reason == "too_long"
    assert causal(" ", ("1", "2")).reason == "empty_text"


def test_values_that_the_tokenizer_writes_alike_are_refused(made_checkpoint):
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes = {"vocab_size": 2000, "n_positions": 64, "n_embd": 8, "n_layer": 1, "n_head": 1}
    folder = made_checkpoint(GPT2LMHeadModel(GPT2Config(bos_token_id=None, eos_token_id=None, **sizes)))
    judge = CausalJudge(Located("made", "", folder))
    with pytest.raises(ModelRefused) as caught:
        judge("Quality:", ("☃", "☂"))
    assert caught.value.code == "values_look_alike"


def test_the_answer_is_the_most_probable_value_or_the_mean():
    found = Distribution({"1": 0.5, "2": 0.25, "5": 0.25})
    assert found.read("mode") == "1"
    assert float(found.read("expected")) == pytest.approx(2.25)
