"""Items about which no rater would be asked, since adaptive pairs have ended, are refused everywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.seats.pairing import Stop
from annotation.models import PairRound, Seat
from annotation.protocols.preference import PREFERENCE
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.seats.retirement import restore_items
from annotation.services.studies.added_items import give_slots
from annotation.services.studies.forms import create_form
from tests.support.people import Cast
from tests.support.studies.pairs.adaptive_study import adaptive_cast, rounds

pytestmark = pytest.mark.django_db
NEW = NewItem("new", {"a": "one", "b": "other"}, metadata={"a": "c0", "b": "c9"})
FILE = b"item,a,b,meta.a,meta.b\nnew,one,other,c0,c9\n"
SENTENCE = "The rounds of adaptive pairs have ended"


@pytest.fixture
def ended() -> Cast:
    """Rounds that have ended, and one retired item."""
    cast = adaptive_cast()
    PairRound.objects.update(stopped=Stop.ORDER_KNOWN)
    cast.study.items.filter(key="c0-c1").update(retired_at=timezone.now())
    return cast


def add_by_page(cast: Cast, _folder: Path) -> str:
    client = Client()
    client.force_login(cast.users["owner"])
    sent = {"what": "items", "file": SimpleUploadedFile("more.csv", FILE)}
    page: str = client.post("/studies/pairs/settings/import/", sent).content.decode()
    return page


def add_by_api(cast: Cast, _folder: Path) -> str:
    client = APIClient()
    client.force_authenticate(cast.users["owner"])
    sent = {"file": SimpleUploadedFile("more.csv", FILE)}
    answer = client.post("/api/v1/studies/pairs/items/", sent, format="multipart")
    assert (answer.status_code, "pairs_ended" in answer.content.decode()) == (409, True)
    page: str = answer.content.decode()
    return page


def add_by_command(_cast: Cast, folder: Path) -> str:
    (folder / "more.csv").write_bytes(FILE)
    with pytest.raises(CommandError) as refused:
        call_command("import_items", "pairs", str(folder / "more.csv"))
    return str(refused.value)


def restore_by_page(cast: Cast, _folder: Path) -> str:
    client = Client()
    client.force_login(cast.users["owner"])
    asked = {"act": "restore", "which": "all", "to": "", "reason": ""}
    shown = client.get("/studies/pairs/settings/items/", asked).context["shown"]
    answer = client.post("/studies/pairs/settings/items/", {**asked, "shown": shown}, follow=True)
    page: str = answer.content.decode()
    return page


def restore_by_api(cast: Cast, _folder: Path) -> str:
    client = APIClient()
    client.force_authenticate(cast.users["owner"])
    asked = {"act": "restore", "all": True}
    answer = client.post("/api/v1/studies/pairs/item-changes/", asked, format="json")
    assert (answer.status_code, "pairs_ended" in answer.content.decode()) == (409, True)
    page: str = answer.content.decode()
    return page


def restore_by_command(_cast: Cast, _folder: Path) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("study_items", "restore", "pairs", "--all")
    return str(refused.value)


@pytest.mark.parametrize(
    "ask",
    [add_by_page, add_by_api, add_by_command, restore_by_page, restore_by_api, restore_by_command],
)
def test_items_are_neither_added_nor_restored_when_no_further_round_would_ask_for_them(
    ended: Cast, ask: Callable[[Cast, Path], str], tmp_path: Path
) -> None:
    assert SENTENCE in ask(ended, tmp_path)
    assert not ended.study.items.filter(key="new").exists()
    assert ended.study.items.get(key="c0-c1").retired_at is not None


def test_items_are_taken_where_another_form_asks_for_them(ended: Cast) -> None:
    create_form(study=ended.study, template=replace(PREFERENCE.forms[0], key="other"), overlap=2)
    assert add_items(study=ended.study, rows=[NEW], give_slots=give_slots) == 1
    assert Seat.objects.filter(form__key="other", item__key="new").count() == 2
    assert restore_items(study=ended.study, items=ended.study.items.all(), actor=None).items == 1


def test_a_file_without_new_items_is_taken_and_so_are_items_until_the_rounds_have_ended(ended: Cast) -> None:
    assert add_items(study=ended.study, rows=[], give_slots=give_slots) == 0
    PairRound.objects.update(stopped="")
    assert add_items(study=ended.study, rows=[NEW], give_slots=give_slots) == 1
    PairRound.objects.update(stopped=Stop.BUDGET)
    with pytest.raises(NotAllowedNow) as refused:
        add_items(study=ended.study, rows=[NewItem("x", NEW.fields)], give_slots=give_slots)
    assert (refused.value.code, len(rounds(ended.study))) == ("pairs_ended", 1)
