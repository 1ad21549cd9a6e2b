"""Stages are set up in the browser, and its pages tell what waits, was admitted or refused, and why."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from annotation.domain.seats.stages import StageRule
from annotation.models import StageFeed
from annotation.services.quality.exclusions import exclude_response
from tests.support.layout import folded
from tests.support.people import Cast
from tests.support.studies.staged_study import FIRST, SECOND, first_stage, rater_of, staged_cast

pytestmark = pytest.mark.django_db


def client_of(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["owner"])
    return client


def test_the_stage_of_a_draft_is_changed_in_the_browser() -> None:
    cast = staged_cast(opened=False)
    client, url = client_of(cast), f"/studies/{cast.slug}/settings/forms/{SECOND}/stage/"
    assert "if “Metaphor” in “First stage” is “no”" in client.get(url).content.decode()
    sent = {
        "answer": json.dumps([FIRST, "metaphor", "no"]),
        "rule": "majority",
        "people": "anybody",
        "matched_criteria": "creativity = quality\n",
    }
    assert client.post(url, sent).status_code == 302
    feed = StageFeed.objects.get()
    assert (feed.value, feed.rule, feed.people, feed.suggestions) == ("no", "majority", "anybody", False)
    assert feed.matches == {"creativity": "quality"}
    assert (
        "items rated “<bdi>no</bdi>” in <bdi>First stage</bdi>"
        in client.get(f"/studies/{cast.slug}/settings/forms/").content.decode()
    )
    assert client.post(url, {**sent, "matched_criteria": "creativity"}).status_code == 422
    assert client.post(url, {**sent, "matched_criteria": "creativity = metaphor"}).status_code == 409
    assert client.post(url, {**sent, "answer": ""}).status_code == 302
    assert not StageFeed.objects.exists()


def test_the_overview_counts_and_the_items_say_why() -> None:
    cast = staged_cast(items=3, rule=StageRule.ALL)
    first_stage(rater_of(cast.study, "A"), {"L00": "yes", "L01": "no", "L02": "yes"})
    second = rater_of(cast.study, "B")
    first_stage(second, {"L00": "yes", "L01": "yes", "L02": "yes"})
    first_stage_answer = second.assignments.get(item__key="L02").responses.get()
    exclude_response(response=first_stage_answer, reason="slip", actor=cast.users["owner"])
    client = client_of(cast)
    overview = client.get(f"/studies/{cast.slug}/")
    (flow,) = overview.context["flows"]
    assert (flow.admitted, flow.refused, flow.waiting, flow.left) == (1, 1, 1, 0)
    items = client.get(f"/studies/{cast.slug}/items/").content.decode()
    for decision, why in (
        ("admitted", "2 of 2 answers so far; 2 required"),
        ("not admitted", "1 of 2 answers so far; 2 required"),
        ("waiting", "1 of 1 answers so far; 2 required"),
    ):
        shown = f'{decision}<span class="muted">(“<bdi>yes</bdi>”: {why})'
        assert re.search(rf":\s+{re.escape(shown)}", folded(items))
    assert (
        "(“<bdi>yes</bdi>”: 1 of 1 answers so far; 2 required)"
        in client.get(f"/studies/{cast.slug}/items/L02/").content.decode()
    )
