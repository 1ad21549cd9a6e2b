"""What the health addresses say."""

from __future__ import annotations

import pytest
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse


def test_live_needs_no_database(client: Client, settings):
    assert client.get(reverse("health_live")).content == b"ok"


@pytest.mark.django_db
def test_ready_when_every_migration_is_applied(client: Client):
    response = client.get(reverse("health_ready"))
    assert (response.status_code, response.json()["code"]) == (200, "ready")


@pytest.mark.django_db
def test_not_ready_when_a_migration_is_missing(client: Client):
    newest = MigrationRecorder.Migration.objects.filter(app="scoring").order_by("name").last()
    assert newest is not None
    newest.delete()
    response = client.get(reverse("health_ready"))
    assert (response.status_code, response.json()["code"]) == (503, "migrations_missing")
    assert "manage.py migrate" in response.json()["message"]
