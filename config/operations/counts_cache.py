"""The cache of an installation without Redis, in which sign-ins, joins and requests are counted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import connections


class CountsCache(DatabaseCache):
    """Never forgets an entry before its time.

    When it is full, Django's own cache deletes a third of the entries in the order of their keys, also those
    that still count: a client that creates many, from many addresses, would start again at 0. Here an entry
    is deleted only after it has expired. All expire after twenty minutes at most, so there are never more
    than are made in that time.
    """

    def _cull(self, db: str, cursor: Any, now: datetime, num: int) -> None:  # noqa: ARG002 (Django calls it so)
        operations = connections[db].ops
        table: str = self._table  # type: ignore[attr-defined]
        expires = operations.quote_name("expires")
        cursor.execute(
            # Both names are of the settings.
            f"DELETE FROM {operations.quote_name(table)} WHERE {expires} < %s",  # noqa: S608
            [operations.adapt_datetimefield_value(now)],
        )
