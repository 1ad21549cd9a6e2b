"""Statistics of the database about tables that were just filled."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model

MANY = 1000


def analyze_tables(rows: int, *tables: type[Model]) -> None:
    """Have PostgreSQL analyze tables in which many rows were just stored, and others that are joined.

    Autovacuum does so a minute later or never; until then PostgreSQL takes a full table for an empty one
    and reads all of it for each rating slot. SQLite plans without such knowledge.

    Parameters
    ----------
    rows : int
        Just stored; with few nothing is done.
    *tables : type of Model
        Where they are, or what is read together with them.
    """
    if rows < MANY or connection.vendor != "postgresql":
        return
    quoted = ", ".join(connection.ops.quote_name(table._meta.db_table) for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {quoted}")
