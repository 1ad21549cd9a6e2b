"""Vectors for BERTScore."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.backends.checkpoints import Located
from scoring.backends.encoder import Encoder
from scoring.backends.errors import ModelRefused
from scoring.textmetrics.candidates import Candidate, Resources
from scoring.textmetrics.scores import score


@pytest.fixture(scope="module")
def encoder(nli_checkpoint: Located) -> Encoder:
    return Encoder(nli_checkpoint)


def test_each_token_has_a_vector_and_added_tokens_do_not_count(encoder):
    long, short, empty = encoder(["the sea was calm on Sunday", "ice", ""])
    assert long.vectors.shape[0] == len(long.counted) == 8
    assert long.counted.tolist() == [False, *[True] * 6, False]
    assert short.counted.tolist() == [False, True, False]
    assert len(empty.counted) == 0


def test_vectors_do_not_depend_on_what_else_is_in_the_batch(encoder):
    alone = encoder(["ice"])[0]
    together = encoder(["the sea was calm today, and nobody laughed", "ice"])[1]
    np.testing.assert_allclose(alone.vectors, together.vectors, atol=1e-5)


def test_bertscore_of_a_text_with_itself_is_1_and_with_a_likeness_is_higher_than_with_a_stranger(encoder):
    reference = ("The sea was calm on Sunday.",)
    texts = [reference[0], "The sea was calm in the morning.", "Nobody won."]
    found = score(
        ["bertscore_f1"], [Candidate(text, reference) for text in texts], Resources(encoder=encoder)
    )
    same, like, strange = (outcome.value for outcome in found["bertscore_f1"])
    assert same == pytest.approx(1)
    assert like is not None
    assert strange is not None
    assert 1 > like > strange


def test_a_layer_that_is_not_there_is_refused_and_layers_differ(nli_checkpoint, encoder):
    with pytest.raises(ModelRefused) as caught:
        Encoder(nli_checkpoint, layer=99)
    assert caught.value.code == "bad_option"
    first = Encoder(nli_checkpoint, layer=1)(["ice"])[0]
    assert not np.allclose(first.vectors, encoder(["ice"])[0].vectors)


def test_a_long_text_is_flagged(encoder):
    (cut,) = encoder(["the sea was calm " * 200])
    assert cut.truncated
    outcome = score(["bertscore_p"], [Candidate("the sea " * 300, ("ice",))], Resources(encoder=encoder))[
        "bertscore_p"
    ][0]
    assert outcome.truncated
