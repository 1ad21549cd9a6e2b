"""Mail goes through a real server, and whatever that server does, nothing breaks."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.services.people.mail import MailNotSent, send_mail
from tests.support.outside import mail_server
from tests.support.outside.mail_server import PASSWORD, QUEUED, USER, MailServer
from tests.support.ports import free_port


@pytest.fixture
def server(settings) -> Iterator[MailServer]:
    with mail_server.running() as started:
        use(settings, started.port)
        yield started


def use(settings, port: int, *, timeout: int = 2) -> None:
    settings.SENDS_MAIL = True
    settings.EMAIL_BACKEND = "config.mail_backend.Backend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, timeout
    settings.DEFAULT_FROM_EMAIL = "groundwork@example.edu"


def sent_to(address: str) -> str:
    return send_mail(to=address, subject="Grüße", text="A line.\n")


def test_a_mail_arrives_as_it_was_written_and_the_reply_is_reported(server):
    assert sent_to("mara@example.edu") == QUEUED
    (mail,) = server.received
    assert (mail["To"], mail["From"], mail["Subject"]) == (
        "mara@example.edu",
        "groundwork@example.edu",
        "Grüße",
    )
    assert server.last_text().strip() == "A line."


@pytest.mark.parametrize(
    ("who", "code", "reply"),
    [
        ("nobody@example.edu", "mail_refused", "550 5.1.1 There is nobody of this name"),
        ("full@example.edu", "mail_refused", "452 4.2.2 Mailbox full"),
        ("slow@example.edu", "mail_server_away", "timed out"),
    ],
)
def test_what_the_server_refuses_is_reported_in_its_own_words_and_the_log_names_no_one(
    server, settings, caplog, who, code, reply
):
    settings.EMAIL_TIMEOUT = 1
    with caplog.at_level(logging.DEBUG), pytest.raises(MailNotSent) as refusal:
        sent_to(who)
    assert refusal.value.code == code
    assert reply in refusal.value.message
    ours = [record.getMessage() for record in caplog.records if record.name != "mail.log"]
    assert ours == [f"A mail was not sent: {code}."]


def test_no_server_at_all(settings):
    use(settings, free_port())
    with pytest.raises(MailNotSent, match="cannot be reached") as refusal:
        sent_to("mara@example.edu")
    assert refusal.value.code == "mail_server_away"


class TestEncrypted:
    @pytest.fixture
    def server(self, settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
        certificate = mail_server.make_certificate(tmp_path)
        with mail_server.running(certificate) as started:
            use(settings, started.port)
            settings.EMAIL_USE_TLS = True
            settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = USER, PASSWORD
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            yield started

    def test_with_starttls_and_the_log_in_it_arrives(self, server):
        assert sent_to("mara@example.edu") == QUEUED
        assert len(server.received) == 1

    def test_a_wrong_password_is_reported_and_not_repeated(self, server, settings, caplog):
        settings.EMAIL_HOST_PASSWORD = "wrong and secret"
        with pytest.raises(MailNotSent) as refusal:
            sent_to("mara@example.edu")
        assert refusal.value.code == "mail_login_refused"
        assert "wrong and secret" not in refusal.value.message + caplog.text
        assert server.received == []

    def test_a_certificate_that_is_not_trusted_gets_no_password(self, server, monkeypatch):
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(MailNotSent, match="certificate") as refusal:
            sent_to("mara@example.edu")
        assert refusal.value.code == "mail_server_away"
        assert server.received == []


class TestCommand:
    def test_it_says_which_server_took_the_mail_and_what_it_answered(self, server):
        printed = io.StringIO()
        call_command("send_test_mail", "mara@example.edu", stdout=printed)
        assert f"127.0.0.1:{server.port} (not encrypted)" in printed.getvalue()
        assert QUEUED in printed.getvalue()
        assert "can send email" in server.last_text()

    @pytest.mark.usefixtures("server")
    def test_it_fails_with_the_words_of_the_server(self):
        with pytest.raises(CommandError, match=r"550 5\.1\.1.*\[mail_refused\]"):
            call_command("send_test_mail", "nobody@example.edu")

    def test_without_a_server_it_says_so(self):
        with pytest.raises(CommandError, match="EMAIL_HOST is not set"):
            call_command("send_test_mail", "mara@example.edu")
