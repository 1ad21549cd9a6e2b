"""Sentiment by a lexicon: a named profile, answers in probabilities, and no polarity without a rated word."""

from __future__ import annotations

import pytest

from scoring.backends.checkpoints import Checkpoint, locate
from scoring.backends.errors import ModelRefused
from scoring.backends.models import Models
from scoring.backends.profiles import PROFILES


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return Models(PROFILES["lexicon"], tmp_path_factory.mktemp("store"))


def test_rated_words_and_negation_decide(models):
    glad, not_glad, sad, other, nothing = models.sentiment(
        ["A wonderful gift.", "It was not wonderful.", "A horrible disaster.", "The bus arrived.", " "]
    )
    assert glad.probabilities["positive"] > 0.5 > sad.probabilities["positive"]
    assert not_glad.probabilities["positive"] < 0.5
    assert other.probabilities == {"negative": 0.5, "positive": 0.5}
    assert nothing.reason == "empty_text"
    assert sum(glad.probabilities.values()) == pytest.approx(1)


def test_no_ordinary_text_is_cut(models):
    assert not models.sentiment(["good " * 3000])[0].truncated


def test_a_run_stores_which_lexicon_it_used_and_its_caution(models):
    described = models.described(["nli", "sentiment"])
    assert described["checkpoints"]["sentiment"]["name"] == "vaderSentiment"
    assert described["checkpoints"]["sentiment"]["revision"][0].isdigit()
    assert described["checkpoints"]["nli"]["name"] == "embedded/nli"
    assert described["caution"]


def test_a_package_that_is_not_installed_is_refused_with_the_way_to_get_it(tmp_path):
    with pytest.raises(ModelRefused, match="pip install") as caught:
        locate(Checkpoint("other", package="no-such-lexicon"), tmp_path)
    assert caught.value.code == "worker_extra_missing"
