"""Where the disk is full an answer is not acknowledged, nothing of it is stored, and it can be sent again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from annotation.models import Assignment, Rating, Response, Seat
from scoring.services.reports.verification import verify
from tests.support.people import invited, join, make_cast
from tests.support.studies.answers import answer_for

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite alone has a limit of pages to set"),
]


@contextmanager
def full_disk() -> Iterator[None]:
    """The database file cannot grow by one page: SQLite answers as where nothing is left on the disk."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")


def stored() -> list[list[Any]]:
    return [list(model.objects.order_by("pk").values()) for model in (Response, Rating, Assignment, Seat)]


def test_an_answer_is_refused_whole_and_stored_once_when_there_is_room_again() -> None:
    cast = make_cast(items=2, overlap=1)
    rater, _ = join(cast.invitation)
    client = invited(rater.invitation.token)
    client.raise_request_exception = False
    address = f"/api/v1/rate/{cast.slug}/next/"
    body = answer_for(client.get(address).json()) | {"remark": "a remark of many pages " * 400}
    before = stored()
    with full_disk():
        refused = client.post(address, body, format="json")
    assert refused.status_code >= 500
    assert stored() == before
    taken, again = (client.post(address, body, format="json") for _ in range(2))
    assert (taken.status_code, again.status_code) == (201, 200)
    assert Response.objects.count() == 1
    assert verify() == []
