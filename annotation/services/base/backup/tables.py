"""Rows as lines of JSON, the same whichever database they come from or go to."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db import connection
from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    Model,
    TextField,
)

from annotation.services.base.bulk_copy import insert_rows

# Sessions and running workers: all users sign in again after a restore.
LEFT_OUT = ("sessions.session", "annotation.workerprocess")
# What `migrate` itself writes into an empty database.
MADE_BY_MIGRATE = ("contenttypes.contenttype", "auth.permission")
READ_AT_ONCE = 2000
INSERTED_AT_ONCE = 5000
# Fields whose JSON values can be stored without conversion.
PLAIN = (BooleanField, CharField, FloatField, IntegerField, TextField)


def stored_models(apps: Apps) -> list[type[Model]]:
    """Return the models whose rows belong to the installation, by name.

    Parameters
    ----------
    apps : Apps
        Django's own, or those of a state of the migrations.
    """
    found = apps.get_models(include_auto_created=True)
    models = [model for model in found if model._meta.managed and not model._meta.proxy]
    return sorted(
        (model for model in models if model._meta.label_lower not in LEFT_OUT),
        key=lambda model: model._meta.label_lower,
    )


def columns_of(model: type[Model]) -> list[str]:
    """Return the names of the columns of a model, in the order of its lines."""
    return [field.attname for field in model._meta.concrete_fields]


def lines_of(model: type[Model]) -> Iterator[bytes]:
    """Yield one line for each row, in the order of the key; only a few rows are in memory at a time.

    Parameters
    ----------
    model : type of Model
        Whose table is read, in the transaction of the caller.
    """
    rows = model._base_manager.order_by("pk").values_list(*columns_of(model))
    for row in rows.iterator(chunk_size=READ_AT_ONCE):
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=_as_text).encode() + b"\n"


def load_lines(model: type[Model], columns: list[str], lines: Iterable[bytes]) -> int:
    """Insert the rows of `lines_of`, as they are; called inside a transaction.

    Parameters
    ----------
    model : type of Model
        As it was when the lines were written.
    columns : list of str
        In the order of the lines.
    lines : iterable of bytes
        One a row.

    Returns
    -------
    int
        How many rows there were.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields}
    read = [_reader(fields[name]) for name in columns]
    names = [str(fields[name].column) for name in columns]
    number = 0
    some: list[list[Any]] = []
    for line in lines:
        cells = json.loads(line)
        some.append([one(cell) for one, cell in zip(read, cells, strict=True)])
        number += 1
        if len(some) == INSERTED_AT_ONCE:
            insert_rows(model, names, some)
            some.clear()
    insert_rows(model, names, some)
    return number


def _as_text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, timedelta):
        return f"{value // timedelta(microseconds=1)}"
    raise TypeError(f"A column holds {type(value).__name__}, which no backup can hold yet.")


def _reader(field: Field[Any, Any]) -> Callable[[Any], Any]:
    """Return the function that converts a cell of the archive to a database value."""
    target: Field[Any, Any] = field.target_field if isinstance(field, ForeignKey) else field
    if isinstance(target, PLAIN):
        return lambda cell: cell
    if isinstance(target, BinaryField):
        return lambda cell: None if cell is None else base64.b64decode(cell, validate=True)
    return lambda cell: target.get_db_prep_save(target.to_python(cell), connection)
