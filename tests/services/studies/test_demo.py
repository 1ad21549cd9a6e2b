"""The demo study is whole, marked as simulated, and made once."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from django.db import transaction

from annotation.domain.base.states import JobState, Role
from annotation.models import Item, Rater, Response, Study
from annotation.selectors.quality.raters_to_review import find_raters_to_review
from annotation.selectors.quality.study_texts import all_texts, text_groups
from annotation.selectors.questions.long_table import COLUMNS, long_ratings, ratings_frame
from annotation.services.studies.demo import (
    ensure_demo,
    ensure_demo_results,
    request_results_of_demo_scores,
)

pytestmark = pytest.mark.django_db


def test_it_is_made_once_and_found_again():
    first = ensure_demo()
    counts = (Study.objects.count(), Item.objects.count(), Response.objects.count())
    assert ensure_demo() == first
    assert (Study.objects.count(), Item.objects.count(), Response.objects.count()) == counts


def test_every_demo_has_the_same_ratings():
    """What guides and pictures show is what everyone who starts the demo sees."""

    def values() -> dict[tuple[str, str, str], int | None]:
        with transaction.atomic():
            rows = long_ratings(Study.objects.get(slug=ensure_demo().study_slug))
            found = {(row["item"], row["rater"], row["criterion"]): row["value"] for row in rows}
            transaction.set_rollback(True)
        return found

    assert values() == values()


def test_it_has_five_candidates_for_each_of_eight_sentences_with_their_vehicles_marked():
    ensure_demo()
    assert set(Counter(Item.objects.values_list("group", flat=True)).values()) == {5}
    assert Item.objects.values("group").distinct().count() >= 8
    for item in Item.objects.all():
        for part in item.components:
            assert item.fields[part["field"]][part["start"] : part["end"]] == part["text"]
        assert {"topic", "event", "vehicle"} == {part["part"] for part in item.components}


def test_its_adjudicator_has_cases_and_one_is_left_to_assign():
    access = ensure_demo()
    study = Study.objects.get(slug=access.study_slug)
    adjudicator = study.memberships.get(role=Role.ADJUDICATOR).user
    assert adjudicator.email == access.adjudicator_email
    assert study.cases.filter(adjudicator=adjudicator).count() >= 2
    assert study.cases.filter(adjudicator=None).count() == 1
    assert study.memberships.get(role=Role.VIEWER).user.email == access.viewer_email


def test_its_careless_rater_needs_attention_and_the_others_do_not():
    """Quick, and one value throughout: the overview and *Quality* of the demo have something to show."""
    study = Study.objects.get(slug=ensure_demo().study_slug)
    careless = study.raters.latest("pk")
    found = find_raters_to_review(study).named
    assert [one.code for one in found] == [careless.code]
    assert {"too_fast", "spread"} <= found[0].keys


@pytest.mark.parametrize("language", ["ja", "zh-hans"])
def test_raters_read_it_in_their_own_language(language):
    """Only the contact is the same in every language; the sentences to be rated are English."""
    study = Study.objects.get(slug=ensure_demo().study_slug)
    missing = [text for text in all_texts(text_groups(study)) if not text.translations.get(language)]
    assert [text.own for text in missing] == [study.contact]
    assert study.forms.get().versions.count() == 1


def test_every_simulated_rating_says_so():
    slug = ensure_demo().study_slug
    study = Study.objects.get(slug=slug)
    assert Rater.objects.filter(simulated=True).count() == 7
    rows = list(long_ratings(study))
    assert all(row["simulated"] for row in rows)
    assert all(tuple(row)[: len(COLUMNS)] == COLUMNS for row in rows)
    assert len(rows) == 180 * 3
    assert any(row["cannot_rate"] and row["value"] is None for row in rows)


def test_the_frame_holds_the_same_values_as_the_rows():
    study = Study.objects.get(slug=ensure_demo().study_slug)
    rows = {(row["item"], row["rater"], row["criterion"]): row["value"] for row in long_ratings(study)}
    frame = ratings_frame(study)
    assert len(frame) == len(rows)
    for item, rater, criterion, found in zip(
        frame["item"], frame["rater"], frame["criterion"], frame["value"], strict=True
    ):
        value = rows[item, rater, criterion]
        assert math.isnan(found) if value is None else found == value


def test_the_results_of_the_demo_are_asked_for_once():
    study = Study.objects.get(slug=ensure_demo().study_slug)
    for _ in range(2):
        ensure_demo_results()
        assert sorted(study.jobs.values_list("kind", flat=True)) == [
            "item_figures",
            "mixed_model",
            "reliability",
            "score",
        ]


def test_metrics_of_the_demo_are_asked_for_once_when_its_scores_are_computed():
    study = Study.objects.get(slug=ensure_demo().study_slug)
    ensure_demo_results()
    request_results_of_demo_scores()
    assert not study.jobs.filter(kind="metrics").exists()
    study.jobs.filter(kind="score").update(state=JobState.DONE)
    for _ in range(2):
        request_results_of_demo_scores()
        assert study.jobs.filter(kind="metrics").count() == 1
