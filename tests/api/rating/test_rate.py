"""Rating over the API: join, next, answer, go back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.domain.base.states import StudyState
from annotation.models import Assignment, Response
from annotation.services.people.invitations import invite, revoke
from annotation.services.studies.lifecycle import change_state
from tests.services.questions.rewording import reword
from tests.support.people import Cast, invited, join, make_cast
from tests.support.studies.answers import answer_for


def test_a_whole_sitting_ends_when_nothing_is_left(cast: Cast) -> None:
    rater, client = join(cast.invitation)
    address, seen = f"/api/v1/rate/{cast.slug}/next/", []
    while (page := client.get(address)).status_code == 200:
        seen.append(page.json()["assignment"])
        assert client.post(address, answer_for(page.json()), format="json").status_code == 201
    assert (page.status_code, page.json()["code"]) == (409, "no_seat_left")
    assert len(set(seen)) == cast.study.items.count()
    assert client.get(f"/api/v1/rate/{cast.slug}/").json()["state"] == "finished"
    own = client.get(f"/api/v1/rate/{cast.slug}/answers/").json()["results"]
    assert [answer["answers"] for answer in own] == [{"quality": 4, "creativity": 2}] * len(seen)
    assert rater.code not in str(own)


def test_asking_again_shows_the_same_item_on_a_page_of_its_own(cast: Cast) -> None:
    _, client = join(cast.invitation)
    first, second = (client.get(f"/api/v1/rate/{cast.slug}/next/").json() for _ in range(2))
    assert first["assignment"] == second["assignment"]
    assert first["page_key"] != second["page_key"]


def test_sending_an_answer_again_stores_it_once(cast: Cast) -> None:
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    body = answer_for(client.get(address).json())
    first, again = (client.post(address, body, format="json") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json()["stored"], again.json()["stored"]) == (True, False)
    assert first.json()["answer"] == again.json()["answer"]
    assert Response.objects.filter(assignment=body["assignment"]).count() == 1


def test_a_correction_is_a_revision_and_keeps_the_first_answer(cast: Cast) -> None:
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    client.post(f"/api/v1/rate/{cast.slug}/next/", answer_for(page), format="json")
    address = f"/api/v1/rate/{cast.slug}/{page['assignment']}/"
    back = client.get(address).json()
    assert back["answer"]["answers"] == {"quality": 4, "creativity": 2}
    changed = client.post(address, answer_for(back, quality=1, creativity=1), format="json")
    assert (changed.status_code, changed.json()["answer"]["revision"]) == (201, 2)
    assert Response.objects.filter(assignment=page["assignment"]).count() == 2
    assert changed.json()["progress"]["done"] == 1


def test_an_answer_outside_the_scale_is_refused_by_name_and_not_stored(cast: Cast) -> None:
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    refused = client.post(
        address, answer_for(client.get(address).json(), quality=6, creativity=2), format="json"
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_answer")
    assert list(refused.json()["fields"]) == ["quality"]
    assert not Response.objects.exists()


def test_cannot_rate_may_replace_ratings(cast: Cast) -> None:
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    body = answer_for(client.get(address).json()) | {"answers": {}, "cannot_rate": "lacks_context"}
    assert client.post(address, body, format="json").json()["answer"]["cannot_rate"] == "lacks_context"


def test_the_page_marks_the_vehicle_and_hides_what_would_bias(cast: Cast) -> None:
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    block = page["blocks"][0]
    (mark,) = block["marks"]
    assert block["text"][mark["start"] : mark["end"]] == "moon"
    assert [criterion["key"] for criterion in page["form"]["criteria"]] == ["quality", "creativity"]
    assert len(page["form"]["criteria"][0]["points"]) == 5
    assert "by-hand" not in str(page)


def test_no_rater_reaches_the_assignment_of_another(cast: Cast) -> None:
    _, first = join(cast.invitation)
    _, second = join(cast.invitation)
    page = first.get(f"/api/v1/rate/{cast.slug}/next/").json()
    assert second.get(f"/api/v1/rate/{cast.slug}/{page['assignment']}/").status_code == 404
    stolen = second.post(f"/api/v1/rate/{cast.slug}/next/", answer_for(page), format="json")
    assert stolen.status_code == 404
    assert not Response.objects.exists()


def test_an_invitation_opens_its_own_study_only(cast: Cast) -> None:
    other = make_cast(slug="other")
    _, client = join(cast.invitation)
    elsewhere = client.get(f"/api/v1/rate/{other.slug}/next/")
    nowhere = client.get("/api/v1/rate/no-such-study/next/")
    assert (elsewhere.status_code, nowhere.status_code) == (404, 404)
    assert elsewhere.json() == nowhere.json()


def test_an_invitation_opens_no_page_of_the_members(cast: Cast) -> None:
    _, client = join(cast.invitation)
    assert client.get(f"{cast.base}/items/").status_code == 401


@pytest.mark.parametrize("header", ["Invitation", "Invitation wrong", "Invitation a b", "Invitation \xff"])
@pytest.mark.usefixtures("cast")
def test_a_wrong_invitation_is_refused_with_the_way_to_sign_in(header: str) -> None:
    refused = APIClient(HTTP_AUTHORIZATION=header).get("/api/v1/rate/lamps/next/")
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == "Invitation"


def test_a_personal_link_keeps_its_code_and_agreeing_twice_is_one_consent(cast: Cast) -> None:
    personal = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    address = f"/api/v1/join/{personal.token}/"
    assert APIClient().get(address).json()["consent"] == "You agree."
    answers = [APIClient().post(address, {"agree": True}, format="json") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert {answer.json()["token"] for answer in answers} == {personal.token}
    assert personal.rater is not None
    assert {answer.json()["rater"] for answer in answers} == {personal.rater.code}


def test_without_agreeing_nothing_is_collected(cast: Cast) -> None:
    personal = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    declined = APIClient().post(f"/api/v1/join/{personal.token}/", {"agree": False}, format="json")
    assert declined.status_code == 400
    early = invited(personal.token).get(f"/api/v1/rate/{cast.slug}/next/")
    assert (early.status_code, early.json()["code"]) == (409, "no_consent")


def test_a_revoked_link_opens_nothing(cast: Cast) -> None:
    _, client = join(cast.invitation)
    for invitation in cast.study.invitations.all():
        revoke(invitation=invitation, actor=cast.users["admin"])
    assert client.get(f"/api/v1/rate/{cast.slug}/next/").status_code == 401
    gone = APIClient().get(f"/api/v1/join/{cast.invitation.token}/")
    assert (gone.status_code, gone.json()["code"]) == (409, "link_revoked")


def test_a_closed_study_takes_no_answer(cast: Cast) -> None:
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    body = answer_for(client.get(address).json())
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    refused = client.post(address, body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "study_closed")
    assert not Response.objects.exists()


def test_a_page_of_a_closed_study_is_read_only_and_starts_no_clock(cast: Cast) -> None:
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    assert page["accepts_answers"] is True
    Assignment.objects.update(opened_at=None)
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    shown = client.get(f"/api/v1/rate/{cast.slug}/{page['assignment']}/")
    assert (shown.status_code, shown.json()["accepts_answers"]) == (200, False)
    assert Assignment.objects.get().opened_at is None


def test_what_a_member_tries_is_never_counted(cast: Cast) -> None:
    client = cast.client("researcher")
    address = f"/api/v1/rate/{cast.slug}/next/"
    body = answer_for(client.get(address).json())
    assert client.post(address, body, format="json").status_code == 201
    assert Assignment.objects.get(pk=body["assignment"]).purpose == "trial"
    assert cast.client("owner").get(f"{cast.base}/").json()["n_responses"] == 0


def test_a_page_of_one_form_takes_no_version_of_another(cast: Cast) -> None:
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    body = answer_for(page) | {"version": 7}
    refused = client.post(f"/api/v1/rate/{cast.slug}/next/", body, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["version"])


def test_an_answer_is_stored_with_the_wording_shown_and_not_with_a_later_correction(cast: Cast) -> None:
    """Both have the same version number, which is all that an older client sends."""
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    page = client.get(address).json()
    assert page["form"]["correction"] == 0
    reword(cast.study, cast.users["owner"], "How good?", correction=True)
    assert client.post(address, answer_for(page), format="json").status_code == 201
    assert Response.objects.get(assignment=page["assignment"]).version.label == "1"
    following = client.get(address).json()
    assert (following["form"]["version"], following["form"]["correction"]) == (1, 1)
    named = answer_for(following) | {"correction": 0}
    assert client.post(address, named, format="json").status_code == 201
    assert Response.objects.get(assignment=following["assignment"]).version.label == "1"


def test_a_page_key_of_the_callers_own_works_as_well(cast: Cast) -> None:
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    body = answer_for(client.get(address).json()) | {"page_key": str(uuid.uuid4())}
    assert [client.post(address, body, format="json").status_code for _ in range(2)] == [201, 200]


def test_leaving_gives_the_seat_back_and_ends_the_task(cast: Cast) -> None:
    rater, client = join(cast.invitation)
    client.get(f"/api/v1/rate/{cast.slug}/next/")
    assert client.post(f"/api/v1/rate/{cast.slug}/withdraw/").json()["state"] == "withdrawn"
    assert not rater.seats.exists()
    assert client.get(f"/api/v1/rate/{cast.slug}/next/").json()["code"] == "rater_withdrawn"


def test_an_answer_changed_elsewhere_is_not_replaced_unseen(cast: Cast) -> None:
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    address = f"/api/v1/rate/{cast.slug}/{page['assignment']}/"
    client.post(address, {**answer_for(page), "seen_revision": 0}, format="json")
    back = client.get(address).json()
    stale = {**answer_for(back, quality=1, creativity=1), "seen_revision": 0}
    refused = client.post(address, stale, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "answered_elsewhere")
    seen = client.post(address, {**stale, "seen_revision": back["answer"]["revision"]}, format="json")
    assert (seen.status_code, seen.json()["answer"]["revision"]) == (201, 2)


def test_a_rater_who_has_withdrawn_gets_no_page(cast: Cast) -> None:
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    client.post(f"/api/v1/rate/{cast.slug}/withdraw/")
    refused = client.get(f"/api/v1/rate/{cast.slug}/{page['assignment']}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "rater_withdrawn")


@pytest.mark.parametrize("sent", [[{}], [["quality"]], ["quality"], 4, "quality", None])
def test_a_body_that_is_no_object_is_refused(cast: Cast, sent: Any) -> None:
    _, client = join(cast.invitation)
    answer = client.post(f"/api/v1/rate/{cast.slug}/next/", sent, format="json")
    assert answer.status_code == 400, answer.content
    assert Response.objects.count() == 0
