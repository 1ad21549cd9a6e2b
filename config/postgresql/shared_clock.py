"""The one clock that leases and retention periods go by: the database's, which all machines share."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone


def now_in_queries() -> Any:
    """The present moment, for a comparison or a new value in a query.

    On SQLite, where every process is on the one machine, it is that machine's clock.
    """
    return Now() if connection.vendor == "postgresql" else timezone.now()


def shared_now() -> datetime:
    """The present moment on the shared clock; a query on PostgreSQL."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
