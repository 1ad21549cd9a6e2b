"""The page about pay, the bonus list, and the platform ids: explicit, logged, separate from the data."""

from __future__ import annotations

import copy
import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import openpyxl
import pyarrow.parquet
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from annotation.io.base.writers import CONTENT_TYPES
from annotation.models import AuditEntry, Bonus, Pay, PaymentList, PlatformIdentity, Rater, Study, Withdrawal
from annotation.services.rating.withdrawal import withdraw
from scoring.models import Score, ScoreRun
from scoring.selectors.reports.exports import EXPORTED
from tests.support.people import Cast, make_cast
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.pay import approved, pay, worked

pytestmark = pytest.mark.django_db
SETTINGS = {"currency": "EUR", "paid_for": "page", "amount": "0.10", "floor": "12", "page_seconds": "30"}
PERSONS = {"prolific": "5f0cc1a2b3d4e5f601234567", "mturk": "A1B2C3D4E5F6G7"}
SESSIONS = {"prolific": "sess-0042-prolific", "mturk": "3X4Y5Z-assignment"}


@pytest.fixture
def cast(cast_of_the_module: Cast, db: None) -> Cast:
    return copy.deepcopy(cast_of_the_module)


@pytest.fixture(scope="module")
def cast_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cast]:
    with rows_of_a_module(django_db_blocker):
        yield paid_cast()


def paid_cast() -> Cast:
    """Two slow raters from two platforms and one from none; all are below the minimum hourly rate."""
    cast = make_cast(items=4, overlap=4)
    for platform in (*PERSONS, ""):
        rater = worked(cast, 60, 60)
        if platform:
            identify(cast, rater, platform)
    pay(cast, floor=Decimal(12))
    return cast


def identify(cast: Cast, rater: Rater, platform: str) -> None:
    PlatformIdentity.objects.create(
        rater=rater,
        study=cast.study,
        invitation=cast.invitation,
        platform=platform,
        person=PERSONS[platform],
        task="task-7711",
        session=SESSIONS[platform],
    )


def client(cast: Cast, who: str = "admin") -> Client:
    found = Client()
    found.force_login(cast.users[who])
    return found


def address(cast: Cast, name: str) -> str:
    return reverse(name, args=[cast.slug])


def taken(cast: Cast, **fields: str) -> Any:
    """A payment list of the study, as a file; a new one where there is none."""
    listed = PaymentList.objects.first() or approved(cast)
    return client(cast).post(reverse("study-payment-file", args=[cast.slug, listed.number]), fields)


def rows(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def codes(cast: Cast) -> list[str]:
    return list(cast.study.raters.filter(user=None).order_by("code").values_list("code", flat=True))


def secrets() -> list[str]:
    return [*PERSONS.values(), *SESSIONS.values(), "task-7711"]


def test_the_settings_are_stored_and_shown_again(cast):
    Pay.objects.all().delete()
    browser = client(cast)
    browser.post(address(cast, "study-pay"), {**SETTINGS, "shown": "on"})
    stored = Pay.objects.get()
    assert (stored.currency, stored.amount, stored.floor, stored.shown) == (
        *("EUR", Decimal("0.1"), Decimal(12)),
        True,
    )
    page = browser.get(address(cast, "study-pay")).content.decode()
    assert 'value="EUR"' in page
    assert "6.00 EUR" in page
    assert "below the minimum" in page
    assert 'name="amount" value="0.1"' in page
    assert AuditEntry.objects.filter(act="set_pay").count() == 2


@pytest.mark.parametrize("wrong", [{"currency": "eu"}, {"amount": "-1"}, {"paid_for": "hour"}])
def test_wrong_settings_store_nothing(cast, wrong):
    Pay.objects.all().delete()
    assert client(cast).post(address(cast, "study-pay"), SETTINGS | wrong).status_code == 422
    assert not Pay.objects.exists()


def test_a_bonus_for_no_rater_is_refused_in_words(cast):
    browser = client(cast)
    sent = {"rater": "R-999", "amount": "1"}
    page = browser.post(address(cast, "study-bonus"), sent, follow=True)
    assert "No rater in this study has this code." in page.content.decode()
    other = make_cast(slug="other")
    stranger = worked(other, 20)
    browser.post(address(cast, "study-bonus"), {"rater": f"{stranger.code}9", "amount": "1"})
    assert not Bonus.objects.exists()


def test_the_list_names_codes_alone_unless_ids_are_asked_for(cast):
    plain = taken(cast, layout="table")
    assert [(row["rater"], row["amount"], row["kind"]) for row in rows(plain)] == [
        (code, "0.20", kind) for code in codes(cast) for kind in ("base", "top_up")
    ]
    assert not any(secret in plain.content.decode() for secret in secrets())
    asked = rows(taken(cast, layout="table", with_ids="on"))
    assert [row["person"] for row in asked if row["kind"] == "base"] == [*PERSONS.values(), ""]
    logged = AuditEntry.objects.filter(act="export_payments").order_by("pk")
    assert [entry.detail["platform_ids"] for entry in logged] == [False, True]
    assert not any(secret in str(entry.detail) for entry in logged for secret in secrets())


def test_prolific_takes_lines_of_id_and_amount(cast):
    answer = taken(cast, layout="prolific", with_ids="on")
    assert answer.content.decode() == f"{PERSONS['prolific']},0.20\n"


def test_mechanical_turk_takes_worker_assignment_amount_and_reason(cast):
    Bonus.objects.create(
        rater=Rater.objects.get(identity__platform="mturk"), amount="1.00", note="Thank you."
    )
    assert rows(taken(cast, layout="mturk", with_ids="on")) == [
        {
            "WorkerId": PERSONS["mturk"],
            "AssignmentId": SESSIONS["mturk"],
            "BonusAmount": "1.20",
            "Reason": "Thank you.",
        }
    ]


def test_a_platforms_list_without_its_ids_is_refused(cast):
    path = reverse("study-payment-file", args=[cast.slug, approved(cast).number])
    page = client(cast).post(path, {"layout": "prolific"}, follow=True)
    assert "Include platform IDs" in page.content.decode()
    assert not AuditEntry.objects.filter(act="export_payments").exists()


def test_a_platform_from_which_no_rater_came_is_named(cast):
    PlatformIdentity.objects.filter(platform="mturk").delete()
    path = reverse("study-payment-file", args=[cast.slug, approved(cast).number])
    page = client(cast).post(path, {"layout": "mturk", "with_ids": "on"}, follow=True)
    assert "is for a rater from this platform" in page.content.decode()


@pytest.mark.parametrize("file_format", CONTENT_TYPES)
def test_the_platform_ids_are_taken_by_an_act_that_is_logged(cast, file_format):
    answer = client(cast).post(address(cast, "study-platform-ids"), {"format": file_format})
    text = as_text(answer.getvalue(), file_format)
    assert all(secret in text for secret in secrets())
    assert codes(cast)[0] in text
    entry = AuditEntry.objects.get(act="export_platform_ids")
    assert (entry.actor, entry.detail) == (cast.users["admin"], {"format": file_format, "raters": 2})


def test_a_researcher_is_neither_offered_nor_given_the_ids(cast):
    pages = [client(cast, who).get(address(cast, "study-exports")) for who in ("researcher", "admin")]
    assert ["Platform IDs" in page.content.decode() for page in pages] == [False, True]
    answer = client(cast, "researcher").post(address(cast, "study-platform-ids"), {"format": "csv"})
    assert answer.status_code == 403
    assert not AuditEntry.objects.filter(act="export_platform_ids").exists()


@pytest.mark.parametrize("name", ["study-audit", "study-download", "study-audit-download"])
def test_the_audit_log_tells_of_pay_only_those_who_may_see_it(cast, name):
    pay(cast)
    arguments = {"study-download": ["audit"], "study-audit-download": ["csv"]}.get(name, [])
    for who, included in (("admin", True), ("researcher", False)):
        answer = client(cast, who).get(reverse(name, args=[cast.slug, *arguments]))
        text = b"".join(answer) if answer.streaming else answer.content
        assert (answer.status_code, b"EUR" in text.replace(b'value="EUR"', b"")) == (200, included)


def test_nothing_is_left_of_a_rater_whose_data_were_erased(cast):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=Withdrawal.ERASE)
    withdraw(rater=Rater.objects.get(identity__platform="mturk"))
    answer = client(cast).post(address(cast, "study-platform-ids"), {"format": "jsonl"})
    text = answer.getvalue().decode()
    assert (text.count("\n"), PERSONS["prolific"] in text, '"mturk"' in text) == (1, True, False)


def as_text(content: bytes, file_format: str) -> str:
    if file_format == "parquet":
        return str(pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist())
    if file_format == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(content))
        return str([list(sheet.iter_rows(values_only=True)) for sheet in book])
    return content.decode()


@pytest.mark.parametrize("file_format", CONTENT_TYPES)
@pytest.mark.parametrize("what", EXPORTED)
def test_no_export_of_the_data_holds_a_platform_id(cast, what, file_format, tmp_path):
    run = ScoreRun.objects.create(study=cast.study, name="one")
    Score.objects.create(run=run, item=cast.study.items.all()[0], metric="length", value=1.0)
    browser, files = client(cast, "owner"), {}
    path = reverse("study-download", args=[cast.slug, what])
    files["page"] = browser.get(path, {"format": file_format, "all_revisions": "1"}).getvalue()
    api = cast.client("owner").get(f"{cast.base}/exports/", {"what": what, "format": file_format})
    files["api"] = api.getvalue()
    out = tmp_path / "file"
    call_command("export", cast.slug, what=what, format=file_format, out=str(out), all_revisions=True)
    files["command"] = out.read_bytes()
    for way, content in files.items():
        text = as_text(content, file_format)
        assert not any(secret in text for secret in secrets()), way
        assert what != "ratings" or codes(cast)[0] in text, way


@pytest.mark.parametrize(
    ("paid_for", "words"),
    [("page", "per page"), ("sitting", "per session"), ("rater", "for completing the study")],
)
def test_raters_read_the_pay_before_they_start_if_the_researcher_wishes(cast, paid_for, words):
    join = reverse("join", args=[cast.invitation.token])
    Pay.objects.update(paid_for=paid_for, page_seconds=90)
    assert "You will be paid" not in Client().get(join).content.decode()
    assert cast.client("anonymous").get(f"/api/v1/join/{cast.invitation.token}/").json()["pay"] is None
    Pay.objects.update(shown=True)
    page = Client().get(join).content.decode()
    assert "0.10 EUR" in page
    assert words in page
    assert "A page takes about 90 seconds." in page
    assert "about 6 min" in page
    payload = cast.client("anonymous").get(f"/api/v1/join/{cast.invitation.token}/").json()["pay"]
    assert payload == {"currency": "EUR", "paid_for": paid_for, "amount": "0.1000", "page_seconds": 90.0}


def test_over_the_api_pay_is_read_and_set(cast):
    admin = cast.client("admin")
    found = admin.get(f"{cast.base}/pay/").json()
    assert (found["pay"]["amount"], found["pages"], found["per_hour"]) == ("0.1000", 6, "6.00")
    assert [row["amount"] for row in found["bonuses"]] == ["0.20"] * 3
    sent = {"currency": "USD", "paid_for": "sitting", "amount": "1.5"}
    assert admin.put(f"{cast.base}/pay/", sent, format="json").json()["pay"]["floor"] is None
    assert Pay.objects.get().currency == "USD"
    refused = admin.put(f"{cast.base}/pay/", {**sent, "currency": "dollars"}, format="json")
    assert (refused.status_code, "currency" in refused.json()["fields"]) == (400, True)
