"""The last number that each table has given to a row, whether the row is still there or not."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection
from django.db.models import AutoField, Model


def numbered_tables(models: Iterable[type[Model]]) -> dict[type[Model], tuple[str, str]]:
    """Return table and column of the models whose rows the database numbers.

    The table is quoted and the column is not: as PostgreSQL's `pg_get_serial_sequence` takes them.
    """
    quote = connection.ops.quote_name
    return {
        model: (quote(model._meta.db_table), str(model._meta.pk.column))
        for model in models
        if isinstance(model._meta.pk, AutoField)
    }


def last_numbers(models: Iterable[type[Model]]) -> dict[str, int]:
    """Return the last number given, by the name of the table; tables that gave none are left out.

    Parameters
    ----------
    models : iterable of type of Model
        Models of the tables; tables that the database does not number are left out.
    """
    numbered = numbered_tables(models)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            found = dict(cursor.fetchall())
            tables = (model._meta.db_table for model in numbered)
            return {table: found[table] for table in tables if found.get(table)}
        numbers = {}
        for model, names in numbered.items():
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", names)
            (sequence,) = cursor.fetchone()
            cursor.execute(f"SELECT last_value FROM {sequence} WHERE is_called")  # noqa: S608
            if row := cursor.fetchone():
                numbers[model._meta.db_table] = row[0]
        return numbers
