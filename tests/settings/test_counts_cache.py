"""Without Redis, counts of sign-ins and joins stay for their time, however much else is counted meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache, caches
from django.core.cache.backends.base import BaseCache
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.domain.base.errors import TooManyJoins
from annotation.services.rating.join_limits import WINDOW, check_joins, count_join
from tests.support.people import make_cast

BACKEND = "config.operations.counts_cache.CountsCache"
# Before all other keys and after them: what is deleted by the order of keys is one of these.
FOREIGN = [f"{sign}{number}" for number in range(500) for sign in ("!", "~")]


@pytest.fixture
def counts(settings: Any, db: None) -> Iterator[BaseCache]:
    settings.CACHES = {
        "default": {"BACKEND": BACKEND, "LOCATION": "counts_of_a_test", "OPTIONS": {"MAX_ENTRIES": 300}}
    }
    call_command("createcachetable", verbosity=0)
    yield caches["default"]
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE counts_of_a_test")


def entries() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM counts_of_a_test")
        return int(cursor.fetchone()[0])


def test_a_full_cache_forgets_no_join_that_was_counted(counts: BaseCache, settings: Any) -> None:
    settings.JOINS_BY_NETWORK = 1
    invitation = make_cast(opened=False).invitation
    count_join(invitation=invitation, network="192.0.2.7")
    for key in FOREIGN:
        cache.set(key, 1, timeout=1200)
    with pytest.raises(TooManyJoins):
        check_joins(invitation=invitation, network="192.0.2.7")
    assert entries() >= len(FOREIGN)


def test_a_count_of_joins_lasts_until_its_time_is_over(counts: BaseCache, settings: Any) -> None:
    settings.JOINS_BY_NETWORK = 2
    invitation = make_cast(opened=False).invitation
    for _ in range(2):
        count_join(invitation=invitation, network="192.0.2.7")
    with connection.cursor() as cursor:
        cursor.execute("SELECT expires FROM counts_of_a_test")
        ends = [datetime.fromisoformat(str(end)) for (end,) in cursor.fetchall()]
    assert len(ends) == 2
    assert min(end.replace(tzinfo=UTC) for end in ends) > timezone.now() + timedelta(seconds=WINDOW)


def test_a_full_cache_forgets_what_has_expired(counts: BaseCache) -> None:
    for key in FOREIGN[:400]:
        counts.set(key, 1, timeout=-10)
    counts.set("new", 1, timeout=60)
    assert entries() < 300
    assert counts.get("new") == 1


def test_an_installation_without_redis_counts_in_this_cache(tmp_path: Path) -> None:
    program = "import json; from django.conf import settings; print(json.dumps(settings.CACHES['default']))"
    surroundings = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "GROUNDWORK_VAR": str(tmp_path),
    }
    ran = subprocess.run(
        [sys.executable, "-c", program], env=surroundings, capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout)["BACKEND"] == BACKEND
