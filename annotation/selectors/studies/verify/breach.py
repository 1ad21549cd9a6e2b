"""Rows that break a rule, with instructions to correct them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet

from annotation.models import Study

# More rows of one kind are only counted.
MOST_NAMED = 20
MANUALLY = "Correct the row with SQL, or restore the last backup for which `verify` finds nothing."


@dataclass(frozen=True)
class Breach:
    """One row that breaks a rule.

    `code` is stable; `study` is its slug, or empty; in the last listed row, `rows` includes the rows that
    are not listed.
    """

    code: str
    study: str
    row: str
    message: str
    mend: str
    rows: int = 1


@dataclass(frozen=True)
class Rule:
    """A rule for rows, and instructions for rows that break it."""

    code: str
    message: str
    instructions: str

    def breaches(self, rows: QuerySet[Any]) -> Iterator[Breach]:
        """Yield the first of the rows that break it; `rows` may be in any order."""
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[: MOST_NAMED + 1])
        yield from self.of_keys(rows.model, keys, total=rows.count() if len(keys) > MOST_NAMED else len(keys))

    def of_keys(self, model: type[Model], keys: list[Any], *, total: int) -> Iterator[Breach]:
        """Yield a breach for each listed key; the last one has the number of the others."""
        named = keys[:MOST_NAMED]
        slugs = studies_of(model, named)
        for place, key in enumerate(named, start=1):
            more = total - len(named) + 1 if place == len(named) else 1
            row = f"{model._meta.db_table} {key}"
            yield Breach(self.code, slugs.get(key, ""), row, self.message, self.instructions, more)


def studies_of(model: type[Model], keys: list[Any]) -> dict[Any, str]:
    """Return the slugs of the studies of rows, by key; rows without a study are left out."""
    path = _path_to_study(model)
    if path is None or not keys:
        return {}
    found = model._base_manager.filter(pk__in=keys).values_list("pk", "__".join((*path, "slug")))
    return {key: slug for key, slug in found if slug}


def _path_to_study(model: type[Model]) -> tuple[str, ...] | None:
    """The shortest path of foreign keys from a model to its study."""
    waiting: deque[tuple[type[Model], tuple[str, ...]]] = deque([(model, ())])
    seen = {model}
    while waiting:
        here, path = waiting.popleft()
        if here is Study:
            return path
        for field in here._meta.concrete_fields:
            related = field.related_model
            if related is not None and related not in seen:
                seen.add(related)
                waiting.append((related, (*path, field.name)))
    return None
