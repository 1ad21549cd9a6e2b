"""Times of pages for site administrators say their zone, whatever the installation's is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from annotation.models import AuditEntry, User
from annotation.services.base.accounts import add_user
from annotation.services.studies.lifecycle import create_study

pytestmark = pytest.mark.django_db
WHEN = datetime(2026, 11, 24, 16, 48, 3, tzinfo=UTC)


@pytest.fixture
def admin(settings) -> Client:
    settings.TIME_ZONE = "Asia/Tokyo"
    user, _ = add_user(email="jonas@example.edu", password="simile-and-metaphor-42", site_administrator=True)
    client = Client()
    client.force_login(user)
    User.objects.update(last_login=WHEN)
    return client


def entries_at(when: datetime, study=None) -> None:
    """Entries cannot be changed, so that these are made with their time."""
    field = AuditEntry._meta.get_field("created_at")
    entry = AuditEntry(study=study, act="deactivate_account", detail={"account": "jonas@example.edu"})
    field.auto_now_add = False
    try:
        entry.created_at = when
        entry.save()
    finally:
        field.auto_now_add = True


def test_both_logs_are_in_utc_as_their_heads_say(admin: Client) -> None:
    study = create_study(slug="similes", title="Similes", owner=User.objects.get())
    entries_at(WHEN)
    entries_at(WHEN, study)
    for address in ("/site/log/", "/studies/similes/audit/"):
        page = admin.get(address).content.decode()
        assert "When (UTC)" in page
        assert "2026-11-24 16:48:03" in page, address


def test_other_times_are_in_the_zone_of_the_installation_and_say_it(admin: Client) -> None:
    for address in ("/site/accounts/", f"/site/accounts/{User.objects.get().pk}/"):
        assert "25 Nov 2026, 01:48 JST" in admin.get(address).content.decode(), address
