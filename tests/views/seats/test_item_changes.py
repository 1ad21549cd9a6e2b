"""Pages, API and command that add items to an open study, retire them, and correct what describes them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import StudyState
from annotation.domain.pay.wages import PayFor
from annotation.models import AuditEntry, ImportFile, Item, Job, Seat
from annotation.services.items.corrections import correct_item
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_job
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay

pytestmark = pytest.mark.django_db
CHANGE = "/studies/lamps/settings/items/"
FILE = b"item,simile,meta.source\ni1,like rain,a\ni2,like snow,b\n"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=4, overlap=2)


@pytest.fixture
def admin(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["admin"])
    return client


def send(client: Client, what: str, content: bytes = FILE) -> str:
    sent = {"what": what, "file": SimpleUploadedFile("more.csv", content)}
    answer = client.post("/studies/lamps/settings/import/", sent)
    assert answer.status_code == 302, answer.content.decode()
    return answer.headers["Location"]


def test_a_file_adds_items_to_an_open_study_with_their_slots(cast: Cast, admin: Client) -> None:
    assert "2 rating slots" in admin.get("/studies/lamps/settings/import/").content.decode()
    send(admin, "items")
    assert Seat.objects.filter(item__key__in=["i1", "i2"]).count() == 4


def test_only_who_manages_the_study_adds_items_while_raters_work(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.users["researcher"])
    sent = {"what": "items", "file": SimpleUploadedFile("more.csv", FILE)}
    assert client.post("/studies/lamps/settings/import/", sent).status_code == 403
    assert cast.study.items.count() == 4


def test_a_file_corrects_metadata_of_an_open_study_but_no_text(cast: Cast, admin: Client) -> None:
    url = send(admin, "columns", b"item,simile,meta.source\nL00,The lamp hung like moon 0.,novel\n")
    columns = {"use-0": "item", "use-1": "text:", "name-1": "simile", "use-2": "meta:", "name-2": "source"}
    admin.post(url, {**columns, "update": "on", "act": "import"})
    run_job(Job.objects.get(kind="import_items").pk)
    assert Item.objects.get(key="L00").metadata == {"source": "novel"}
    url = send(admin, "columns", b"item,simile\nL01,Another text.\n")
    page = admin.post(url, {**columns, "use-2": "", "update": "on", "act": "import"})
    assert "raters have seen" in page.content.decode()
    assert ImportFile.objects.filter(stored=None).count() == 1


def test_what_is_confirmed_is_what_was_shown(cast: Cast, admin: Client) -> None:
    asked = {"act": "retire", "which": "chosen", "items": "L00\nL01", "to": "", "reason": "doubled"}
    page = admin.get(CHANGE, asked)
    assert page.context["consequence"].slots == 4
    other = {**asked, "items": "L00\nL01\nL02", "shown": page.context["shown"]}
    assert admin.post(CHANGE, other).status_code == 409
    assert not Item.objects.exclude(retired_at=None).exists()
    assert admin.post(CHANGE, {**asked, "shown": page.context["shown"]}).status_code == 302
    assert sorted(Item.objects.exclude(retired_at=None).values_list("key", flat=True)) == ["L00", "L01"]
    listed = admin.get("/studies/lamps/items/").content.decode()
    assert listed.count('<span class="tag">retired</span>') == 2


@pytest.mark.parametrize(
    ("paid_for", "words"),
    [(PayFor.PAGE, "1.20 EUR"), (PayFor.RATER, "you pay for raters or sessions, not for pages")],
)
def test_more_ratings_show_what_they_cost(cast: Cast, admin: Client, paid_for: PayFor, words: str) -> None:
    form = str(cast.study.forms.get().pk)
    asked = {"act": "ratings", "which": "all", "form": form, "to": "5", "reason": ""}
    assert "Pay for them" not in admin.get(CHANGE, asked).content.decode()
    pay(cast, "0.10", paid_for=paid_for)
    page = admin.get(CHANGE, asked)
    assert page.context["consequence"].slots == 12
    assert words in " ".join(page.content.decode().split())


def test_an_item_that_is_added_just_before_the_confirmed_change_is_made_is_not_changed(
    cast: Cast, admin: Client
) -> None:
    asked = {"act": "retire", "which": "all", "to": "", "reason": ""}
    asked["shown"] = admin.get(CHANGE, asked).context["shown"]
    added: list[Item] = []

    def add_before(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SAVEPOINT") and not added:
            added.append(Item(study=cast.study, key="new", position=9))
            added[0].save()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(add_before):
        assert admin.post(CHANGE, asked).status_code == 409
    assert added
    assert not Item.objects.exclude(retired_at=None).exists()


def test_more_ratings_of_a_group_are_counted_before_they_are_asked_for(cast: Cast, admin: Client) -> None:
    form = cast.study.forms.get()
    asked = {"act": "ratings", "which": "group", "group": "lamp", "form": str(form.pk), "to": "3"}
    page = admin.get(CHANGE, asked)
    assert (page.context["consequence"].items, page.context["consequence"].slots) == (4, 4)
    admin.post(CHANGE, {**asked, "shown": page.context["shown"]})
    assert Seat.objects.filter(form=form).count() == 12
    assert "The study has no group" in admin.get(CHANGE, {**asked, "group": "sun"}).content.decode()
    chosen = {**asked, "which": "chosen", "group": "", "items": "L00\nL77"}
    assert "The study has no item" in admin.get(CHANGE, chosen).content.decode()


@pytest.mark.parametrize(
    ("entered", "says"),
    [
        ({"which": "all", "items": "L00"}, "Choose “Items by ID” above"),
        ({"which": "all", "group": "lamp"}, "Choose “Items of a group” above"),
        ({"which": "chosen", "items": "L00", "group": "lamp"}, "Choose “Items of a group” above"),
    ],
)
def test_entered_items_that_the_choice_would_ignore_are_refused(
    admin: Client, entered: dict[str, str], says: str
) -> None:
    page = admin.get(CHANGE, {"act": "retire", "to": "", **entered})
    assert says in page.content.decode()
    assert page.context["consequence"] is None
    admin.post(CHANGE, {"act": "retire", "to": "", **entered, "shown": ""})
    assert not Item.objects.exclude(retired_at=None).exists()


def test_each_choice_has_the_fields_that_it_needs_and_groups_are_offered(cast: Cast, admin: Client) -> None:
    page = admin.get(CHANGE)
    needed = {
        str(choice.data["value"]): [one.name for one in fields]
        for _, choices in page.context["form"].choices_with_fields()
        for choice, fields in choices
    }
    assert needed == {
        "ratings": ["form", "to"],
        "retire": ["reason"],
        "restore": [],
        "all": [],
        "group": ["group"],
        "chosen": ["items"],
    }
    text = page.content.decode()
    assert all(text.count(f'name="{name}"') == 1 for name in ("form", "to", "reason", "group", "items"))
    assert 'list="groups"' in text
    assert '<datalist id="groups"><option value="lamp"></option></datalist>' in text


def test_ticked_items_of_the_list_are_filled_in(admin: Client) -> None:
    page = admin.get(CHANGE, {"item": ["L01", "L03"]})
    assert page.context["form"]["items"].value() == "L01\nL03"
    assert page.context["consequence"] is None


def test_a_correction_keeps_types_of_metadata_and_the_log_has_none_of_their_values(
    cast: Cast, admin: Client
) -> None:
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    Item.objects.filter(key="L00").update(metadata={"year": 1999, "place": "Rome", "old": "x"})
    sent = {"group": "lamp", "system": "model", "meta-year": "2001", "meta-place": "Paris", "meta-old": ""}
    sent |= {"new_name": "page", "new_value": "7"}
    assert admin.post(f"{CHANGE}L00/", sent).status_code == 302
    item = Item.objects.get(key="L00")
    assert item.metadata == {"year": 2001, "place": "Paris", "page": "7"}
    detail = AuditEntry.objects.get(act="correct_item").detail
    assert detail == {
        "item": "L00",
        "before": {"system": "by-hand"},
        "after": {"system": "model"},
        "metadata": ["year", "place", "old", "page"],
    }
    assert admin.post(f"{CHANGE}L00/", {**sent, "new_name": ""}).status_code == 302
    assert AuditEntry.objects.filter(act="correct_item").count() == 1


def test_the_api_and_the_command_do_the_same(cast: Cast) -> None:
    api = cast.client("admin")
    done = api.post(f"{cast.base}/item-changes/", {"act": "ratings", "all": True, "to": 3}, format="json")
    assert (done.status_code, done.json()) == (200, {"slots": 4})
    refused = api.post(f"{cast.base}/item-changes/", {"act": "retire"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_selection")
    payload = api.patch(f"{cast.base}/items/L00/", {"system": "model"}, format="json").json()
    assert (payload["system"], payload["retired_at"]) == ("model", None)
    call_command("study_items", "retire", "lamps", "--item", "L00", "--item", "L01", "--reason", "doubled")
    assert Item.objects.exclude(retired_at=None).count() == 2
    call_command("study_items", "restore", "lamps", "--all")
    call_command("study_items", "correct", "lamps", "L00", "--meta", "place=Rome")
    assert Item.objects.get(key="L00").metadata == {"place": "Rome"}
    assert Seat.objects.filter(form__study=cast.study).count() == 10


@pytest.mark.parametrize("typed", ["NaN", "1e999", '["a\\u0000"]', '{"a\\u0000": 1}', "[" * 100_000])
def test_typed_metadata_that_cannot_be_stored_are_refused(cast: Cast, admin: Client, typed: str) -> None:
    before = {"NaN": 1.5, "1e999": 1.5, "{": {"a": 1}}.get(typed if typed[0] not in "[{" else typed[0], [1])
    Item.objects.filter(key="L00").update(metadata={"value": before})
    sent = {"group": "lamp", "system": "", "meta-value": typed, "new_name": "", "new_value": ""}
    assert admin.post(f"{CHANGE}L00/", sent).status_code == 422
    assert Item.objects.get(key="L00").metadata == {"value": before}


@pytest.mark.parametrize("value", ["a\x00", ["a\x00"], {"a\x00": 1}, {"a": [{"b": "\x00"}]}])
def test_the_api_refuses_metadata_with_a_character_that_cannot_be_stored(cast: Cast, value: object) -> None:
    answer = cast.client("admin").patch(f"{cast.base}/items/L00/", {"metadata": {"a": value}}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_description")


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_correction_refuses_numbers_that_json_does_not_have(cast: Cast, number: float) -> None:
    with pytest.raises(InvalidContent) as refused:
        correct_item(item=Item.objects.get(key="L00"), actor=None, metadata={"a": [number]})
    assert (refused.value.code, list(refused.value.fields)) == ("bad_description", ["metadata.a[0]"])
