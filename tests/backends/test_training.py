"""The embedded checkpoints: made from seeded sentences, the same each time, and right on unseen ones."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from scoring.backends.profiles import EMBEDDED
from scoring.backends.training.fitting import SEED, fit_classifier
from scoring.backends.training.sentences import NLI_LABELS, SENTIMENT_LABELS, opinions, pairs, plain

UNSEEN = SEED + 2


def test_the_same_seed_gives_the_same_sentences_and_another_seed_others():
    for examples in (pairs, opinions, plain):
        first = list(islice(examples(1), 50))
        assert first == list(islice(examples(1), 50))
        assert first != list(islice(examples(2), 50))


@pytest.mark.parametrize(("examples", "labels"), [(pairs, NLI_LABELS), (opinions, SENTIMENT_LABELS)])
def test_labels_come_equally_often_and_a_text_has_one_label(examples, labels):
    made = list(islice(examples(3), 6000))
    counts = Counter(example.label for example in made)
    assert set(counts) == set(labels)
    assert max(counts.values()) < 1.1 * min(counts.values())
    assert len({example.text for example in made}) == len({(example.text, example.label) for example in made})


def test_the_embedded_classifiers_are_right_on_sentences_that_they_have_not_seen(nli, sentiment):
    for classifier, examples in ((nli, pairs), (sentiment, opinions)):
        made = list(islice(examples(UNSEEN), 300))
        answers = classifier([example.text for example in made])
        right = sum(
            max(answer.probabilities, key=answer.probabilities.__getitem__) == example.label
            for answer, example in zip(answers, made, strict=True)
        )
        assert right / len(made) > 0.9


def test_sentences_are_classified_at_later_positions_too():
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = EMBEDDED / "sentiment"
    tokenizer, model = (
        kind.from_pretrained(folder, local_files_only=True)
        for kind in (AutoTokenizer, AutoModelForSequenceClassification)
    )
    made = list(islice(opinions(UNSEEN), 200))
    inputs = tokenizer([example.text for example in made], padding=True, return_tensors="pt")
    positions = torch.arange(450, 450 + inputs["input_ids"].shape[1])[None]
    with torch.inference_mode():
        found = model(**inputs, position_ids=positions).logits.argmax(-1).tolist()
    right = sum(
        model.config.id2label[number] == example.label for number, example in zip(found, made, strict=True)
    )
    assert right / len(made) > 0.9


def test_fitting_again_gives_the_same_weights(tmp_path):
    for name in ("first", "second"):
        fit_classifier("sentiment", tmp_path / name, amount=256)
    first, second = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("first", "second"))
    assert first == second
