"""Times on pages for members and site administrators say their zone, whatever the installation's is."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Job, User
from annotation.services.base.accounts import add_user
from annotation.services.studies.lifecycle import create_study
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
TEMPLATES = Path(__file__).parents[3] / "templates"
# A time of the day without its zone, but where the value is brought to UTC, as the head of its column says.
BARE_TIME = re.compile(r'(?<!\|utc)\|date:"[^"]*H:i(?::s)?"')
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
        assert "Time (UTC)" in page
        assert "24 Nov 2026, 16:48:03" in page, address


def test_other_times_are_in_the_zone_of_the_installation_and_say_it(admin: Client) -> None:
    for address in ("/site/accounts/", f"/site/accounts/{User.objects.get().pk}/"):
        assert "25 Nov 2026, 01:48 JST" in admin.get(address).content.decode(), address


def test_a_study_lists_its_times_with_their_zone(admin: Client) -> None:
    cast = make_cast()
    admin.force_login(cast.users["owner"])
    page = admin.get(reverse("study-consent", args=[cast.slug])).content.decode()
    assert re.search(r"\d{1,2} \w{3} \d{4}, \d{2}:\d{2} JST", page)


def test_the_list_of_jobs_is_in_utc_as_its_head_says(admin: Client) -> None:
    study = create_study(slug="similes", title="Similes", owner=User.objects.get())
    job = Job.objects.create(study=study, kind="report", params={})
    Job.objects.filter(pk=job.pk).update(created_at=WHEN)
    page = admin.get("/studies/similes/jobs/").content.decode()
    assert "Requested (UTC)" in page
    assert "24 Nov 2026, 16:48:03" in page


def test_no_template_writes_a_time_without_its_zone() -> None:
    bare = [
        str(one.relative_to(TEMPLATES))
        for one in TEMPLATES.rglob("*.html")
        if BARE_TIME.search(one.read_text())
    ]
    assert bare == [], "use the filter `moment`"
