"""`manage.py accounts`: what site administrators do in the browser, without one."""

from __future__ import annotations

import io
import sys

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import AuditEntry, User
from annotation.services.studies.lifecycle import create_study
from tests.support.outside import mail_server

pytestmark = pytest.mark.django_db
PASSWORD = "simile-and-metaphor-42"


def run(*words: str) -> str:
    printed = io.StringIO()
    call_command("accounts", *words, stdout=printed, stderr=printed)
    return printed.getvalue()


def test_an_account_from_its_invitation_to_its_deletion():
    link = next(
        word for word in run("invite", "Mara@example.edu", "--name", "Mara").split() if "/reset/" in word
    )
    assert Client().get(link, follow=True).status_code == 200
    assert "mara@example.edu" in run("list")
    assert "invited" in run("list", "--search", "mara")
    assert "/account/reset/" in run("reset", "mara@example.edu")
    run("deactivate", "mara@example.edu")
    assert "deactivated" in run("list")
    with pytest.raises(CommandError, match=r"\[account_inactive\]"):
        run("reset", "mara@example.edu")
    run("reactivate", "MARA@example.edu")
    run("site_admin", "mara@example.edu")
    assert "site administrator" in run("list")
    with pytest.raises(CommandError, match=r"\[last_site_administrator\]"):
        run("site_admin", "mara@example.edu", "--remove")
    run("invite", "ines@example.edu", "--site-admin")
    run("site_admin", "mara@example.edu", "--remove")
    assert "devices: 0" in run("remove_second_factor", "mara@example.edu")
    run("unlink", "mara@example.edu")
    create_study(slug="lamps", title="Lamps", owner=User.objects.get(email="mara@example.edu"))
    with pytest.raises(CommandError, match=r"\[owns_studies\]"):
        run("delete", "mara@example.edu", "--no-input")
    handing_over = ("delete", "mara@example.edu", "--new-owner", "ines@example.edu", "--no-input")
    with pytest.raises(CommandError, match=r"\[new_owner_cannot_sign_in\]"):
        run(*handing_over)
    ines = User.objects.get(email="ines@example.edu")
    ines.set_password(PASSWORD)
    ines.save()
    assert "a new owner: 1" in run(*handing_over)
    assert "mara" not in run("list")
    with pytest.raises(CommandError, match=r"\[no_account\]"):
        run("reset", "mara@example.edu")
    by_hand = AuditEntry.objects.filter(study=None)
    assert by_hand.count() == 10
    assert not by_hand.filter(actor__isnull=False).exists()


def test_an_account_is_deleted_when_its_address_was_typed_again(monkeypatch):
    run("invite", "mara@example.edu")
    for typed in ("", "yes", "other@example.edu"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(CommandError, match=r"\[not_confirmed\]"):
            run("delete", "mara@example.edu")
    monkeypatch.setattr(sys, "stdin", io.StringIO("Mara@example.edu\n"))
    assert "mara@example.edu deleted" in run("delete", "mara@example.edu")


def test_the_link_is_mailed_where_asked_and_a_refusal_leaves_the_link(settings):
    assert "No email sent" in run("invite", "mara@example.edu", "--mail")
    with mail_server.running() as server:
        settings.SENDS_MAIL, settings.EMAIL_BACKEND = True, "config.mail_backend.Backend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 2
        settings.CSRF_TRUSTED_ORIGINS = ["https://ratings.example.edu"]
        assert "Email sent." in run("reset", "mara@example.edu", "--mail")
        assert "https://ratings.example.edu/account/reset/" in server.last_text()
        printed = run("invite", "nobody@example.edu", "--mail")
    assert "[mail_refused]" in printed
    assert "https://ratings.example.edu/account/reset/" in printed


def test_the_first_site_administrator_is_made_by_add_user():
    call_command("add_user", "jonas@example.edu", "--site-admin", stdout=io.StringIO())
    assert User.objects.get().is_site_administrator
