"""The numbers of rows: set after a restore, or reserved, so that no number is used twice."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from annotation.selectors.base.sequences import numbered_tables


def set_last_numbers(last: Mapping[type[Model], int | None]) -> None:
    """Set the last number given of each table, at least that of its last row; called inside a transaction.

    Parameters
    ----------
    last : mapping of type of Model to int or None
        As of `annotation.selectors.base.sequences`; None where it gave none.
    """
    with connection.cursor() as cursor:
        for order in connection.ops.sequence_reset_sql(no_style(), list(last)):
            cursor.execute(order)
        for model, names in numbered_tables(last).items():
            table, number = model._meta.db_table, last[model]
            if number is None:
                continue
            if connection.vendor == "postgresql":
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [*names, number])
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])


def reserve_number(model: type[Model]) -> int:
    """Reserve the number of a row that is created later; no other row gets it.

    Parameters
    ----------
    model : type of Model
        Whose table; the database numbers its rows, and has numbered one before.
    """
    ((table, column),) = numbered_tables([model]).values()
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, %s))", [table, column])
        else:
            named = [model._meta.db_table]
            cursor.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = %s RETURNING seq", named)
        return int(cursor.fetchone()[0])
