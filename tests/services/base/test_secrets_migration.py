"""What was plain text works as before once it is protected, there and back, and is not left in the file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import ApiToken, Invitation, Webhook
from annotation.services.base.tokens import make_token, sign_in_token
from annotation.services.base.webhooks import add_webhook
from annotation.services.rating.enrolment import consent
from tests.support.people import invited, make_cast

pytestmark = pytest.mark.django_db(transaction=True)
OLD_KEY = "0123456789abcdef0123456789abcdef01234567"
OLD_TABLE = "CREATE TABLE authtoken_token (key varchar(40) PRIMARY KEY, created timestamp, user_id bigint)"


def migrate_to_before() -> None:
    """To the state in which links and secrets were plain text."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    protecting = next(key for key in graph.nodes if key[1].endswith("_secrets_at_rest"))
    executor.migrate([one.key for one in graph.node_map[protecting].parents if one.key[0] == "annotation"])


def migrate_to_newest() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.fixture
def newest_schema() -> Iterator[None]:
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS authtoken_token")
    migrate_to_newest()


def rows(sql: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [row[0] for row in cursor.fetchall()] if cursor.description else []


@pytest.mark.usefixtures("newest_schema")
def test_links_secrets_factors_and_tokens_work_on_there_and_back():
    cast = make_cast(items=2)
    rater, owner = consent(invitation=cast.invitation), cast.users["owner"]
    link, factor = rater.invitation.token, generate_totp_secret()
    address = "https://example.org/told"
    secret = add_webhook(study=cast.study, actor=owner, address=address, events=["change_state"]).secret
    TOTP.activate(owner, factor)
    _, scoped = make_token(user=owner, name="a script", scopes=["read"], days=3)
    sign_in_token(user=owner)

    migrate_to_before()
    assert link in rows("SELECT token FROM annotation_invitation")
    assert rows("SELECT secret FROM annotation_webhook") == [secret]
    assert Authenticator.objects.get(user=owner).data["secret"] == factor
    assert rows("SELECT name FROM annotation_apitoken") == ["a script"]

    rows(OLD_TABLE)
    rows("INSERT INTO authtoken_token VALUES (%s, %s, %s)", OLD_KEY, "2026-01-01 00:00:00", owner.pk)
    migrate_to_newest()
    assert Invitation.objects.get(rater=rater).token == link
    assert invited(link).get(f"/api/v1/rate/{cast.slug}/next/").status_code == 200
    assert Webhook.objects.get().secret == secret
    assert decrypt(Authenticator.objects.get(user=owner).data["secret"]) == factor
    for key in (scoped, OLD_KEY):
        script = APIClient(HTTP_AUTHORIZATION=f"Token {key}")
        assert script.get("/api/v1/studies/").json()["count"] == 1
    ends = timezone.now() + timedelta(days=settings.TOKEN_DAYS)
    assert all(abs(token.expires_at - ends) < timedelta(hours=1) for token in ApiToken.objects.all())
    assert rows("SELECT key FROM authtoken_token") == []
    assert [old for old in (link, secret, factor, OLD_KEY) if old in left_in_the_file()] == []


def left_in_the_file() -> str:
    """What the file of an SQLite database holds, unused pages included."""
    if connection.vendor != "sqlite":
        return ""
    rows("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(str(connection.settings_dict["NAME"])).read_bytes().decode("latin-1")
