"""Addresses are notified of events: signed, again where it failed, never into a private network unasked."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import StudyState
from annotation.io.base import signed_http
from annotation.io.base.signed_http import NotPosted, is_public, post
from annotation.models import Job, WebhookDelivery
from annotation.services.base.webhooks import RETRY_DELAYS, add_webhook, remove_webhook, retry_due
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_job
from tests.support.people import Cast
from tests.support.ports import listening


class Receiver(HTTPServer):
    """Keeps what is posted to it, and answers with the next of `answers`, 200 after the last."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__((host, port), Receiving)
        self.got: list[tuple[dict[str, str], str]] = []
        self.answers: list[int] = []


class Receiving(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.got.append((dict(self.headers), body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 200)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextlib.contextmanager
def receiving(*address: Any) -> Iterator[Receiver]:
    with listening(Receiver(*address)) as server:
        yield server


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


def paused_with_webhook(cast: Cast, receiver: Receiver, settings: Any) -> Any:
    settings.WEBHOOKS_PRIVATE = True
    owner = cast.users["owner"]
    address = f"http://127.0.0.1:{receiver.server_port}/told?by=us"
    webhook = add_webhook(study=cast.study, actor=owner, address=address, events=["change_state"])
    change_state(study=cast.study, to=StudyState.PAUSED, actor=owner)
    return webhook


def work() -> None:
    for job in Job.objects.filter(kind="webhook", state="queued"):
        run_job(job.pk)


def test_an_event_is_posted_with_a_signature_that_its_secret_makes(cast, receiver, settings) -> None:
    webhook = paused_with_webhook(cast, receiver, settings)
    work()
    ((headers, body),) = receiver.got
    assert json.loads(body) | {"at": ""} == {
        "event": "change_state",
        "study": cast.slug,
        "at": "",
        "detail": {"before": "open", "after": "paused"},
    }
    seconds, sign = (part.split("=")[1] for part in headers["Groundwork-Signature"].split(","))
    assert sign == hmac.new(webhook.secret.encode(), f"{seconds}.{body}".encode(), hashlib.sha256).hexdigest()
    assert cast.users["owner"].email not in body


def test_a_message_that_did_not_arrive_comes_again_until_it_does(cast, receiver, settings) -> None:
    paused_with_webhook(cast, receiver, settings)
    receiver.answers = [500, 302]
    work()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.delivered_at, delivery.error) == (None, "The response had the status 500.")
    assert retry_due() == 0
    for _ in range(2):
        WebhookDelivery.objects.update(next_at=timezone.now() - timedelta(seconds=1))
        assert retry_due() == 1
        work()
    delivery.refresh_from_db()
    assert (delivery.attempts, delivery.next_at, delivery.error) == (3, None, "")
    assert delivery.delivered_at is not None
    assert [headers["Groundwork-Delivery"] for headers, _ in receiver.got] == [str(delivery.pk)] * 3


def test_it_is_given_up_after_the_last_wait(cast, receiver, settings) -> None:
    paused_with_webhook(cast, receiver, settings)
    receiver.answers = [500] * 20
    for _ in range(len(RETRY_DELAYS) + 3):
        work()
        WebhookDelivery.objects.filter(next_at__isnull=False).update(next_at=timezone.now())
        retry_due()
    assert WebhookDelivery.objects.get().attempts == len(receiver.got) == len(RETRY_DELAYS) + 1


def test_other_events_are_posted_to_no_address(cast, receiver, settings) -> None:
    webhook = paused_with_webhook(cast, receiver, settings)
    webhook.events = ["import_items"]
    webhook.save()
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert WebhookDelivery.objects.count() == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://me:secret@example.org/",
        "ftp://example.org/",
        "https://example.org:port/",
        "https://",
        "nothing",
        "https://exa mple.org/\r\nHost: x",
    ],
)
def test_an_address_that_must_not_be_posted_to_is_refused(cast: Cast, address: str) -> None:
    sent = {"address": address, "events": ["change_state"]}
    answer = cast.client("owner").post(f"{cast.base}/webhooks/", sent, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_webhook")
    assert not cast.study.webhooks.exists()


def test_a_name_that_leads_into_a_private_network_is_not_posted_to(receiver: Receiver) -> None:
    with pytest.raises(NotPosted, match="private network"):
        post(f"https://localhost:{receiver.server_port}/", "{}", {}, private_allowed=False)
    assert receiver.got == []


def test_a_name_that_leads_elsewhere_once_it_was_checked_is_not_followed(receiver, monkeypatch) -> None:
    look_up, asked = socket.getaddrinfo, []

    def rebind(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host != "rebound.example":
            return look_up(host, *args, **kwargs)
        asked.append(host)
        return look_up("127.0.0.1" if len(asked) == 1 else "127.0.0.2", *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", rebind)
    with receiving("127.0.0.2", receiver.server_port) as elsewhere:
        post(f"http://rebound.example:{receiver.server_port}/", "{}", {}, private_allowed=True)
        assert (len(receiver.got), elsewhere.got) == (1, [])
    headers, _ = receiver.got[0]
    assert headers["Host"] == f"rebound.example:{receiver.server_port}"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.1.1", False),
        ("::ffff:192.168.1.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::", False),
        ("fe80::1", False),
        ("::127.0.0.1", False),
        ("::8.8.8.8", False),
        ("192.0.0.9", False),
        ("192.88.99.1", False),
        ("fd00::1", False),
    ],
)
def test_what_counts_as_the_open_internet(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public


def test_a_server_that_drips_its_answer_holds_no_worker(monkeypatch) -> None:
    monkeypatch.setattr(signed_http, "DEADLINE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            opened, _ = server.accept()
            with opened, contextlib.suppress(OSError):
                opened.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                for _ in range(40):
                    opened.sendall(b"x")
                    time.sleep(0.05)
                opened.sendall(b"\r\n\r\n")

        thread = threading.Thread(target=drip)
        thread.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with pytest.raises(NotPosted, match=r"No response within 0\.3 seconds"):
            post(address, "{}", {}, private_allowed=True)
        thread.join()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:{closed}/", "no server accepts connections at this address"),
        ("http://nobody.invalid/", "no server has this name"),
        ("https://127.0.0.1:{mute}/", "encryption cannot be trusted|connection was interrupted"),
    ],
)
def test_what_goes_wrong_is_explained_in_words(address: str, words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        gone = closed.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as mute:

        def hang_up() -> None:
            opened, _ = mute.accept()
            opened.close()

        threading.Thread(target=hang_up, daemon=True).start()
        with pytest.raises(NotPosted, match=words) as failure:
            post(address.format(closed=gone, mute=mute.getsockname()[1]), "{}", {}, private_allowed=True)
    assert "Error" not in str(failure.value)


def while_it_is_sent(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Do something at the moment when the name of the address is looked up."""
    look_up = socket.getaddrinfo

    def first_act(*args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        act()
        return look_up(*args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", first_act)


def test_a_message_whose_worker_did_not_come_back_is_tried_again(
    cast, receiver, settings, monkeypatch
) -> None:
    paused_with_webhook(cast, receiver, settings)
    jobs = Job.objects.filter(kind="webhook")
    while_it_is_sent(monkeypatch, lambda: jobs.update(state="failed", lease=None))
    work()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.delivered_at, delivery.attempts) == (None, 1)
    WebhookDelivery.objects.update(next_at=timezone.now() - timedelta(seconds=1))
    assert retry_due() == 1
    work()
    delivery.refresh_from_db()
    assert delivery.delivered_at is not None


def test_an_address_removed_while_it_is_notified_does_not_come_back(
    cast, receiver, settings, monkeypatch
) -> None:
    webhook = paused_with_webhook(cast, receiver, settings)
    remove = partial(remove_webhook, webhook=webhook, actor=cast.users["owner"])
    while_it_is_sent(monkeypatch, remove)
    work()
    assert Job.objects.get(kind="webhook").state == "done"
    assert not WebhookDelivery.objects.exists()


def test_the_log_tells_the_host_of_an_address_and_no_more_of_it(cast: Cast) -> None:
    owner = cast.users["owner"]
    address = "https://hooks.example.org:8443/services/secret?token=secret"
    webhook = add_webhook(study=cast.study, actor=owner, address=address, events=["change_state"])
    remove_webhook(webhook=webhook, actor=owner)
    logged = list(cast.study.audit.filter(act__endswith="webhook").values_list("detail", flat=True))
    assert [detail["host"] for detail in logged] == ["hooks.example.org"] * 2
    assert "secret" not in str(logged)


def test_who_may_not_see_the_addresses_keeps_no_message_from_them(cast: Cast) -> None:
    message = Job.objects.create(study=cast.study, kind="webhook", params={"delivery": 1})
    assert cast.client("researcher").delete(f"/api/v1/jobs/{message.pk}/").status_code == 403
    client = Client()
    client.force_login(cast.users["researcher"])
    assert client.post(reverse("job-cancel", args=[message.pk])).status_code == 403
    message.refresh_from_db()
    assert message.state == "queued"
    assert cast.client("admin").delete(f"/api/v1/jobs/{message.pk}/").status_code == 200
