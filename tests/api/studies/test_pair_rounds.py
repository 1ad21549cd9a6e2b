"""Rounds of adaptive pairs over the API, and a study created with them."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from annotation.models import AdaptivePairing
from annotation.selectors.studies.definition import definition_of
from tests.support.studies.pairs.adaptive_study import adaptive_cast, prefer_until_nothing_is_left, rounds
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db


def test_the_api_lists_the_rounds_and_creates_a_study_with_adaptive_pairs() -> None:
    cast = adaptive_cast(budget=12)
    prefer_until_nothing_is_left(rater_of(cast.study, "A"))
    client = APIClient()
    client.force_authenticate(cast.users["owner"])
    listed = client.get("/api/v1/studies/pairs/pair-rounds/").json()["results"]
    stored = rounds(cast.study)
    assert [(one["round"], one["items"], one["slots"], one["open_pairs"]) for one in listed] == [
        (one.number, one.items, one.slots, one.open_pairs) for one in stored
    ]
    assert len(stored) > 1
    assert {(one["form"], one["budget"]) for one in listed} == {("preference", 12)}
    definition = {"slug": "again", "definition": definition_of(cast.study, with_pay=False)}
    made = client.post("/api/v1/study-definitions/", definition, format="json")
    assert made.status_code == 201, made.content
    assert AdaptivePairing.objects.get(form__study__slug="again").budget == 12
    assert client.get("/api/v1/studies/again/pair-rounds/").json()["results"] == []
