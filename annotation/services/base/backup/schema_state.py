"""Migration state of the tables, and creation of tables in the state of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import BaseDatabaseCache
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config.settings.places import CACHE_TABLE

State = list[tuple[str, str]]
# PostgreSQL extensions create views and tables of their own, which contain no data of this program.
OF_EXTENSIONS = """
    SELECT relname FROM pg_class JOIN pg_depend ON objid = pg_class.oid
    WHERE classid = 'pg_class'::regclass AND deptype = 'e'
"""


def current_state() -> State:
    """Return the last migration of each application, as this version has them."""
    return sorted(MigrationLoader(None).graph.leaf_nodes())


def is_migrated() -> bool:
    """Whether the tables are those of this version."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def has_tables() -> bool:
    """Whether `migrate` was ever run on the database."""
    return MigrationRecorder(connection).has_table()


def unknown_migrations(state: State) -> list[str]:
    """Return the migrations of a state that this version does not have."""
    known = MigrationLoader(None).graph.nodes
    return [".".join(node) for node in state if node not in known]


def models_at(state: State) -> Apps:
    """Return the models as they were in a state.

    Parameters
    ----------
    state : State
        All known here.
    """
    loader = MigrationLoader(None)
    if state == sorted(loader.graph.leaf_nodes()):
        return apps
    return loader.project_state(state).apps


def make_tables(state: State) -> None:
    """Make the tables of a state in a database that has none.

    Parameters
    ----------
    state : State
        All known here.
    """
    executor = MigrationExecutor(connection)
    executor.migrate(state)


def all_tables() -> set[str]:
    """Return the names of all tables and views, except those of the database system itself."""
    with connection.cursor() as cursor:
        names = set(connection.introspection.table_names(cursor, include_views=True))
        if connection.vendor == "postgresql":
            cursor.execute(OF_EXTENSIONS)
            names -= {name for (name,) in cursor.fetchall()}
    return {name for name in names if connection.vendor != "sqlite" or not name.startswith("sqlite_")}


def own_tables() -> set[str]:
    """Return the table names of this version: those of `migrate` and of the cache."""
    models = apps.get_models(include_auto_created=True)
    names = {model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy}
    # Caches of any class that stores entries in the database; `createcachetable` finds them in the same way.
    in_database = (alias for alias in settings.CACHES if isinstance(caches[alias], BaseDatabaseCache))
    of_caches = {str(settings.CACHES[alias]["LOCATION"]) for alias in in_database}
    return {*names, MigrationRecorder.Migration._meta.db_table, CACHE_TABLE, *of_caches}


@contextmanager
def noting_new_tables(made: set[str]) -> Iterator[None]:
    """Add the tables that are created in the block to `made`, even if it raises an error."""
    before = all_tables()
    try:
        yield
    finally:
        made |= all_tables() - before


def drop_tables(names: Iterable[str]) -> None:
    """Drop tables.

    Parameters
    ----------
    names : iterable of str
        Those that are not there are passed over.
    """
    with connection.schema_editor() as editor:
        for name in sorted(set(names) & set(connection.introspection.table_names())):
            editor.execute(editor.sql_delete_table % {"table": editor.quote_name(name)})


def migrate() -> None:
    """Migrate the tables and their rows to the state of this version."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
