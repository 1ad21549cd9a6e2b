"""Is the server alive, and can it do its work? Asked by start-up, containers and monitors."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.command_line import command
from config.static_files import manifest_is_missing, missing_manifest


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The process answers. Touches nothing else, so that a database away does not restart the server."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """The static files are collected; the database answers and has the tables this version needs."""
    if manifest_is_missing():
        return _refusal("static_files_missing", missing_manifest())
    try:
        missing = _unapplied_migrations()
    except DatabaseError:
        return _refusal("database_unreachable", "The database does not answer: check DATABASE_URL.")
    if missing:
        return _refusal(
            "migrations_missing", f"{missing} migrations are not applied: run `{command('migrate')}`."
        )
    return JsonResponse({"code": "ready", "message": "ok"})


def _unapplied_migrations() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _refusal(code: str, message: str) -> JsonResponse:
    return JsonResponse({"code": code, "message": message, "fields": {}}, status=503)
