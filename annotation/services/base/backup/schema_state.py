"""Which migrations the tables have seen, and bringing empty tables to the state of an archive."""

from __future__ import annotations

from django.apps import apps
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

State = list[tuple[str, str]]


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


def drop_tables(*states: Apps) -> None:
    """Drop the tables of this version, and of other states, which the caller has found empty.

    Parameters
    ----------
    states : Apps
        Models as they were, whose tables this version may not have any more.
    """
    models = [model for one in (apps, *states) for model in one.get_models(include_auto_created=True)]
    names = {model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy}
    names.add(MigrationRecorder.Migration._meta.db_table)
    with connection.schema_editor() as editor:
        for name in sorted(names & set(connection.introspection.table_names())):
            editor.execute(editor.sql_delete_table % {"table": editor.quote_name(name)})


def migrate() -> None:
    """Bring the tables, and what is in them, to the state of this version."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
