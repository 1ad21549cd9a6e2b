"""Checks of the database constraints, which may have been switched off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import (
    CheckConstraint,
    Count,
    Exists,
    Field,
    ForeignKey,
    JSONField,
    Max,
    Model,
    OuterRef,
    Q,
    QuerySet,
    UniqueConstraint,
)

from annotation.selectors.base.sequences import last_numbers, numbered_tables
from annotation.selectors.studies.verify.breach import MOST_NAMED, Breach, Rule
from config.command_line import command

RESTORE = "Restore the last backup for which `verify` finds nothing, or correct the row with SQL."


def find_damage() -> Iterator[Breach]:
    """Yield the errors that SQLite finds in its file."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(20)")
        for (report,) in cursor.fetchall():
            # Checks of rows are named below, with their study.
            if report != "ok" and "CHECK constraint" not in report:
                yield Breach("damaged_file", "", "database", f"SQLite reports: {report}.", RESTORE)


def find_lost_references() -> Iterator[Breach]:
    """Yield rows that refer to a missing row."""
    for model in _models():
        for field in model._meta.concrete_fields:
            if isinstance(field, ForeignKey):
                there: type[Model] = field.related_model
                found = there._base_manager.filter(**{field.target_field.attname: OuterRef(field.attname)})
                lost = model._base_manager.filter(**{f"{field.attname}__isnull": False}).exclude(
                    Exists(found)
                )
                message = f"Its {field.name} refers to a missing row of {there._meta.db_table}."
                yield from Rule("lost_reference", message, RESTORE).breaches(lost)


def find_broken_constraints() -> Iterator[Breach]:
    """Yield rows that break a check constraint, and duplicates."""
    for model in _models():
        for constraint in model._meta.constraints:
            if isinstance(constraint, CheckConstraint):
                yield from _unchecked(model, constraint)
            elif isinstance(constraint, UniqueConstraint) and constraint.fields:
                yield from _doubled(model, constraint.fields, constraint.condition, constraint.name)
        for field in model._meta.concrete_fields:
            if field.unique and not field.primary_key:
                yield from _doubled(model, [field.name], None, f"one_{field.name}")


def find_odd_json() -> Iterator[Breach]:
    """Yield JSON columns without JSON, or with a list instead of an object."""
    for model in _models():
        for field in model._meta.concrete_fields:
            if isinstance(field, JSONField):
                message = f"Its {field.column} is not {_shape(field) or 'JSON'}."
                yield from Rule("odd_json", message, RESTORE).breaches(_rows_where(model, _json_fault(field)))


def find_late_sequences() -> Iterator[Breach]:
    """Yield tables whose next row would get the number of an existing row."""
    models = _models()
    last = last_numbers(models)
    for model in numbered_tables(models):
        highest = model._base_manager.aggregate(highest=Max("pk"))["highest"] or 0
        table = model._meta.db_table
        if highest > last.get(table, 0):
            message = (
                f"Its last row is {highest}, but the next row would get number {last.get(table, 0) + 1}."
            )
            instructions = f"Run the SQL that `{command('sqlsequencereset')} {model._meta.app_label}` prints."
            if connection.vendor == "sqlite":
                instructions = f"Set seq of {table} in sqlite_sequence to {highest}."
            yield Breach("late_sequence", "", table, message, instructions)


def _models() -> list[type[Model]]:
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def _unchecked(model: type[Model], constraint: CheckConstraint) -> Iterator[Breach]:
    # Not entered: it only writes the condition.
    editor = connection.schema_editor(collect_sql=True)
    condition = constraint._get_check_sql(model, editor)  # type: ignore[attr-defined]
    message = f"It breaks the rule {constraint.name}."
    yield from Rule("broken_rule", message, RESTORE).breaches(_rows_where(model, f"NOT ({condition})"))


def _doubled(model: type[Model], fields: Sequence[str], where: Q | None, name: str) -> Iterator[Breach]:
    rows = model._base_manager.filter(where or Q(), **{f"{field}__isnull": False for field in fields})
    groups = rows.order_by().values(*fields).annotate(n=Count("pk"), last=Max("pk")).filter(n__gt=1)
    keys = list(groups.values_list("last", flat=True)[:MOST_NAMED])
    message = f"It is a duplicate and breaks the rule {name} ({', '.join(fields)})."
    yield from Rule("doubled_row", message, RESTORE).of_keys(model, keys, total=len(keys))


def _rows_where(model: type[Model], condition: str) -> QuerySet[Any]:
    """The rows that meet an SQL condition, which only comes from the models."""
    return model._base_manager.extra(where=[condition.replace("%", "%%")])  # noqa: S610


def _shape(field: Field[Any, Any]) -> str:
    return {dict: "object", list: "array"}.get(field.default, "")


def _json_fault(field: Field[Any, Any]) -> str:
    column, shape = connection.ops.quote_name(str(field.column)), _shape(field)
    if connection.vendor == "postgresql":
        return f"jsonb_typeof({column}) <> '{shape}'" if shape else "FALSE"
    fault = f"NOT json_valid({column})"
    if shape:
        fault += f" OR (json_valid({column}) AND json_type({column}) <> '{shape}')"
    return f"{column} IS NOT NULL AND ({fault})"
