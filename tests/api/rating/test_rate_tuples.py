"""Tuples over the API: errors in them are reported with a number, a part and a code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.domain.base.states import StudyState
from annotation.models import Response, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.support.people import join

pytestmark = pytest.mark.django_db

SENTENCE = "Her patience is a long bridge."


def mark(part: str, text: str, number: int = 1) -> dict[str, Any]:
    start = SENTENCE.find(text)
    span = (start, start + len(text)) if part != "ground" else (None, None)
    return {"tuple": number, "part": part, "start": span[0], "end": span[1], "text": text}


def test_a_half_made_tuple_and_a_full_stop_are_refused_with_a_code_and_store_nothing():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_from_template(template=CMDAG_REFINED, slug="tuples", title="Tuples", owner=owner)
    add_items(study=study, rows=[NewItem(key="S", fields={"sentence": SENTENCE, "earlier": "-"})])
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    _, client = join(invite(study=study, actor=owner))
    address = f"/api/v1/rate/{study.slug}/next/"
    page = client.get(address).json()
    body = {name: page[name] for name in ("assignment", "page_key")} | {"version": page["form"]["version"]}
    whole = [mark("tenor", "Her patience"), mark("vehicle", "a long bridge"), mark("ground", "slow crossing")]

    def sent(marks: list[dict[str, Any]]) -> Any:
        answers = {"metaphor": "yes", "tuples": json.dumps(marks)}
        return client.post(address, {**body, "answers": answers}, format="json")

    half = sent([*whole, mark("tenor", "patience", 2)])
    assert (half.status_code, half.json()["code"]) == (422, "invalid_answer")
    assert half.json()["fields"] == {
        "tuples": "Tuple 2 has no vehicle, ground. Add it or remove the tuple.",
        "codes": {"tuples": "tuple_incomplete"},
    }
    stop = sent([whole[0], mark("vehicle", "."), whole[2]])
    assert stop.json()["fields"]["codes"] == {"tuples": "tuple_part_without_words"}
    assert not Response.objects.exists()
    assert sent(whole).status_code == 201
