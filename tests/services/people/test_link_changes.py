"""Invitation links expire, are paused and changed; lists of people get personal links."""

from __future__ import annotations

import csv
import io
import json
import re
from base64 import b64decode
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.platforms import Platform
from annotation.models import AuditEntry, Invitation, Rater
from annotation.selectors.studies.overview import study_counts
from annotation.selectors.studies.study_list import study_rows
from annotation.services.people.invitations import change_link, invite, revoke, set_paused
from annotation.services.people.personal_links import create_personal_links
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def expire(link: Invitation) -> None:
    Invitation.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    link.refresh_from_db()


def signed_in(cast: Cast, who: str = "admin") -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


@pytest.mark.parametrize(
    ("ending", "code", "words"),
    [
        ("expired", "link_expired", "This link has expired."),
        ("paused", "link_paused", "This link is paused. Please come back later."),
    ],
)
def test_no_new_rater_joins_by_a_paused_or_expired_link_but_raters_continue(cast, ending, code, words):
    joined = Client()
    joined.post(f"/join/{cast.invitation.token}/")
    if ending == "expired":
        expire(cast.invitation)
    else:
        cast.invitation = set_paused(invitation=cast.invitation, paused=True, actor=cast.users["admin"])
    with pytest.raises(NotAllowedNow) as caught:
        consent(invitation=cast.invitation)
    assert caught.value.code == code
    new, before = Client().get(f"/join/{cast.invitation.token}/"), Rater.objects.count()
    assert (new.status_code, words in new.content.decode()) == (409, True)
    assert Client().post(f"/join/{cast.invitation.token}/").status_code == 409
    assert Client().get(f"/api/v1/join/{cast.invitation.token}/").json()["code"] == code
    assert Rater.objects.count() == before
    assert joined.get(f"/join/{cast.invitation.token}/").headers["Location"] == f"/rate/{cast.slug}/"


def test_an_unused_personal_link_expires_and_a_used_one_does_not(cast):
    used, unused = (
        one.invitation
        for one in create_personal_links(
            study=cast.study,
            actor=cast.users["admin"],
            names=["Kim", "Sam"],
            expires_at=timezone.now() + timedelta(days=1),
        )
    )
    consent(invitation=used)
    for link in (used, unused):
        expire(link)
    assert Client().get(f"/join/{used.token}/").status_code == 302
    assert Client().get(f"/join/{unused.token}/").status_code == 409


def test_a_resumed_link_takes_new_raters_again_and_each_act_is_logged_once(cast):
    link = cast.invitation
    for paused in (True, True, False, False):
        set_paused(invitation=link, paused=paused, actor=cast.users["admin"])
    link.refresh_from_db()
    assert consent(invitation=link).code
    acts = AuditEntry.objects.filter(study=cast.study, act__endswith="_invitation").order_by("pk")
    assert [entry.act for entry in acts] == ["pause_invitation", "resume_invitation"]


def test_a_limit_below_those_who_joined_removes_no_one(cast):
    consent(invitation=cast.invitation)
    consent(invitation=cast.invitation)
    link = change_link(
        invitation=cast.invitation, actor=cast.users["admin"], label="few", cap=1, expires_at=None
    )
    assert cast.study.raters.count() == 3
    with pytest.raises(NoSeatLeft) as caught:
        consent(invitation=link)
    assert caught.value.code == "link_full"


def test_an_expiry_in_the_past_and_a_limit_of_a_personal_link_are_refused(cast):
    past = timezone.now() - timedelta(minutes=1)
    admin = cast.users["admin"]
    with pytest.raises(InvalidContent) as caught:
        invite(study=cast.study, actor=admin, expires_at=past)
    assert caught.value.code == "expiry_passed"
    personal = invite(study=cast.study, actor=admin, personal=True)
    with pytest.raises(InvalidContent) as caught:
        change_link(invitation=personal, actor=admin, label="", cap=2, expires_at=None)
    assert caught.value.code == "personal_limit"


def test_a_platform_link_without_a_code_is_reported_and_gets_one_later(cast):
    client, address = signed_in(cast), f"/studies/{cast.slug}/settings/links/"
    made = client.post(address, {"kind": "prolific"}, follow=True).content.decode()
    assert "The link has no completion code" in made
    link = Invitation.objects.latest("pk")
    sent = {f"link-{link.pk}-label": "", f"link-{link.pk}-completion_code": "DONE1"}
    assert f'name="link-{link.pk}-completion_code"' in made
    client.post(f"{address}{link.pk}/change/", sent)
    link.refresh_from_db()
    assert link.completion_code == "DONE1"
    assert (
        "no completion code"
        not in client.post(address, {"kind": "prolific", "completion_code": "DONE2"}, follow=True)
        .content.decode()
        .partition("<main")[2]
    )


def test_a_changed_code_is_for_a_platform_and_for_one_outcome(cast):
    admin = cast.users["admin"]
    unchanged: dict[str, Any] = {"label": "", "cap": None, "expires_at": None}
    with pytest.raises(InvalidContent) as caught:
        change_link(invitation=cast.invitation, actor=admin, **unchanged, completion_code="DONE1")
    assert caught.value.code == "code_without_platform"
    link = invite(study=cast.study, actor=admin, platform=Platform.PROLIFIC, screenout_code="OUT1")
    with pytest.raises(InvalidContent) as caught:
        change_link(invitation=link, actor=admin, **unchanged, completion_code="out1")
    assert caught.value.code == "duplicate_code"
    changed = change_link(invitation=link, actor=admin, **unchanged)
    assert (changed.completion_code, changed.screenout_code) == ("", "OUT1")


def test_a_link_that_has_expired_keeps_its_date_when_only_its_name_changes(cast):
    expire(cast.invitation)
    client, prefix = signed_in(cast), f"link-{cast.invitation.pk}"
    day = timezone.localdate(cast.invitation.expires_at).isoformat()
    sent = {f"{prefix}-label": "last year", f"{prefix}-cap": "", f"{prefix}-expires_on": day}
    before = cast.invitation.expires_at
    client.post(f"/studies/{cast.slug}/settings/links/{cast.invitation.pk}/change/", sent)
    cast.invitation.refresh_from_db()
    assert (cast.invitation.label, cast.invitation.expires_at) == ("last year", before)


def test_a_revoked_link_is_not_changed_and_not_resumed(cast):
    revoke(invitation=cast.invitation, actor=cast.users["admin"])
    with pytest.raises(NotAllowedNow) as caught:
        set_paused(invitation=cast.invitation, paused=False, actor=cast.users["admin"])
    assert caught.value.code == "link_revoked"


def test_a_list_of_people_comes_back_with_codes_and_links_and_is_not_stored(cast):
    content = b"name,town\nKim Zyxwell,Ghent\nSam Zyxwell,Bern\n"
    sent = {"people-file": SimpleUploadedFile("people.csv", content), "people-label": "group A"}
    answer = signed_in(cast).post(f"/studies/{cast.slug}/settings/links/personal/", sent)
    rows = downloaded(answer)
    assert [(row["name"], row["town"]) for row in rows] == [("Kim Zyxwell", "Ghent"), ("Sam Zyxwell", "Bern")]
    assert "no-store" in answer.headers["Cache-Control"]
    shown = answer.content.decode()
    assert "2 personal links created." in shown
    assert all(f"personal link, {row['rater']}" in shown for row in rows)
    for row in rows:
        token = row["link"].rstrip("/").rpartition("/")[2]
        browser = Client()
        assert browser.post(f"/join/{token}/").status_code == 302
        assert Rater.objects.get(invitation__token_digest__isnull=False, code=row["rater"]).consented_at
    stored = json.dumps(list(AuditEntry.objects.values("detail")), default=str)
    stored += json.dumps(list(Invitation.objects.values("label", "person_hash")))
    assert "Zyxwell" not in stored


def uploaded(cast: Cast, content: str) -> Any:
    sent = {"people-file": SimpleUploadedFile("people.csv", content.encode())}
    return signed_in(cast).post(f"/studies/{cast.slug}/settings/links/personal/", sent)


def downloaded(answer: Any) -> list[dict[str, str]]:
    (content,) = re.findall(r'href="data:text/csv;base64,([^"]+)"', answer.content.decode())
    return list(csv.DictReader(io.StringIO(b64decode(content).decode("utf-8-sig"))))


def test_a_person_of_an_earlier_list_keeps_the_link_and_gets_no_second_one(cast):
    first = downloaded(uploaded(cast, "name\nKim\nSam\n"))
    answer = uploaded(cast, "name,town\n sam ,Bern\nAda,Ghent\n")
    again = downloaded(answer)
    assert again[0] == {"name": " sam ", "town": "Bern"} | {key: first[1][key] for key in ("rater", "link")}
    assert again[1]["rater"] not in {row["rater"] for row in first}
    words = answer.content.decode()
    assert "1 personal link created." in words
    assert "1 person of the list has a link in this study already and keeps it." in words
    assert Invitation.objects.filter(rater__state="invited").count() == 3
    assert downloaded(uploaded(cast, "name,rater,link\nKim,R-999,x\n"))[0] == first[0]


def test_who_lost_a_link_or_let_it_expire_unused_gets_a_new_one(cast):
    made = create_personal_links(study=cast.study, actor=cast.users["admin"], names=["Kim", "Sam", "Ada"])
    revoke(invitation=made[0].invitation, actor=cast.users["admin"])
    consent(invitation=made[2].invitation)
    for one in made[1:]:
        expire(one.invitation)
    again = create_personal_links(study=cast.study, actor=cast.users["admin"], names=["Ada", "Sam", "Kim"])
    assert [one.new for one in again] == [False, True, True]
    assert again[0].code == made[2].code


def test_people_of_one_name_are_distinguished_by_their_addresses(cast):
    rows = downloaded(uploaded(cast, "name,email\nKim,kim@a.example\nKim,kim@b.example\n"))
    assert len({row["rater"] for row in rows}) == 2


def test_a_link_that_is_full_says_so(cast):
    page = signed_in(cast).get(f"/studies/{cast.slug}/settings/links/").content.decode()
    assert "maximum reached" not in page
    Invitation.objects.filter(pk=cast.invitation.pk).update(cap=1)
    page = signed_in(cast).get(f"/studies/{cast.slug}/settings/links/").content.decode()
    assert re.search(r"<td[^>]*>\s*maximum reached\s*</td>", page)


def test_codes_that_no_rater_has_joined_with_are_no_raters_of_the_list_of_studies(cast):
    create_personal_links(study=cast.study, actor=cast.users["admin"], names=["Kim", "Sam"])
    (row,) = study_rows(user=cast.users["owner"])
    assert (row.raters, study_counts(study=cast.study)["n_raters"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("people.csv", "town\nGhent\n"),
        ("people.csv", "name\nKim\nKim\n"),
        ("people.csv", "name,town\nKim,Ghent\n,Bern\n"),
        ("people.txt", "name\nKim\n"),
    ],
)
def test_a_list_with_a_mistake_creates_no_link(cast, name, content):
    before = Invitation.objects.count()
    sent = {"people-file": SimpleUploadedFile(name, content.encode())}
    answer = signed_in(cast).post(f"/studies/{cast.slug}/settings/links/personal/", sent)
    assert answer.status_code == 422
    assert (Invitation.objects.count(), Rater.objects.filter(code="R-002").count()) == (before, 0)


def test_a_list_with_mistakes_names_each_row_and_leaves_the_form_open(cast):
    content = (
        "name,email\nAnna,anna@example.org\nBob,bob@example.org\nBob again,Bob@example.org\nNo mail,\n"
        "Bad,not-an-address\n"
    )
    sent = {"people-file": SimpleUploadedFile("people.csv", content.encode()), "people-label": "group A"}
    shown = signed_in(cast).post(f"/studies/{cast.slug}/settings/links/personal/", sent).content.decode()
    form = shown.partition('id="personal-links" open')[2]
    assert re.findall(r'<td class="n">(\d+)</td>', form) == ["4", "5", "6"]
    assert "“not-an-address” is not an email address" in form
    assert "“Bob@example.org” is also in row 3" in form
    assert 'value="group A"' in form
    assert not Invitation.objects.filter(label="group A").exists()


def test_a_link_that_was_revoked_since_it_was_read_admits_no_one(cast):
    read_before = Invitation.objects.get(pk=cast.invitation.pk)
    revoke(invitation=cast.invitation, actor=cast.users["admin"])
    with pytest.raises(NotAllowedNow) as caught:
        consent(invitation=read_before)
    assert caught.value.code == "link_revoked"


def test_the_api_lists_changes_and_revokes_links_without_their_secrets(cast):
    client, base, pk = cast.client("admin"), f"{cast.base}/invitations", cast.invitation.pk
    listed = client.get(f"{base}/").json()["results"]
    assert [(one["id"], one["joined"], one["paused_at"]) for one in listed] == [(pk, 1, None)]
    assert cast.invitation.token not in str(listed)
    until = (timezone.now() + timedelta(days=2)).isoformat()
    changed = client.patch(f"{base}/{pk}/", {"paused": True, "expires_at": until, "cap": 5}, format="json")
    assert (changed.json()["cap"], changed.json()["label"]) == (5, "everybody")
    assert changed.json()["paused_at"]
    assert changed.json()["expires_at"]
    assert client.post(f"{base}/{pk}/revoke/").json()["revoked_at"]
    people = client.post(f"{base}/personal/", {"names": ["Kim", "Sam"]}, format="json")
    assert [(one["name"], one["new"]) for one in people.json()] == [("Kim", True), ("Sam", True)]
    assert Client().get(f"/join/{people.json()[0]['token']}/").status_code == 200


def test_links_of_another_study_are_out_of_reach(cast):
    other = make_cast(slug="moons")
    pk = other.invitation.pk
    client = cast.client("owner")
    assert client.patch(f"{cast.base}/invitations/{pk}/", {"paused": True}, format="json").status_code == 404
    assert client.post(f"{cast.base}/invitations/{pk}/revoke/").status_code == 404
    change = signed_in(cast).post(f"/studies/{cast.slug}/settings/links/{pk}/change/", {"act": "pause"})
    assert change.status_code == 404
    other.invitation.refresh_from_db()
    assert (other.invitation.paused_at, other.invitation.revoked_at) == (None, None)
