"""Bulk storage of rows of numbers by the database's own means, without an object per row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


def insert_rows(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows whose cells are ready for the database; called inside a transaction.

    Parameters
    ----------
    model : type of Model
        Its default values are not filled in.
    names : sequence of str
        Columns in the order of the cells; all that must not be null, but the key.
    rows : iterable of sequence
        Texts, numbers and None; JSON as text.
    """
    quote = connection.ops.quote_name
    table, columns = quote(model._meta.db_table), ", ".join(map(quote, names))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(names))
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(rows))  # noqa: S608
