"""Budget and ledger on pages and over the API: who approves what, and what is shown before money goes out."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.pay.payment_states import PaymentState
from annotation.models import AuditEntry, Exclusion, Payment, PaymentEntry, PaymentList, Rater
from annotation.services.rating.withdrawal import withdraw
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import approved, made, mark, pay, sent, states, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=4, overlap=3)
    pay(cast)
    worked(cast, 30, 30)
    return cast


def client(cast: Cast, who: str = "admin") -> Client:
    found = Client()
    found.force_login(cast.users[who])
    return found


def path(cast: Cast, name: str, *arguments: Any) -> str:
    return reverse(name, args=[cast.slug, *arguments])


def posted(cast: Cast, name: str, *arguments: Any, **fields: Any) -> str:
    return client(cast).post(path(cast, name, *arguments), fields, follow=True).content.decode()


def test_from_due_to_confirmed_on_pages(cast):
    shown = client(cast).get(path(cast, "study-pay")).content.decode()
    assert "Create payment list" in shown
    assert "Payment list 1 created." in posted(cast, "study-payment-lists", kinds="all")
    assert "Nothing is due" in posted(cast, "study-payment-lists", kinds="all")
    assert PaymentList.objects.count() == 1
    wrong = posted(cast, "study-payment-list", 1, act="approve", total="0.2000001")
    assert "The payments to approve amount to 0.20 EUR." in wrong
    assert states(cast.study) == {"due": 1}
    assert "1 payment approved." in posted(cast, "study-payment-list", 1, act="approve", total="0,20")
    assert "left to approve" in posted(cast, "study-payment-list", 1, act="approve", total="0,20")
    seen = {"count": "1", "total": "0.20"}
    posted(cast, "study-payment-list", 1, act="sent", reference="T-1", **seen)
    posted(cast, "study-payment-list", 1, act="confirmed", **seen)
    assert "<bdi>T-1</bdi></td>" in client(cast).get(path(cast, "study-payment-list", 1)).content.decode()
    assert states(cast.study) == {"confirmed": 1}
    assert str(cast.users["admin"]) in client(cast).get(path(cast, "study-payment-list", 1)).content.decode()


def test_one_payment_is_changed_from_the_state_that_was_seen(cast):
    listed = sent(cast)
    mark(cast, listed, PaymentState.IN_DOUBT)
    payment = Payment.objects.get()
    act = partial(posted, cast, "study-payment", payment.pk)
    assert "changed meanwhile" in act(seen="sent", attempt="1", to="failed")
    assert "changed meanwhile" in act(seen="in_doubt", attempt="2", to="failed")
    assert "changed meanwhile" in act(seen="in_doubt", to="failed")
    assert "cannot become sent" in act(seen="in_doubt", attempt="1", to="sent", reference="again")
    shown = client(cast).get(path(cast, "study-payment-list", 1)).content.decode()
    assert '<input type="hidden" name="attempt" value="1">' in shown
    act(seen="in_doubt", attempt="1", to="failed", note="came back")
    assert states(cast.study) == {"failed": 1}


def test_who_was_excluded_or_has_withdrawn_is_named_with_the_consequence(cast):
    excluded, gone = worked(cast, 30), worked(cast, 30)
    Exclusion.objects.create(study=cast.study, rater=excluded, reason="careless")
    withdraw(rater=gone)
    listed = made(cast)
    shown = client(cast).get(path(cast, "study-payment-list", listed.number)).content.decode()
    assert (shown.count(">excluded<"), shown.count(">withdrawn<")) == (1, 1)
    assert "before an exclusion or withdrawal stays owed" in shown


def test_results_come_from_a_file_that_a_worker_reads(cast, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    listed = sent(cast)
    key = listed.payments.get().key
    for content, state in (
        (f"payment,state\n{key},lost\n", "sent"),
        (f"payment,state\n{key},confirmed\n", "confirmed"),
    ):
        file = SimpleUploadedFile("results.csv", content.encode())
        shown = client(cast).post(path(cast, "study-payment-results", 1), {"file": file}, follow=True)
        assert states(cast.study) == {state: 1}
        assert ("Problems in the file" in shown.content.decode()) == (state == "sent")


def test_an_outside_payment_is_entered_on_the_page(cast):
    code = Rater.objects.filter(study=cast.study, user=None).get().code
    fields = {"rater": code, "kind": "base", "amount": "0.20", "reference": "cash 7"}
    assert "is more than was earned" in posted(cast, "study-outside-payment", **{**fields, "amount": "0.21"})
    shown = posted(cast, "study-outside-payment", **fields)
    assert "Payment entered." in shown
    assert "Nothing is due." in shown
    assert "already in the ledger" in posted(cast, "study-outside-payment", **fields)


def test_the_budget_is_shown_with_what_is_left_and_the_stop(cast):
    shown = posted(cast, "study-budget", budget="0.25")
    assert "New raters are not admitted." in shown
    assert "not admitted" in client(cast, "admin").get(path(cast, "study")).content.decode()
    # Pay is managed by owners and admins.
    assert "not admitted" not in client(cast, "researcher").get(path(cast, "study")).content.decode()
    joining = Client().get(reverse("join", args=[cast.invitation.token]))
    assert joining.status_code == 409
    assert "does not cover another rater" in joining.content.decode()
    assert "New raters are not admitted." not in posted(cast, "study-budget", budget="")


def test_pay_per_hour_is_of_finished_sessions_with_their_number(cast):
    Rater.objects.filter(study=cast.study).update(state="withdrawn")
    other = make_cast(slug="other", items=4)
    pay(other)
    worked(other, 30, 30, ended=1)
    shown = client(other).get(path(other, "study-pay")).content.decode()
    assert "no finished session yet" in shown
    assert "12.00" not in shown
    ended = client(cast).get(path(cast, "study-pay")).content.decode()
    assert "12.00 EUR" in ended
    assert "1 finished session" in ended


def test_over_the_api_a_list_is_made_approved_and_paid(cast):
    admin = cast.client("admin")
    assert admin.put(f"{cast.base}/pay/budget/", {"budget": "50"}, format="json").json() == {
        "budget": "50.00"
    }
    listed = admin.post(f"{cast.base}/pay/lists/", {}, format="json")
    assert (listed.status_code, listed.json()["states"], listed.json()["amount"]) == (201, {"due": 1}, "0.20")
    assert admin.post(f"{cast.base}/pay/lists/", {}, format="json").json()["code"] == "nothing_due"
    one = f"{cast.base}/pay/lists/1/"
    assert admin.post(one, {"approve": "1"}, format="json").status_code == 422
    assert admin.post(one, {"approve": "0.20"}, format="json").json()["states"] == {"approved": 1}
    sent_now = {"state": "sent", "reference": "T-1"}
    assert sorted(admin.post(one, sent_now, format="json").json()["fields"]) == ["payments", "total"]
    assert admin.get(one).json()["amounts"] == {"approved": "0.20"}
    other = admin.post(one, {**sent_now, "payments": 1, "total": "0.10"}, format="json")
    assert (other.status_code, other.json()["code"]) == (409, "changed_elsewhere")
    assert admin.post(one, {**sent_now, "payments": 1, "total": "0.20"}, format="json").status_code == 200
    found = admin.get(f"{cast.base}/pay/payments/").json()["results"][0]
    assert (found["state"], found["list"], found["reference"]) == ("sent", 1, "T-1")
    change = f"{cast.base}/pay/payments/{found['payment']}/"
    seen = {"seen": "sent", "attempt": 1}
    assert admin.post(change, {"seen": "sent", "state": "in_doubt"}, format="json").status_code == 400
    stale = admin.post(change, {**seen, "attempt": 2, "state": "in_doubt"}, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "changed_elsewhere")
    assert admin.post(change, {**seen, "state": "in_doubt"}, format="json").status_code == 200
    again = admin.post(change, {**seen, "seen": "in_doubt", "state": "approved"}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "not_from_here")
    outside = {"rater": found["rater"], "kind": "bonus", "amount": "2.00", "reference": "cash"}
    refused = admin.post(f"{cast.base}/pay/payments/", outside, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "beyond_earned")
    outside["beyond_earned"] = True
    entered = admin.post(f"{cast.base}/pay/payments/", outside, format="json")
    assert (entered.status_code, entered.json()["list"]) == (201, None)
    assert admin.get(f"{cast.base}/pay/lists/").json()["results"][0]["approved_by"] == str(
        cast.users["admin"]
    )


def test_platform_files_leave_out_what_was_sent_or_is_in_doubt(cast):
    listed = approved(cast)
    mark(cast, listed, PaymentState.SENT, reference="T-1")
    shown = posted(cast, "study-payment-file", 1, layout="prolific", with_ids="on")
    assert "No approved top-up or bonus" in shown
    assert PaymentEntry.objects.filter(state="sent").count() == 1
    assert Decimal(Payment.objects.get().amount) == 20


def shown_list(cast: Cast) -> str:
    return client(cast).get(path(cast, "study-payment-list", 1)).content.decode()


def test_payments_that_were_downloaded_and_not_sent_are_shown_with_who_did_so(cast):
    listed = approved(cast)
    owner = client(cast, "owner")
    address = path(cast, "study-payment-file", 1)
    assert "not marked as sent" not in shown_list(cast)
    assert owner.post(address, {"layout": "table"}).status_code == 200
    refused = posted(cast, "study-payment-file", 1, layout="table")
    assert "Another study member has downloaded payments of list 1" in refused
    assert f"<bdi>{cast.users['owner']}</bdi> downloaded approved payments of this list on" in refused
    first = AuditEntry.objects.get(act="export_payments")
    field = f'<input type="hidden" name="seen_download" value="{first.pk}">'
    assert field in refused
    again = client(cast).post(address, {"layout": "table", "seen_download": first.pk})
    assert again.status_code == 200
    second = AuditEntry.objects.filter(act="export_payments").latest("pk")
    moment = first.created_at.isoformat(timespec="seconds")
    assert (second.detail["member"], second.detail["downloaded_before"]) == (
        cast.users["owner"].email,
        moment,
    )
    assert "downloaded_before" not in first.detail
    mark(cast, listed, PaymentState.SENT, reference="T-1")
    assert "not marked as sent" not in shown_list(cast)


def test_marks_take_what_the_page_showed_and_nothing_approved_since(cast):
    listed = approved(cast)
    shown = shown_list(cast)
    assert "1 payment of 0.20 EUR is approved." in shown
    seen = {"count": "1", "total": "0.20"}
    for name, value in seen.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in shown
    for other in ({}, {"count": "2", "total": "0.20"}, {"count": "1", "total": "0.10"}):
        refused = posted(cast, "study-payment-list", 1, act="sent", reference="T-1", **other)
        assert "changed meanwhile" in refused
    assert states(cast.study) == {"approved": 1}
    posted(cast, "study-payment-list", listed.number, act="sent", reference="T-1", **seen)
    assert states(cast.study) == {"sent": 1}
