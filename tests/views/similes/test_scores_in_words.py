"""Scores explained where they are shown: in words, with components, cautions, and how far to trust them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from scoring.models import ScoredItem, ScoreRun
from scoring.selectors.similes.default_correlations import SETUPS, TABLE, default_correlations
from scoring.selectors.similes.score_facts import score_facts
from scoring.services.similes.run_environment import CAUTION
from tests.support.people import Cast, make_cast
from tests.support.studies.simile_study import make_similes, score

pytestmark = pytest.mark.django_db
ITEM = "G0000-0"


@pytest.fixture
def cast() -> Cast:
    made = make_cast(opened=False, items=0)
    make_similes(made.study)
    score(made.study)
    return made


@pytest.fixture
def client(cast: Cast) -> Client:
    browser = Client()
    browser.force_login(cast.users["researcher"])
    return browser


def text_of(client: Client, cast: Cast, rest: str) -> str:
    answer = client.get(f"/studies/{cast.study.slug}/{rest}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def explanation(**changes: Any) -> dict[str, Any]:
    return {
        "relevance": {"pairs": [{"topic": "knight", "vehicle": "lion", "frequency": 3}]},
        "creativity": {"vehicles": [{"vehicle": "lion", "frequency": 120}]},
        "informativeness": {"words": [2]},
        "logic": {"label": "contradiction", "probabilities": {"contradiction": 0.001, "neutral": 0.999}},
        "sentiment": {"polarity": "pos", "of_simile": {"pos": 0.62}, "of_literal": {"pos": 0.55}},
        **changes,
    }


def test_facts_count_the_uses_of_the_vehicle_and_no_probability_is_rounded_to_certainty():
    facts = score_facts(explanation())
    assert facts["pairs"][0]["uses"] == 120
    assert (facts["contradiction"], facts["of_literal"], facts["of_simile"]) == ("<1", "55", "62")
    assert facts["known_for"] == []
    unknown = score_facts(
        explanation(logic={"value": None, "reason": "no_models"}, sentiment={"value": None})
    )
    assert (unknown["contradiction"], unknown["polarity"]) == (None, None)


def test_the_page_of_an_item_shows_its_scores_in_words_with_components_and_caution(cast, client):
    ScoreRun.objects.update(caution=CAUTION)
    scored = ScoredItem.objects.get(item__key=ITEM)
    scored.explanation["known_for"] = [{"vehicle": "a lion", "property": "brave", "n": 3, "uses": 120}]
    scored.save()
    for page in (f"items/{ITEM}/", f"scores/items/{ITEM}/"):
        text = text_of(client, cast, page)
        assert "knows “a lion” for “brave” in 3 of 120 uses" in text
        assert "Embedded models: for demonstration." in text
        assert "Correct the components" in text
        assert "the vehicle has" in text


def test_lists_of_scores_show_components_with_the_way_to_correct_them(cast, client):
    vehicle = ScoredItem.objects.get(item__key=ITEM).explanation["components"]["pairs"][0]["vehicle"]["text"]
    for page in ("scores/items/", "scores/groups/"):
        answer = client.get(f"/studies/{cast.study.slug}/{page}").content.decode()
        assert f"<bdi>{vehicle}</bdi>" in answer
        assert f"/scores/items/{ITEM}/#components" in answer


def test_the_page_of_runs_shows_correlations_and_how_to_get_models(cast, client, tmp_path, settings):
    settings.MODEL_FOLDER = tmp_path
    text = text_of(client, cast, "scores/runs/")
    assert "Agreement of the scores with published ratings" in text
    assert "4 of 4 published models are missing on this machine." in text
    assert "models fetch --from FOLDER" in text
    assert f"{default_correlations()['creativity'][1].rho:.2f}" in text


def test_every_metric_has_a_correlation_in_each_setup_and_none_is_below_the_earlier_models():
    found = default_correlations()
    for metric, correlations in found.items():
        assert len(correlations) == len(SETUPS), metric
        earlier, *later = correlations
        assert all(one.rho >= earlier.rho for one in later if one.setup != SETUPS["published"]), metric
        for one in correlations:
            assert one.low is None or one.high is None or one.low <= one.rho <= one.high
    assert "undefined_replicates" in TABLE.read_text(encoding="utf-8")
