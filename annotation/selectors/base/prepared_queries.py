"""Queries whose SQL is written once for each connection.

Saving an answer and finding the next item ask some twenty questions of the database, and each page asks who
may see it. Django takes two to ten times as long to write such a question as SQLite takes to answer it, so
the SQL is cached: the function that builds the query is called once, with placeholders, and later calls only
fill in values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)


class Placeholder(Expression):
    """Represents a value in a query that is filled in later."""

    def __init__(self, name: str, output_field: Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, _compiler: SQLCompiler, _connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        return "%s", (self,)


@dataclass(frozen=True)
class Statement:
    """SQL with its parameters, some of which are placeholders."""

    sql: str
    parameters: Sequence[Any]

    def filled(self, values: dict[str, Any], connection: BaseDatabaseWrapper) -> list[Any]:
        return [
            one.output_field.get_db_prep_value(values[one.name], connection)
            if isinstance(one, Placeholder)
            else one
            for one in self.parameters
        ]


class _Select:
    """A query as it was written for one connection, and how its rows become objects."""

    def __init__(self, queryset: QuerySet[Any], connection: BaseDatabaseWrapper) -> None:
        self._compiler = queryset.query.get_compiler(connection=connection)
        self._statement = Statement(*self._compiler.as_sql())
        select = self._compiler.select
        self._converters = self._compiler.get_converters([expression for expression, *_ in select])
        self._using = connection.alias
        self._of_objects = queryset._fields is None  # type: ignore[attr-defined]

    def rows(self, values: dict[str, Any], connection: BaseDatabaseWrapper) -> list[Any]:
        with _cursor(connection) as cursor:
            cursor.execute(self._statement.sql, self._statement.filled(values, connection))
            found: Any = cursor.fetchall()
        if self._converters:
            found = self._compiler.apply_converters(found, self._converters)
        return list(self._objects(found) if self._of_objects else found)

    @cached_property
    def _related(self) -> Sequence[Any]:
        return get_related_populators(self._compiler.klass_info, self._compiler.select, self._using)  # type: ignore[call-arg]

    @cached_property
    def _columns(self) -> tuple[slice, Sequence[str]]:
        """Where the fields of the model itself are in a row, and their names."""
        fields = self._compiler.klass_info["select_fields"]
        own = slice(fields[0], fields[-1] + 1)
        return own, [column[0].target.attname for column in self._compiler.select[own]]

    def _objects(self, rows: Sequence[Sequence[Any]]) -> Iterator[Model]:
        """As `django.db.models.query.ModelIterable` makes them."""
        own, names = self._columns
        annotated = (self._compiler.annotation_col_map or {}).items()
        for row in rows:
            found = self._compiler.klass_info["model"].from_db(self._using, names, row[own])
            for populator in self._related:
                populator.populate(row, found)
            for name, position in annotated:
                setattr(found, name, row[position])
            yield found


class Compiled(Generic[Row]):
    """A query with placeholders; call it with their values.

    `build` makes the query from the placeholders by name, `kinds` gives the type of each value.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], **kinds: Field[Any, Any]) -> None:
        self._build = build
        self._kinds = kinds

    def __call__(self, **values: Any) -> list[Row]:
        """All rows of the query."""
        connection = connections[DEFAULT_DB_ALIAS]
        written = _written_for(connection)
        if self not in written:
            written[self] = _Select(self._build(**_placeholders(self._kinds)), connection)
        return list(written[self].rows(values, connection))

    def first(self, **values: Any) -> Row | None:
        """The first row; the query itself is cut to one."""
        return next(iter(self(**values)), None)


class CompiledUpdate:
    """An update with placeholders.

    `build` returns the rows to change and the new values by field name, `kinds` the type of each value.
    """

    def __init__(
        self, build: Callable[..., tuple[QuerySet[Any], dict[str, Any]]], **kinds: Field[Any, Any]
    ) -> None:
        self._build = build
        self._kinds = kinds

    def __call__(self, **values: Any) -> int:
        """Change the rows; returns how many there are."""
        connection = connections[DEFAULT_DB_ALIAS]
        written = _written_for(connection).get(self)
        if written is None:
            rows, changes = self._build(**_placeholders(self._kinds))
            query: Any = rows.query.chain(UpdateQuery)
            query.add_update_values(changes)
            written = Statement(*query.get_compiler(connection=connection).as_sql())
            _written_for(connection)[self] = written
        with _cursor(connection) as cursor:
            cursor.execute(written.sql, written.filled(values, connection))
            return int(cursor.rowcount)


class CompiledInsert(Generic[Stored]):
    """The insertion of new rows of a model, with SQL for each number of rows at a time.

    As with `bulk_create`, the objects get their keys and no signal is sent.
    """

    def __init__(self, model: type[Stored]) -> None:
        self._model = model
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]

    def __call__(self, *rows: Stored) -> None:
        """Store objects that have no key yet."""
        connection = connections[DEFAULT_DB_ALIAS]
        if not rows:
            return
        if not connection.features.can_return_rows_from_bulk_insert:
            self._model._base_manager.bulk_create(rows)
            return
        written = _written_for(connection)
        if (self, len(rows)) not in written:
            written[self, len(rows)] = self._write(len(rows), connection)
        values = [
            field.get_db_prep_save(field.pre_save(row, add=True), connection)
            for row in rows
            for field in self._fields
        ]
        with _cursor(connection) as cursor:
            cursor.execute(written[self, len(rows)], values)
            keys = cursor.fetchall()
        for row, (key,) in zip(rows, keys, strict=True):
            row.pk = key
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS

    def _write(self, number: int, connection: BaseDatabaseWrapper) -> str:
        quote, meta = connection.ops.quote_name, self._model._meta
        columns = ", ".join(quote(str(field.column)) for field in self._fields)
        row = f"({', '.join(['%s'] * len(self._fields))})"
        head = f"INSERT INTO {quote(meta.db_table)} ({columns})"
        tail = f"RETURNING {quote(str(meta.pk.column))}"
        return f"{head} VALUES {', '.join([row] * number)} {tail}"


def _cursor(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """A cursor that keeps statements prepared, if the database has such cursors."""
    make: Callable[[], CursorWrapper] = getattr(connection, "prepared_cursor", connection.cursor)
    return make()


def _written_for(connection: BaseDatabaseWrapper) -> dict[object, Any]:
    """The SQL cached for a connection, stored on it so that both end together."""
    cache: dict[object, Any] = connection.__dict__.setdefault("written_queries", {})
    return cache


def _placeholders(kinds: dict[str, Field[Any, Any]]) -> dict[str, Placeholder]:
    return {name: Placeholder(name, kind) for name, kind in kinds.items()}
