"""Sets for best–worst scaling are drawn from the items of a draft over the API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from annotation.services.items.item_storage import NewItem, add_items
from tests.support.studies.choice_study import draft

pytestmark = pytest.mark.django_db


def test_sets_replace_the_items_of_a_draft_and_what_is_wrong_is_named():
    study = draft("best_worst_novelty")
    add_items(study=study, rows=[NewItem(f"T{n}", {"text": f"text {n}"}) for n in range(12)])
    client, address = APIClient(), f"/api/v1/studies/{study.slug}/sets/"
    client.force_authenticate(study.memberships.get().user)
    wrong = client.post(address, {"text": "text", "factor": 99}, format="json")
    assert (wrong.status_code, [*wrong.json()["fields"]]) == (400, ["factor"])
    wrong = client.post(address, {"text": "literal"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "no_such_text")
    assert study.items.count() == 12
    drawn = client.post(address, {"text": "text", "factor": 1, "seed": 3}, format="json")
    assert drawn.status_code == 201
    assert drawn.json()["sets"] == study.items.count() == 12
    assert sum(row["pairs"] for row in drawn.json()["meetings"]) == 66
