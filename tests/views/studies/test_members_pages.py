"""Members make, run and read a study in the browser."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import Role, StudyState
from annotation.models import Invitation, Membership, Study, User
from annotation.services.base.jobs import claim
from annotation.services.people.members import NO_MEMBER
from annotation.services.studies.demo import PASSWORD, PEOPLE
from annotation.templatetags.components import floatformat
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.layout import folded

pytestmark = pytest.mark.django_db
ITEMS = b"item,group,system,literal,simile\ni1,g1,anna,It rained.,It rained like drums.\n"


def signed_in(role: Role) -> Client:
    client = Client()
    email, _ = PEOPLE[role]
    assert client.post("/account/login/", {"login": email, "password": PASSWORD}).status_code == 302
    return client


@pytest.fixture
def demo(demo_of_the_module: int, db: None) -> Study:
    return Study.objects.get(pk=demo_of_the_module)


@pytest.fixture
def owner(demo: Study) -> Client:
    return signed_in(Role.OWNER)


def new_study(client: Client, content: bytes, title: str = "Rain and drums") -> Any:
    upload = SimpleUploadedFile("items.csv", content)
    form = {"title": title, "protocol": "hauser", "overlap": 2, "items": upload}
    return client.post("/studies/new/", form)


def test_a_study_is_made_from_a_protocol_and_a_file_and_opened(owner):
    answer = new_study(owner, ITEMS)
    assert answer.headers["Location"] == "/studies/rain-and-drums/open/"
    owner.post("/studies/rain-and-drums/open/")
    study = Study.objects.get(slug="rain-and-drums")
    assert study.state == StudyState.OPEN
    assert study.forms.get().seats.count() == 2
    assert Membership.objects.get(study=study).role == Role.OWNER


def test_a_second_study_of_the_same_title_gets_an_address_of_its_own(owner):
    new_study(owner, ITEMS)
    assert new_study(owner, ITEMS).headers["Location"] == "/studies/rain-and-drums-2/open/"
    assert new_study(owner, ITEMS, title="new").headers["Location"] == "/studies/new-2/open/"


def test_a_file_that_cannot_be_taken_makes_no_study_and_says_where(owner):
    answer = new_study(owner, ITEMS + b"i2,g1\n")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert '<th scope="row">items.csv</th><td class="n">3</td>' in folded(page)
    assert "2 cells, but the header has 5" in page
    assert not Study.objects.filter(slug="rain-and-drums").exists()


def test_an_admin_invites_pauses_and_closes_but_does_not_reopen(demo):
    admin, base = signed_in(Role.ADMIN), f"/studies/{demo.slug}"
    admin.post(f"{base}/settings/links/", {"label": "class of Monday"})
    link = Invitation.objects.get(label="class of Monday")
    assert f"/join/{link.token}/" in admin.get(f"{base}/settings/links/").content.decode()
    admin.post(f"{base}/settings/links/{link.pk}/")
    assert Client().get(f"/join/{link.token}/").status_code == 410
    for state in ("paused", "closed"):
        admin.post(f"{base}/state/", {"state": state})
        demo.refresh_from_db()
        assert demo.state == state
    assert admin.post(f"{base}/state/", {"state": "open"}).status_code == 403
    signed_in(Role.OWNER).post(f"{base}/state/", {"state": "open"})
    demo.refresh_from_db()
    assert demo.state == StudyState.OPEN


def test_a_researcher_sees_no_invitation_links(demo):
    page = signed_in(Role.RESEARCHER).get(f"/studies/{demo.slug}/settings/").content.decode()
    assert "/join/" not in page


def test_an_owner_gives_roles_to_people_with_an_account(owner, demo):
    User.objects.create_user("kim@example.org", PASSWORD)
    owner.post(f"/studies/{demo.slug}/settings/members/", {"email": "kim@example.org", "role": "researcher"})
    assert Membership.objects.get(user__email="kim@example.org").role == Role.RESEARCHER


def test_raters_are_not_distinguished_from_people_without_an_account(owner, demo):
    demo.raters.filter(code="R-001").update(user=User.objects.create_user("rates@example.org", PASSWORD))
    for email in ("rates@example.org", "who@example.org"):
        page = owner.post(
            f"/studies/{demo.slug}/settings/members/", {"email": email, "role": "admin"}, follow=True
        )
        assert NO_MEMBER in [str(message) for message in page.context["messages"]]
    assert not Membership.objects.filter(user__email="rates@example.org").exists()


def test_no_page_shows_who_a_rater_is(demo):
    rater = demo.raters.get(code="R-001")
    rater.user = User.objects.create_user("secret.rater@example.org", PASSWORD)
    rater.save()
    client, key = signed_in(Role.OWNER), demo.items.all()[0].key
    for tab in ("", "items/", f"items/{key}/", "raters/", "exports/", "settings/", "reliability/"):
        assert "secret.rater" not in client.get(f"/studies/{demo.slug}/{tab}").content.decode()
    export: Any = client.get(f"/studies/{demo.slug}/exports/ratings/")
    assert b"secret.rater" not in b"".join(export.streaming_content)


def test_items_are_found_by_key_group_system_and_text(owner, demo):
    def found(words: str) -> int:
        page: str = owner.get(f"/studies/{demo.slug}/items/", {"q": words}).content.decode()
        return page.count('<th scope="row"')

    assert (found("L3-2"), found("L3"), found("chen"), found("held breath")) == (1, 5, 8, 1)
    assert (
        "No items match this search."
        in owner.get(f"/studies/{demo.slug}/items/", {"q": "zeppelin"}).content.decode()
    )


def test_the_report_page_and_its_files_say_the_same(owner, demo):
    lease = claim(job_id=request_report(study=demo, actor=None, replicates=100, announce=False).pk)
    assert lease is not None
    report = compute_report(lease=lease)
    page = owner.get(f"/studies/{demo.slug}/reliability/").content.decode()
    answer: Any = owner.get(f"/studies/{demo.slug}/reliability/{report.pk}.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    results = owner.get(f"/studies/{demo.slug}/reliability/{report.pk}.json").json()["results"]
    assert len(rows) == len(results) == len(report.figures)
    for row, figure in zip(rows, results, strict=True):
        assert row["criterion"] == figure["criterion"]
        assert (row["estimate"] == "") == (figure["estimate"] is None)
        if figure["estimate"] is not None:
            assert float(row["estimate"]) == figure["estimate"]
            assert floatformat(figure["estimate"], 3) in page
    assert "180 simulated responses" in page


def test_another_studys_report_and_job_are_not_found(owner, demo):
    lease = claim(job_id=request_report(study=demo, actor=None, replicates=100, announce=False).pk)
    assert lease is not None
    report = compute_report(lease=lease)
    new_study(owner, ITEMS)
    assert owner.get(f"/studies/rain-and-drums/reliability/{report.pk}.json").status_code == 404
    User.objects.create_user("kim@example.org", PASSWORD)
    stranger = Client()
    stranger.post("/account/login/", {"login": "kim@example.org", "password": PASSWORD})
    assert stranger.get(f"/jobs/{report.job_id}/").status_code == 404


def test_the_only_owner_is_not_offered_to_be_removed(demo, owner):
    page = folded(owner.get(f"/studies/{demo.slug}/settings/members/").content.decode())
    members = Membership.objects.filter(study=demo)
    assert page.count("only owner") == 1
    removable = [one for one in members if f"/settings/members/{one.pk}/" in page]
    assert {one.role for one in removable} == {one.role for one in members} - {Role.OWNER}


def test_a_refused_member_keeps_the_navigation_of_the_study_and_reads_only_what_applies(demo):
    viewer = signed_in(Role.VIEWER)
    answer = viewer.get(f"/studies/{demo.slug}/adjudication/")
    page = answer.content.decode()
    assert answer.status_code == 403
    assert f'href="/studies/{demo.slug}/items/"' in page
    assert "Ask a study owner" in page
    assert "site administration" not in page
    page = viewer.get(reverse("site-accounts")).content.decode()
    assert "Only site administrators" in page
    assert "Ask a study owner" not in page
