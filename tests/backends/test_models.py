"""The models of a profile together: everything works offline with the embedded ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from scoring.backends.cache import AnswerCache
from scoring.backends.errors import ModelRefused
from scoring.backends.models import Models
from scoring.backends.profiles import EMBEDDED, PROFILES, ROLES, profile
from scoring.textmetrics.candidates import Candidate, Resources
from scoring.textmetrics.registry import METRICS
from scoring.textmetrics.scores import score


@pytest.fixture
def models(tmp_path: Path) -> Models:
    return Models(PROFILES["embedded"], tmp_path, cache=AnswerCache(tmp_path / "answers.sqlite3"))


def test_every_text_metric_is_computed_offline_with_the_embedded_models(models):
    similes = (
        "The sea was like a lake at dawn.",
        "The sea was like a wasp.",
        "The sea was as calm as a monk.",
    )
    literal, reference = "The sea was calm.", "The sea was like a sleeping cat."
    candidates = [Candidate(text, (reference,), literal, "sea") for text in similes]
    found = score(METRICS, candidates, Resources(encoder=models.encoder, perplexity=models.perplexity))
    for name, outcomes in found.items():
        assert [outcome.reason for outcome in outcomes] == [""] * len(similes), name


def test_each_role_of_a_profile_can_be_looked_for_and_tried(models):
    states = models.states()
    assert [state.role for state in states] == list(ROLES)
    assert all(state.located and not state.refusal for state in states)
    for state in states:
        models.try_out(state.role)


def test_a_role_whose_checkpoint_is_not_there_says_so_and_the_others_answer(tmp_path):
    models = Models(profile("embedded", {"nli": "org/absent"}), tmp_path)
    refusals = {state.role: state.refusal.code for state in models.states() if state.refusal}
    assert refusals == {"nli": "checkpoint_missing"}
    assert models.sentiment(["It was sad."])[0].probabilities


def test_a_sentiment_model_whose_labels_name_no_polarity_is_refused_when_it_is_tried(tmp_path):
    folder = Path(shutil.copytree(EMBEDDED / "sentiment", tmp_path / "sentiment"))
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = {"0": "LABEL_0", "1": "LABEL_1"}
    (folder / "config.json").write_text(json.dumps(config))
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    models = Models(profile("embedded", {"sentiment": str(folder)}), tmp_path, cache=cache)
    for ask in (lambda: models.try_out("sentiment"), lambda: models.sentiment(["It was sad."])):
        with pytest.raises(ModelRefused) as caught:
            ask()
        assert caught.value.code == "no_positive_label"
    assert cache.find(models.sentiment.identity, ["It was sad."]) == {}
