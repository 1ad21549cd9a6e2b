"""The models of a profile together: everything works offline with the embedded ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.backends.cache import AnswerCache
from scoring.backends.models import Models
from scoring.backends.profiles import PROFILES, ROLES, profile
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
