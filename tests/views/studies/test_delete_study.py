"""Owners delete a study on a page that asks for its title; until its day they can cancel this."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
PAGE = "/studies/lamps/settings/delete/"


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    return cast


def visit(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_the_title_is_asked_for_and_every_page_then_says_the_day(cast: Cast) -> None:
    owner = visit(cast, "owner")
    asked = owner.get(PAGE).content.decode()
    assert "30 days" in asked
    # What raters agreed to is there to be read before it is too late.
    assert cast.study.consent in asked
    assert owner.post(PAGE, {"title": "lamps"}).status_code == 422
    assert owner.post(PAGE, {"title": "Lamps and moons"}).status_code == 302
    assert "Cancel deletion" in owner.get("/studies/lamps/items/").content.decode()
    assert "will be deleted on" in owner.get("/").content.decode()
    assert 'name="state"' not in owner.get("/studies/lamps/settings/").content.decode()
    page_text = visit(cast, "researcher").get("/studies/lamps/items/").content.decode()
    assert "This study will be deleted on" in page_text
    assert "Cancel deletion" not in page_text
    assert owner.post(PAGE, {"cancel": "1"}).status_code == 302
    assert 'name="state"' in owner.get("/studies/lamps/settings/").content.decode()
    assert Study.objects.get(slug="lamps").deleted_after is None


def test_an_open_study_has_to_be_closed_first(cast: Cast) -> None:
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    owner = visit(cast, "owner")
    assert "Close the study before you delete it." in owner.get("/studies/lamps/settings/").content.decode()
    assert owner.post(PAGE, {"title": "Lamps and moons"}).status_code == 409


def test_the_api_and_the_command_do_the_same(cast: Cast) -> None:
    api = cast.client("owner")
    assert api.post(f"{cast.base}/deletion/", {"title": "x"}, format="json").status_code == 422
    done = api.post(f"{cast.base}/deletion/", {"title": "Lamps and moons"}, format="json")
    assert done.status_code == 202
    assert api.get(f"{cast.base}/").json()["deleted_after"] == done.json()["deleted_after"] is not None
    assert api.delete(f"{cast.base}/deletion/").status_code == 204
    with pytest.raises(CommandError):
        call_command("delete_study", "lamps", "--title", "x")
    call_command("delete_study", "lamps", "--title", "Lamps and moons")
    assert Study.objects.get(slug="lamps").deleted_after is not None
    call_command("delete_study", "lamps", "--cancel")
    assert Study.objects.get(slug="lamps").deleted_after is None
