"""The cache of an installation without Redis, in which sign-ins, joins and requests are counted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import connections


class CountsCache(DatabaseCache):
    """Never forgets an entry before its time.

    Django's own, when it is full, deletes a third of the entries by the order of their keys, also those that
    still count: whoever can make many, by many addresses, would begin anew. Here an entry goes when it has
    expired and only then. All have an end, of twenty minutes at most, so that there are never more than are
    made in that time.
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
