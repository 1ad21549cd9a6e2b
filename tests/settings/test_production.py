"""What production promises browsers, and where it counts what all web servers count together."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from config.settings import broker
from config.settings.env import SettingError
from tests.support.installation import OURS, ROOT

NAMES = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
SHOWN = f"""
import json
from config.settings import production
print(json.dumps([getattr(production, name) for name in {NAMES}]))
"""
REQUIRED = {
    "SECRET_KEY": "a long and random key of this installation alone",
    "GROUNDWORK_HOSTS": "ratings.example.org",
    "DATABASE_URL": "postgres://somebody@localhost/ratings",
    "CELERY_BROKER_URL": "redis://localhost/0",
}


@pytest.mark.parametrize(
    ("given", "promised"),
    [
        ({}, [31_536_000, False, False]),
        (
            {
                "GROUNDWORK_HSTS_SECONDS": "60",
                "GROUNDWORK_HSTS_SUBDOMAINS": "yes",
                "GROUNDWORK_HSTS_PRELOAD": "yes",
            },
            [60, True, True],
        ),
    ],
    ids=["for this host alone", "asked for"],
)
def test_https_is_promised_for_other_hosts_only_where_that_is_asked_for(tmp_path, given, promised):
    ours = {name: value for name, value in os.environ.items() if name not in OURS}
    done = subprocess.run(
        [sys.executable, "-c", SHOWN],
        env=ours | REQUIRED | {"GROUNDWORK_VAR": str(tmp_path / "var")} | given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == promised


@pytest.mark.parametrize(
    ("broker_url", "given", "used"),
    [
        ("redis://one/0", "", "redis://one/0"),
        ("redis://one/0", "redis://two/1", "redis://two/1"),
        ("amqp://one//", "rediss://two/1", "rediss://two/1"),
    ],
)
def test_attempts_to_log_in_are_counted_in_a_redis(monkeypatch, broker_url, given, used):
    monkeypatch.setenv("CACHE_URL", given)
    assert broker.cache_url(broker_url) == used


@pytest.mark.parametrize(
    ("broker_url", "given", "sentence"),
    [
        ("amqp://guest:secret@one//", "", "CACHE_URL is not set, and CELERY_BROKER_URL names no Redis"),
        ("redis://one/0", "memcached://user:secret@two", "CACHE_URL begins with 'memcached'"),
    ],
)
def test_another_kind_of_cache_is_refused_without_showing_its_password(
    monkeypatch, broker_url, given, sentence
):
    monkeypatch.setenv("CACHE_URL", given)
    with pytest.raises(SettingError, match=sentence) as refused:
        broker.cache_url(broker_url)
    assert "secret" not in str(refused.value)
