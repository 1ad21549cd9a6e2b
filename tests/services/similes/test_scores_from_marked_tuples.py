"""Runs whose components are those that raters marked as tuples."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.models import Rater, Study, User
from annotation.services.quality.exclusions import exclude_items, exclude_rater
from scoring.models import ItemComponents, ScoredItem, ScoreRun
from scoring.services.similes.item_components import correct_components, delete_correction
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import ScoreSettings
from tests.support.studies.marked_study import make_marked_study
from tests.support.studies.simile_study import make_similes, score

pytestmark = pytest.mark.django_db
OF_RATERS = ScoreSettings("none", components="raters")


@pytest.fixture
def marked() -> Study:
    return make_marked_study()


def marked_owner() -> User:
    return User.objects.get(email="marked@example.org")


def explanation_of(run: ScoreRun, key: str) -> dict[str, Any]:
    return dict(ScoredItem.objects.get(run=run, item__key=key).explanation)


def vehicles(explanation: dict[str, Any]) -> list[str]:
    return [pair["vehicle"]["text"] for pair in explanation["components"]["pairs"]]


def test_what_most_raters_marked_is_scored_and_their_answers_are_stored(marked: Study) -> None:
    run = score(marked, OF_RATERS)
    first, none = explanation_of(run, "s1"), explanation_of(run, "s3")
    assert (vehicles(first), first["source"], len(first["answers"])) == (["漏水的屋顶"], "raters", 3)
    assert first["components"]["pairs"][0]["topic"] == {"text": "记忆", "start": 0, "end": 2}
    assert (vehicles(none), none["components"]["reason"]) == ([], "none_by_raters")
    assert none["creativity"]["reason"] == "none_by_raters"
    stored = ItemComponents.objects.get(item__key="s1")
    assert (stored.source, stored.pairs) == ("raters", first["components"]["pairs"])
    assert "components of raters" in run.signature


def test_answers_that_do_not_count_are_not_used_and_their_group_alone_is_scored_again(marked: Study) -> None:
    run = score(marked, OF_RATERS)
    before = explanation_of(run, "s3")
    for code in ("R-001", "R-002"):
        exclude_rater(rater=Rater.objects.get(study=marked, code=code), reason="test", actor=marked_owner())
    exclude_items(
        study=marked, keys=["s1"], reason="an exclusion of an item changes no score", actor=marked_owner()
    )
    assert score(marked, OF_RATERS) == run
    after = explanation_of(run, "s3")
    assert (len(before["answers"]), vehicles(after), len(after["answers"])) == (3, ["杭州"], 1)
    assert len(explanation_of(run, "s1")["answers"]) == 1


def test_a_correction_by_hand_goes_before_the_raters(marked: Study) -> None:
    item = marked.items.get(key="s1")
    correct_components(item=item, pairs=[{"vehicle": "屋顶"}], actor=None)
    run = score(marked, OF_RATERS)
    assert (vehicles(explanation_of(run, "s1")), explanation_of(run, "s1")["source"]) == (
        ["屋顶"],
        "corrected",
    )
    assert "answers" not in explanation_of(run, "s1")
    delete_correction(item=item, actor=None)
    assert explanation_of(score(marked, OF_RATERS), "s1")["source"] == "raters"


def test_a_run_of_the_raters_is_another_than_one_of_the_data(marked: Study) -> None:
    of_data, of_raters = score(marked, ScoreSettings("none")), score(marked, OF_RATERS)
    assert of_data != of_raters
    assert explanation_of(of_data, "s1")["source"] == "extracted"


def test_a_study_without_tuples_cannot_ask_for_them() -> None:
    study = Study.objects.create(slug="buses", title="Buses")
    make_similes(study)
    with pytest.raises(InvalidContent) as refusal:
        request_scores(study=study, actor=None, asked=OF_RATERS)
    assert refusal.value.code == "no_tuples"
    assert not study.jobs.exists()
