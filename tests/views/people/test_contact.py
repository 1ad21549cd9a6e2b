"""Raters read the contact of the study, and its admins may change it at any time."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_CONTACT
from annotation.models import AuditEntry
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.services.people.contact import set_contact
from annotation.services.people.invitations import invite
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db

ADDRESS = "Ana Lima, ratings@example.org"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=1, overlap=1)


def signed_in(cast: Cast, role: str) -> Client:
    client = Client()
    client.force_login(cast.users[role])
    return client


def test_it_is_on_the_page_before_raters_agree_and_after_they_decline(cast):
    set_contact(study=cast.study, actor=cast.users["owner"], contact=ADDRESS)
    path = f"/join/{invite(study=cast.study, actor=cast.users['owner']).token}/"
    for page in (path, f"{path}declined/"):
        html = Client().get(page).content.decode()
        assert 'Contact: <span lang="en" dir="auto">Ana Lima, <a href="mailto:ratings@example.org">' in html


def test_an_open_study_takes_another_contact_and_its_log_says_so(cast):
    before = signed_in(cast, "admin").get(f"/studies/{cast.slug}/settings/").content.decode()
    assert ADDRESS not in before
    signed_in(cast, "admin").post(f"/studies/{cast.slug}/settings/contact/", {"contact": f" {ADDRESS} "})
    cast.study.refresh_from_db()
    assert cast.study.contact == ADDRESS
    entry = AuditEntry.objects.filter(study=cast.study, act="set_contact").get()
    assert entry.detail == {"contact": ADDRESS}


def test_the_same_contact_again_leaves_no_trace(cast):
    for _ in range(2):
        set_contact(study=cast.study, actor=cast.users["owner"], contact=ADDRESS)
    assert AuditEntry.objects.filter(study=cast.study, act="set_contact").count() == 1


@pytest.mark.parametrize("contact", ["a" * (LONGEST_CONTACT + 1), "one\ntwo", "nul\x00"])
def test_what_is_not_one_line_of_text_is_refused_and_the_old_one_stays(cast, contact):
    set_contact(study=cast.study, actor=cast.users["owner"], contact=ADDRESS)
    with pytest.raises(InvalidContent) as refusal:
        set_contact(study=cast.study, actor=cast.users["owner"], contact=contact)
    assert refusal.value.code == "bad_contact"
    cast.study.refresh_from_db()
    assert cast.study.contact == ADDRESS


def test_without_a_contact_there_is_none_in_another_language(cast):
    owner = cast.users["owner"]
    set_contact(study=cast.study, actor=owner, contact="", translations={"ja": owner.email})
    cast.study.refresh_from_db()
    assert cast.study.contact_translations == {}


def test_members_read_that_raters_have_no_contact(cast):
    missing = "Raters have no contact. Add one under Settings."
    assert any(missing == one.words for one in find_setup_warnings(cast.study))
    set_contact(study=cast.study, actor=cast.users["owner"], contact=ADDRESS)
    assert not any(missing == one.words for one in find_setup_warnings(cast.study))


def test_markup_in_a_contact_is_text(cast):
    set_contact(study=cast.study, actor=cast.users["owner"], contact="<script>alert(1)</script>")
    path = f"/join/{invite(study=cast.study, actor=cast.users['owner']).token}/"
    assert "<script>alert(1)" not in Client().get(path).content.decode()


def test_the_api_sets_it_and_tells_it_to_raters(cast):
    client = signed_in(cast, "admin")
    answer = client.put(
        f"/api/v1/studies/{cast.slug}/contact/", {"contact": ADDRESS}, content_type="application/json"
    )
    assert answer.json() == {"contact": ADDRESS, "translations": {}}
    token = invite(study=cast.study, actor=cast.users["owner"]).token
    assert Client().get(f"/api/v1/join/{token}/").json()["contact"] == ADDRESS
