"""The first position of a slider over the API: stored with the answer, unchanged by a correction, checked."""

from __future__ import annotations

from typing import Any

from annotation.models import Criterion, Response
from tests.support.people import Cast, join
from tests.support.studies.answers import answer_for


def on_a_slider(cast: Cast) -> tuple[Any, str]:
    """A client of a rater, and the address of the pages; quality is a slider from 0 to 100."""
    quality = Criterion.objects.filter(version__form__study=cast.study, key="quality")
    quality.update(kind="slider", minimum=0, maximum=100)
    _, client = join(cast.invitation)
    return client, f"/api/v1/rate/{cast.slug}/next/"


def test_the_first_position_is_stored_and_a_correction_keeps_it(cast: Cast) -> None:
    client, address = on_a_slider(cast)
    page = client.get(address).json()
    body = {**answer_for(page, quality=72, creativity=2), "first_values": {"quality": 18}}
    answer = client.post(address, body, format="json").json()["answer"]
    assert (answer["answers"]["quality"], answer["first_values"]) == (72, {"quality": 18})
    own = f"/api/v1/rate/{cast.slug}/{page['assignment']}/"
    back = client.get(own).json()
    changed = client.post(
        own, {**answer_for(back, quality=60, creativity=2), "first_values": {"quality": 5}}, format="json"
    ).json()["answer"]
    assert (changed["revision"], changed["first_values"]) == (2, {"quality": 18})


def test_a_first_value_that_is_no_number_is_refused_and_nothing_is_stored(cast: Cast) -> None:
    client, address = on_a_slider(cast)
    body = {
        **answer_for(client.get(address).json(), quality=72, creativity=2),
        "first_values": {"quality": "much"},
    }
    assert client.post(address, body, format="json").status_code == 400
    assert not Response.objects.exists()


def test_first_values_of_other_questions_and_off_the_scale_are_left_out(cast: Cast) -> None:
    client, address = on_a_slider(cast)
    first_values = {"quality": 180, "creativity": 3, "nothing": 4}
    body = {**answer_for(client.get(address).json(), quality=72, creativity=2), "first_values": first_values}
    assert client.post(address, body, format="json").json()["answer"]["first_values"] == {}
