"""Classification: the same answers in any batch, by the model's own names, and refusals with codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.backends.checkpoints import Checkpoint, Located, locate
from scoring.backends.classifier import Classified, Classifier
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute, Filling, Text, batch_size
from scoring.backends.profiles import EMBEDDED

SENTENCE = st.lists(
    st.sampled_from(["he", "ran", "like", "a", "lion", "not", "sad", "xyz", "静"]), min_size=1, max_size=20
)
TEXT = SENTENCE.map(" ".join)


def closest(one: Sequence[Classified], two: Sequence[Classified]) -> float:
    return max(
        abs(first.probabilities[label] - second.probabilities[label])
        for first, second in zip(one, two, strict=True)
        for label in first.probabilities
    )


@settings(max_examples=15, deadline=None)
@given(texts=st.lists(st.one_of(TEXT, st.tuples(TEXT, TEXT)), min_size=1, max_size=12))
def test_a_text_has_the_same_probabilities_alone_and_in_any_batch(nli, nli_checkpoint, texts):
    alone = [nli([text])[0] for text in texts]
    together = nli(texts)
    assert closest(alone, together) < 1e-5
    small = Classifier(nli_checkpoint, Compute(batch=2, threads=1))(texts)
    assert closest(alone, small) < 1e-5


def test_probabilities_are_those_of_the_library_s_own_computation(nli, nli_checkpoint):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    pairs = [
        ("The sea was calm.", "The sea was like a wasp."),
        ("He ran.", "He ran like the wind on Sunday."),
    ]
    words = AutoTokenizer.from_pretrained(nli_checkpoint.folder)
    model = AutoModelForSequenceClassification.from_pretrained(nli_checkpoint.folder).eval()
    for pair, found in zip(pairs, nli(pairs), strict=True):
        with torch.no_grad():
            expected = model(**words(*pair, return_tensors="pt")).logits.softmax(-1)[0]
        assert list(found.probabilities) == [model.config.id2label[number] for number in range(3)]
        assert list(found.probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-6)


def test_a_pair_is_not_its_two_texts_one_after_the_other(nli):
    premise, hypothesis = "The sea was calm.", "The sea was angry."
    pair, swapped, joined = nli([(premise, hypothesis), (hypothesis, premise), f"{premise} {hypothesis}"])
    assert closest([pair], [joined]) > 1e-3
    assert pair != swapped


def test_a_simile_that_says_the_opposite_contradicts_and_one_that_fits_does_not(nli):
    literal = "The captain was calm."
    fitting, opposite = nli(
        [(literal, "The captain was like a lake at dawn."), (literal, "The captain was like a wasp.")]
    )
    assert opposite.probabilities["contradiction"] > 0.5 > fitting.probabilities["contradiction"]


def test_feelings_are_distinguished_and_negation_turns_them(sentiment):
    glad, sad, not_glad = sentiment(
        ["Her smile was like the sun.", "The voice was like a grave.", "It was not happy."]
    )
    assert glad.probabilities["positive"] > 0.9
    assert sad.probabilities["negative"] > 0.9
    assert not_glad.probabilities["negative"] > 0.5


def test_a_long_text_is_cut_and_flagged(nli):
    long = "the sea was calm " * 2500
    short, cut, pair = nli(["the sea was calm", long, (long, "the sea was angry")])
    assert [answer.truncated for answer in (short, cut, pair)] == [False, True, True]
    assert sum(pair.probabilities.values()) == pytest.approx(1)
    # Of a pair the longer text is cut, so that the shorter still counts.
    (other,) = nli([(long, "a brass band was happy")])
    assert closest([pair], [other]) > 1e-4


@pytest.mark.parametrize("text", ["", " \n", "\x00\x07", ("a premise", ""), ("", "a hypothesis")])
def test_an_empty_text_has_a_reason_and_no_probabilities(nli, text: Text):
    assert nli([text, "He ran."])[0] == Classified({}, reason="empty_text")


def test_control_characters_and_strange_letters_do_not_stop_the_others(nli):
    answers = nli(["a\x00b", "he ran \ud83e\udd81", "𓀀" * 50, "He ran."])
    assert all(sum(answer.probabilities.values()) == pytest.approx(1) for answer in answers)


def test_nothing_asked_is_nothing_answered(nli):
    assert nli([]) == []


def test_bf16_gives_nearly_the_same_probabilities(nli, nli_checkpoint):
    pairs: list[Text] = [
        ("The sea was calm.", "The sea was like a wasp."),
        ("He was sad.", "He was sad on Sunday."),
    ]
    rough = Classifier(nli_checkpoint, Compute(dtype="bf16", threads=1))(pairs)
    assert 0 < closest(nli(pairs), rough) < 0.05


def refusal_of(folder: Path, **asked: object) -> ModelRefused:
    with pytest.raises(ModelRefused) as caught:
        Classifier(locate(Checkpoint("mine", folder=folder), folder), **asked)  # type: ignore[arg-type]
    return caught.value


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EMBEDDED / "nli", tmp_path / "copy"))


def test_a_checkpoint_with_another_number_of_labels_is_refused(copy):
    refusal = refusal_of(copy, labels=2)
    assert refusal.code == "wrong_number_of_labels"
    assert "contradiction" in refusal.message


def test_a_checkpoint_that_names_no_contradiction_is_refused_with_the_way_to_name_it(copy):
    config = json.loads((copy / "config.json").read_text())
    config["id2label"] = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    (copy / "config.json").write_text(json.dumps(config))
    refusal = refusal_of(copy, labels=3, needed=("contradiction",))
    assert refusal.code == "no_contradiction_label"
    assert str(copy / "config.json") in refusal.message


def test_the_contradiction_is_found_by_name_in_any_position(copy):
    config = json.loads((copy / "config.json").read_text())
    config["id2label"] = {"0": "CONTRADICTION", "1": "Entailment", "2": "Neutral"}
    config["label2id"] = {"CONTRADICTION": 0, "Entailment": 1, "Neutral": 2}
    (copy / "config.json").write_text(json.dumps(config))
    ready = Classifier(Located("mine", "", copy), labels=3, needed=("contradiction",))
    assert ready.labels == ("CONTRADICTION", "Entailment", "Neutral")


@pytest.mark.parametrize("name", ["nli: contradiction", "not_contradiction"])
def test_a_label_that_only_holds_the_word_is_refused_before_the_scores_would_refuse_it(copy, name):
    config = json.loads((copy / "config.json").read_text())
    config["id2label"] = {"0": "entailment", "1": "neutral", "2": name}
    (copy / "config.json").write_text(json.dumps(config))
    assert refusal_of(copy, labels=3, needed=("contradiction",)).code == "no_contradiction_label"


def test_only_safetensors_are_opened(copy):
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    assert refusal_of(copy).code == "no_safetensors"


@pytest.mark.parametrize(
    ("file", "code"), [("config.json", "checkpoint_incomplete"), ("tokenizer.json", "checkpoint_incomplete")]
)
def test_a_checkpoint_that_lacks_a_file_is_refused(copy, file, code):
    (copy / file).unlink()
    assert refusal_of(copy).code == code


def test_damaged_weights_are_refused(copy):
    (copy / "model.safetensors").write_bytes(b"not weights")
    assert refusal_of(copy).code == "checkpoint_unreadable"


def test_a_model_without_a_trained_head_is_refused_instead_of_guessing(made_checkpoint):
    from transformers import BertConfig, BertModel

    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    folder = made_checkpoint(BertModel(BertConfig(vocab_size=2000, **sizes)))
    refusal = refusal_of(folder)
    assert refusal.code == "weights_missing"
    assert "classifier" in refusal.message


def test_a_model_that_overflows_has_a_reason_and_no_probabilities(copy):
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    weights["classifier.bias"][0] = float("nan")
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    answer = Classifier(Located("mine", "", copy))(["He ran."])[0]
    assert (answer.probabilities, answer.reason) == ({}, "not_finite")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"device": "tpu"}, "bad_device"),
        ({"device": "cuda:99"}, "bad_device"),
        ({"dtype": "int3"}, "bad_dtype"),
        ({"batch": 0}, "bad_option"),
    ],
)
def test_a_way_of_computing_that_is_not_there_is_refused(copy, asked, code):
    with pytest.raises(ModelRefused) as caught:
        Classifier(Located("mine", "", copy), Compute(**asked))
    assert caught.value.code == code


def test_positions_of_roberta_are_counted_from_its_padding_token(made_checkpoint):
    """A text longer than the model's positions is cut to them, also where some are reserved."""
    from transformers import RobertaConfig, RobertaForSequenceClassification

    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    config = RobertaConfig(
        vocab_size=2000, max_position_embeddings=34, pad_token_id=1, type_vocab_size=2, **sizes
    )
    folder = made_checkpoint(RobertaForSequenceClassification(config))
    answer = Classifier(Located("mine", "", folder))(["word " * 40])[0]
    assert answer.truncated
    assert sum(answer.probabilities.values()) == pytest.approx(1)


@given(lengths=st.lists(st.integers(1, 512), min_size=1, max_size=64), tokens=st.integers(1, 4096))
def test_a_batch_keeps_to_its_tokens_and_is_filled_once_it_is_large(lengths, tokens):
    lengths = sorted(lengths, reverse=True)
    size = batch_size(lengths, tokens, Filling(256, 0.85))
    assert 1 <= size <= len(lengths)
    assert size == 1 or size * lengths[0] <= tokens
    late = [length for place, length in enumerate(lengths[:size]) if place * lengths[0] >= 256]
    assert all(length >= 0.85 * lengths[0] for length in late)
