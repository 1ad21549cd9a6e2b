"""Members who judge an item with media see its files: adjudicators those of their cases alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import Role
from annotation.models import Case, Item, User
from annotation.services.people.members import add_member
from tests.support.media.media_study import picture_cast
from tests.support.people import PASSWORD, Cast

pytestmark = pytest.mark.django_db
SHOWN = re.compile(r'<img class="media__picture" src="([^"]+)"')


@pytest.fixture
def cast(tmp_path: Path) -> Cast:
    cast = picture_cast(tmp_path)
    judge = User.objects.create_user("judge@example.org", PASSWORD)
    add_member(study=cast.study, user=judge, role=Role.ADJUDICATOR, actor=cast.users["owner"])
    cast.users["adjudicator"] = judge
    return cast


def case_for(cast: Cast, adjudicator: User | None) -> Case:
    item = Item.objects.get(study=cast.study, key="i0")
    form = cast.study.forms.get()
    return Case.objects.create(study=cast.study, item=item, form=form, position=0, adjudicator=adjudicator)


def client_of(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


@pytest.mark.parametrize("who", ["adjudicator", "owner"])
def test_a_case_shows_the_picture_of_its_item(cast, who):
    case = case_for(cast, cast.users["adjudicator"])
    client = client_of(cast, who)
    page = client.get(reverse("study-case", args=[cast.slug, case.pk]))
    assert page.status_code == 200
    (address,) = SHOWN.findall(page.content.decode())
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")


def test_an_adjudicator_gets_no_file_of_another_case_or_item(cast):
    client = client_of(cast, "adjudicator")
    mine = case_for(cast, cast.users["adjudicator"])
    named, other = (cast.study.media_files.get(name=name) for name in ("p0.png", "p1.png"))
    assert client.get(reverse("study-case-media", args=[cast.slug, mine.pk, named.pk])).status_code == 200
    assert client.get(reverse("study-case-media", args=[cast.slug, mine.pk, other.pk])).status_code == 404
    Case.objects.update(adjudicator=None)
    assert client.get(reverse("study-case-media", args=[cast.slug, mine.pk, named.pk])).status_code == 404


def test_the_preview_of_a_form_shows_the_picture(cast):
    form = cast.study.forms.get()
    page = client_of(cast, "owner").get(reverse("study-form", args=[cast.slug, form.key]))
    file = cast.study.media_files.get(name="p0.png")
    assert SHOWN.findall(page.content.decode()) == [reverse("study-media-file", args=[cast.slug, file.pk])]
