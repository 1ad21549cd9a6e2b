"""A recording that must be heard to the end stops an answer until it was; how it was heard is recorded."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import Assignment, Rater, Response
from annotation.selectors.studies.exports import ratings_table
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.simulation import simulate
from tests.support.media.media_study import recording_cast
from tests.support.people import Cast, join

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(tmp_path: Path) -> Cast:
    return recording_cast(tmp_path)


@pytest.fixture
def rater(cast: Cast) -> Rater:
    rater, _ = join(cast.invitation)
    return rater


@pytest.fixture
def client(cast: Cast, rater: Rater) -> Client:
    client = Client()
    session = client.session
    session["raters"] = {str(cast.study.pk): rater.pk}
    session.save()
    return client


def save(client: Client, assignment: Assignment, **more: str) -> Any:
    sent = {
        "submission_key": str(uuid.uuid4()),
        "version": assignment.version_id,
        "assignment": assignment.pk,
        "answer-quality": "4",
        "answer-creativity": "2",
    }
    return client.post(f"/rate/{assignment.rater.study.slug}/{assignment.pk}/", {**sent, **more})


def test_the_page_has_the_recording_and_its_transcript(client, rater):
    page = client.get(f"/rate/sounds/{next_assignment(rater=rater).pk}/").content.decode()
    assert '<audio controls preload="metadata" src="/rate/sounds/media/' in page
    assert "Like rain on a roof" in page
    assert "Please hear or see it to the end before you rate it." in page


def test_an_answer_before_the_end_is_given_back(client, rater):
    refused = save(client, next_assignment(rater=rater))
    assert refused.status_code == 422
    assert "Please hear or see the recording to the end" in refused.content.decode()
    assert not Response.objects.exists()


@pytest.mark.parametrize("way", ["played", "stated", "read"])
def test_how_it_was_heard_is_stored_and_exported(cast, client, rater, way):
    assignment = next_assignment(rater=rater)
    assert save(client, assignment, **{"heard-file": way}).status_code == 303
    assert Response.objects.get().heard == {"file": way}
    _, rows = ratings_table(cast.study)
    assert {json.loads(row["heard"])["file"] for row in rows} == {way}


def test_a_way_that_no_page_sends_does_not_count(client, rater):
    assert save(client, next_assignment(rater=rater), **{"heard-file": "loudly"}).status_code == 422


def test_who_cannot_rate_need_not_hear_it(client, rater):
    assignment = next_assignment(rater=rater)
    sent = {"cannot_rate": "lacks_context", "answer-quality": "", "answer-creativity": ""}
    assert save(client, assignment, **sent).status_code == 303


def test_a_correction_does_not_have_to_hear_it_again(client, rater):
    assignment = next_assignment(rater=rater)
    save(client, assignment, **{"heard-file": "played"})
    changed = {"answer-quality": "5", "seen_revision": "1"}
    assert save(client, assignment, **changed).status_code == 303
    assert list(Response.objects.order_by("revision").values_list("heard", flat=True)) == [
        {"file": "played"},
        {"file": "played"},
    ]


def test_simulated_raters_hear_everything(cast):
    simulate(study=cast.study, raters=1, mix={AnsweringPattern.CAREFUL: 1.0}, seed=3)
    heard = Response.objects.filter(assignment__rater__simulated=True).values_list("heard", flat=True)
    assert list(heard) == [{"file": "played"}] * 2
