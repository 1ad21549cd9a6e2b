"""A study's definition over pages, API and command: what one writes the others read."""

from __future__ import annotations

import io
import json
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from annotation.domain.pay.wages import PayFor
from annotation.models import Study
from annotation.selectors.studies.definition import definition_of
from annotation.services.pay.pay_settings import set_pay
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    made = make_cast()
    set_pay(
        study=made.study,
        actor=made.users["owner"],
        currency="EUR",
        paid_for=PayFor.PAGE,
        amount=Decimal("0.25"),
    )
    return made


def member(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_the_downloaded_file_makes_the_study_again_for_the_user_who_sends_it(cast):
    file = member(cast, "owner").get(reverse("study-definition-download", args=[cast.slug, "yaml"]))
    stranger = member(cast, "stranger")
    sent = {"file": SimpleUploadedFile("study.yaml", file.content), "title": "Another"}
    assert stranger.post(reverse("study-new-definition"), sent).status_code == 302
    made = Study.objects.get(title="Another")
    assert made.memberships.get().user == cast.users["stranger"]
    expected = definition_of(cast.study, with_pay=True)
    expected["study"]["title"] = "Another"
    assert definition_of(made, with_pay=True) == expected
    assert (made.items.count(), made.raters.count()) == (0, 0)


@pytest.mark.parametrize(("who", "included"), [("researcher", False), ("admin", True), ("owner", True)])
def test_what_raters_are_paid_is_shown_to_admins_and_owners_only(cast, who, included):
    page = member(cast, who).get(reverse("study-definition-download", args=[cast.slug, "json"]))
    assert (json.loads(page.content)["pay"] is not None) == included
    assert (cast.client(who).get(f"{cast.base}/definition/").json()["pay"] is not None) == included
    copied = cast.client(who).post(
        f"{cast.base}/copy/", {"slug": "copied", "title": "Copied", "with_items": True}, format="json"
    )
    assert copied.json() == {"slug": "copied", "left_out": []}
    copy = Study.objects.get(slug="copied")
    assert (hasattr(copy, "pay"), copy.items.count(), copy.raters.count()) == (included, 4, 0)


def test_a_refused_file_shows_each_path_and_stores_nothing(cast):
    sent = {"file": SimpleUploadedFile("study.json", b'{"format": "groundwork-study", "version": 1}')}
    page = member(cast, "stranger").post(reverse("study-new-definition"), sent)
    assert page.status_code == 422
    assert "<code>study</code>" in page.content.decode()
    assert Study.objects.count() == 1


def test_the_api_names_each_path_and_takes_what_it_gave(cast):
    client = cast.client("stranger")
    given = cast.client("owner").get(f"{cast.base}/definition/").json()
    made = client.post("/api/v1/study-definitions/", {"slug": "again", "definition": given}, format="json")
    assert made.status_code == 201, made.json()
    taken = client.post("/api/v1/study-definitions/", {"slug": "again", "definition": given}, format="json")
    assert (taken.status_code, list(taken.json()["fields"])) == (400, ["slug"])
    given["forms"][0]["criteria"][0]["kind"] = "stars"
    refused = client.post("/api/v1/study-definitions/", {"slug": "no", "definition": given}, format="json")
    assert refused.status_code == 422
    assert list(refused.json()["fields"]) == ["forms[0].criteria[0].kind"]
    assert not Study.objects.filter(slug="no").exists()


def test_the_command_writes_what_it_reads(cast, tmp_path):
    path = tmp_path / "study.yaml"
    call_command("study_definition", "export", cast.slug, out=str(path))
    output = io.StringIO()
    owner = cast.users["stranger"].email
    call_command("study_definition", "import", str(path), slug="again", owner=owner, stdout=output)
    assert "Draft 'again' created" in output.getvalue()
    again = io.StringIO()
    call_command("study_definition", "export", "again", stdout=again)
    assert again.getvalue() == path.read_text()
    with pytest.raises(CommandError, match="taken"):
        call_command("study_definition", "import", str(path), slug="again", owner=owner)
