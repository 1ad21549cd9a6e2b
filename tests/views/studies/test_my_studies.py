"""The first page of a member: studies with how far they are, what waits, a search and an archive."""

from __future__ import annotations

import re
import uuid
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import ProblemReason, Role, SeatState
from annotation.models import Assignment, Membership, ProblemReport, Seat, Study
from annotation.services.people.members import add_member
from annotation.services.studies.lifecycle import create_study
from tests.support.layout import folded
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def signed_in(cast: Cast, who: str = "owner") -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def words_of(client: Client, address: str, **given: str) -> str:
    page = folded(client.get(address, given).content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def another_study(cast: Cast, title: str = "Winter sentences") -> Study:
    slug = title.lower().replace(" ", "-")
    return create_study(slug=slug, title=title, owner=cast.users["owner"], consent="", instructions="")


def report_problem(cast: Cast, reason: ProblemReason) -> None:
    page = Assignment.objects.first() or make_page(cast, position=0)
    ProblemReport.objects.create(assignment=page, reason=reason, report_key=uuid.uuid4())


def make_page(cast: Cast, *, position: int, answered: datetime | None = None) -> Assignment:
    form = cast.study.forms.get()
    return Assignment.objects.create(
        rater=cast.study.raters.get(),
        item=cast.study.items.all()[position],
        form=form,
        version=form.versions.get(),
        position=position + 1,
        opened_at=answered,
        submitted_at=answered,
    )


def test_a_study_is_listed_with_its_slots_items_raters_and_newest_answer(cast: Cast) -> None:
    rater = cast.study.raters.get()
    seat = Seat.objects.filter(form__study=cast.study).earliest("pk")
    Seat.objects.filter(pk=seat.pk).update(state=SeatState.FILLED, rater=rater)
    newest = timezone.now() - timedelta(hours=3)
    for position, at in enumerate((newest, newest - timedelta(days=1))):
        make_page(cast, position=position, answered=at)
    page = words_of(signed_in(cast), reverse("home"))
    assert "Lamps and moons 4 items, 1 rater 1 of 12" in page
    assert newest.strftime("%H:%M UTC") in page


def test_drafts_and_closed_studies_have_headings_of_their_own(cast: Cast) -> None:
    another_study(cast)
    page = words_of(signed_in(cast), reverse("home"))
    assert page.index("Open and paused 1") < page.index("Lamps and moons") < page.index("Drafts 1")
    assert page.index("Drafts 1") < page.index("Winter sentences")
    assert "Closed" not in page


def test_a_template_of_the_list_is_chosen_on_the_page_of_a_new_study(cast: Cast) -> None:
    client = signed_in(cast)
    [link] = re.findall(r'href="([^"]*protocol=hanna)"', client.get(reverse("home")).content.decode())
    page = folded(client.get(link).content.decode())
    assert re.search(r'<option value="hanna" selected>', page)


def test_more_studies_need_no_more_queries(cast: Cast) -> None:
    client = signed_in(cast)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert client.get(reverse("home")).status_code == 200
        return len(found)

    client.get(reverse("home"))
    before = queries()
    for number in range(5):
        another_study(cast, f"Study {number}")
    assert queries() == before


def test_a_title_is_found_in_either_case_and_a_search_without_results_is_reported(cast: Cast) -> None:
    another_study(cast)
    client = signed_in(cast)
    assert "Winter sentences" in words_of(client, reverse("home"), q="WINTER")
    assert "Lamps and moons" not in words_of(client, reverse("home"), q="WINTER")
    assert "No studies match your search." in words_of(client, reverse("home"), q="zeppelin")


def test_the_address_of_the_list_opens_what_it_asks_for(cast: Cast) -> None:
    client = signed_in(cast)
    assert client.get("/studies/?show=archive&q=moon").headers["Location"] == "/?show=archive&q=moon"
    assert client.get("/studies/").headers["Location"] == "/"


def test_the_archive_is_of_one_member_and_can_be_left_again(cast: Cast) -> None:
    owner, admin = signed_in(cast), signed_in(cast, "admin")
    Study.objects.filter(pk=cast.study.pk).update(state="closed")
    done = owner.post(reverse("study-archive", args=[cast.slug]), {"archived": "true"}, follow=True)
    assert "moved to your archive" in done.content.decode()
    home = reverse("home")
    link = f'href="{reverse("study", args=[cast.slug])}"'
    listed = owner.get(home).content.decode()
    assert link not in listed
    assert "All your studies are archived." in listed
    assert link in owner.get(home, {"show": "archive"}).content.decode()
    assert link in admin.get(home).content.decode()
    owner.post(reverse("study-archive", args=[cast.slug]), {"archived": "false"})
    assert link in owner.get(home).content.decode()


def test_a_study_is_archived_by_the_api_when_it_is_closed(cast: Cast) -> None:
    owner, admin = signed_in(cast), signed_in(cast, "admin")
    address = reverse("api_archive", args=[cast.slug])

    def listed(client: Client) -> list[bool]:
        return [one["archived"] for one in client.get(reverse("api_studies")).json()["results"]]

    refused = owner.put(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_closed")
    page = owner.post(reverse("study-archive", args=[cast.slug]), {"archived": "true"}, follow=True)
    assert "Close the study before you archive it." in page.content.decode()
    assert listed(owner) == [False]
    Study.objects.filter(pk=cast.study.pk).update(state="closed")
    assert owner.put(address).status_code == 204
    assert (listed(owner), listed(admin)) == ([True], [False])
    assert owner.get(reverse("api_study", args=[cast.slug])).json()["archived"] is True
    assert owner.delete(address).status_code == 204
    assert listed(owner) == [False]


def test_what_waits_is_in_the_list_and_at_the_tab_where_it_is_dealt_with(cast: Cast) -> None:
    client = signed_in(cast)
    overview = reverse("study", args=[cast.slug])
    assert "reported problem" not in words_of(client, overview)
    for reason in (ProblemReason.TEXT_MISSING, ProblemReason.WRONG_MARK, ProblemReason.COMMENT):
        report_problem(cast, reason)
    assert "2 reported problems" in words_of(client, reverse("home"))
    items = words_of(client, reverse("study-items", args=[cast.slug]))
    assert "Overview 2 (2 reported problems) Items" in items
    ProblemReport.objects.update(resolved_at=timezone.now())
    assert "reported problems" not in words_of(client, reverse("home"))


def test_the_menu_behind_the_name_of_a_study_lists_those_of_its_reader_alone(cast: Cast) -> None:
    another_study(cast)
    archived = another_study(cast, "Old lamps")
    Membership.objects.filter(study=archived).update(archived=True)
    menu = reverse("studies-menu")
    assert words_of(signed_in(cast), menu) == "Winter sentences draft Lamps and moons open"
    assert words_of(signed_in(cast, "admin"), menu) == "Lamps and moons open"
    assert words_of(signed_in(cast, "stranger"), menu) == ""


def test_a_role_that_is_given_again_leaves_the_study_in_the_archive(cast: Cast) -> None:
    Membership.objects.filter(study=cast.study, user=cast.users["admin"]).update(archived=True)
    add_member(study=cast.study, user=cast.users["admin"], role=Role.OWNER, actor=cast.users["owner"])
    assert Membership.objects.get(study=cast.study, user=cast.users["admin"]).archived
