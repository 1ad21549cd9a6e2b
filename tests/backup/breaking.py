"""Rows that are broken by SQL, past the constraints of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


def run_sql(order: str, *values: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(order, values)


@contextmanager
def without_constraints() -> Iterator[None]:
    """A transaction in which nothing is checked, and which is rolled back."""
    with transaction.atomic():
        _switch_off()
        try:
            yield
        finally:
            if connection.vendor == "sqlite":
                run_sql("PRAGMA ignore_check_constraints = OFF")
            transaction.set_rollback(True)


def _switch_off() -> None:
    if connection.vendor == "sqlite":
        run_sql("PRAGMA ignore_check_constraints = ON")
    else:
        run_sql("SET CONSTRAINTS ALL IMMEDIATE")
        run_sql("SET CONSTRAINTS ALL DEFERRED")
        for name in ("rating_within_scale", "rating_says_one_thing"):
            run_sql(f"ALTER TABLE annotation_rating DROP CONSTRAINT {name}")
    run_sql("DROP INDEX nobody_rates_an_item_twice")
