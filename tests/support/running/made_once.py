"""What services have made in one test is inserted again, as rows, in the next test that asks for the same.

The services make it once in each process. The rows of later tests are those rows, as old as if they had
been made just then. A test that changes a setting or the language, or has rows already, has its own made.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.core.management.color import no_style
from django.db import connection
from django.db.models import DateTimeField, Model, QuerySet
from django.db.models.sql import InsertQuery
from django.utils import timezone, translation

Returned = TypeVar("Returned")
# Where files are and where others answer makes no difference to the rows.
WITHOUT_EFFECT = {"MEDIA_ROOT", "MTURK_ADDRESS", "PROLIFIC_ADDRESS", "WEBHOOKS_PRIVATE"}
# SQLite has times as texts.
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?")


@dataclass(frozen=True)
class Made:
    """What was returned, and what inserts its rows where these tables are empty.

    On PostgreSQL, sequences do not follow keys that are inserted: they are set.
    """

    returned: Any
    at: datetime
    models: list[type[Model]]
    statements: list[tuple[str, tuple[Any, ...]]]
    sequences: list[str]

    def insert(self) -> Any:
        """Insert the rows; a copy of what was returned."""
        later = timezone.now() - self.at
        with connection.cursor() as cursor:
            for sql, values in self.statements:
                cursor.execute(sql, [_moved(value, later) for value in values])
            for sql in self.sequences:
                cursor.execute(sql)
        copied = copy.deepcopy(self.returned)
        for one in _instances(copied, set()):
            for field in one._meta.concrete_fields:
                if isinstance(field, DateTimeField) and (value := one.__dict__.get(field.attname)):
                    one.__dict__[field.attname] = value + later
        return copied


_made: dict[Hashable, Made] = {}


def made_once(key: Hashable, make: Callable[[], Returned]) -> Returned:
    """What `make` returns, whose rows are in the database afterwards."""
    if not _is_usual():
        return make()
    known = _made.get(key)
    if known is None:
        return _make_and_keep(key, make)
    if any(_counts(known.models).values()):
        return make()
    returned: Returned = known.insert()
    return returned


def _is_usual() -> bool:
    """In the transaction of a test that has the usual settings and language."""
    of_a_test = any(getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)
    usual = set(_changed_settings()) <= WITHOUT_EFFECT
    return of_a_test and usual and translation.get_language() == settings.LANGUAGE_CODE


def _changed_settings() -> Iterator[str]:
    """The names of settings that a test has changed so far."""
    layer = vars(settings)["_wrapped"]
    while isinstance(layer, UserSettingsHolder):
        yield from (name for name in vars(layer) if name.isupper())
        yield from vars(layer)["_deleted"]
        layer = layer.default_settings


def _make_and_keep(key: Hashable, make: Callable[[], Returned]) -> Returned:
    every = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    before = _counts(every)
    made = make()
    after = _counts(every)
    grown = [model for model in every if after[model] != before[model]]
    if not any(before[model] for model in grown):
        statements = [one for model in grown for one in _inserting(model)]
        sequences = connection.ops.sequence_reset_sql(no_style(), grown)
        _made[key] = Made(copy.deepcopy(made), timezone.now(), grown, statements, sequences)
    return made


def _counts(models: list[type[Model]]) -> dict[type[Model], int]:
    names = (connection.ops.quote_name(one._meta.db_table) for one in models)
    counted = ", ".join(f"(SELECT COUNT(*) FROM {name})" for name in names)  # noqa: S608 - our tables
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counted}")
        return dict(zip(models, cursor.fetchone(), strict=True))


def _inserting(model: type[Model]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The statements that insert the rows that a table has."""
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    rows: list[Any] = list(QuerySet(model).order_by("pk"))
    size = connection.ops.bulk_batch_size(fields, rows)
    for begin in range(0, len(rows), size):
        query = InsertQuery(model)
        query.insert_values(fields, rows[begin : begin + size], raw=True)
        yield from query.get_compiler(connection=connection).as_sql()


def _moved(value: Any, later: timedelta) -> Any:
    if isinstance(value, datetime):
        return value + later
    if isinstance(value, str) and TIME.fullmatch(value):
        return str(datetime.fromisoformat(value) + later)
    return [_moved(one, later) for one in value] if isinstance(value, list) else value


def _instances(thing: Any, seen: set[int]) -> Iterator[Model]:
    """Every row within what was returned, also those that others lead to."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, Model):
        yield thing
        inside: Any = thing._state.fields_cache.values()
    elif isinstance(thing, dict):
        inside = thing.values()
    elif isinstance(thing, list | tuple):
        inside = thing
    else:
        inside = getattr(thing, "__dict__", {}).values()
    for one in inside:
        yield from _instances(one, seen)
