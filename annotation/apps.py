from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.core.management import call_command
from django.db.models.signals import post_migrate


def create_cache_table(*, using: str, **_: Any) -> None:
    """Create the table of a cache that is in the database: the cache has the counts of joins."""
    call_command("createcachetable", database=using, verbosity=0)


class AnnotationConfig(AppConfig):
    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import registrations  # noqa: F401 - importing it registers

        post_migrate.connect(create_cache_table, sender=self)
