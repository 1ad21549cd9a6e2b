"""Every row that belongs to a study, model by model, in an order in which they can be deleted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db import models

from annotation.models import Study

# Rows that go with what they point to, or keep it; other references are emptied.
OWNING = (models.CASCADE, models.PROTECT)


@dataclass(frozen=True)
class Owned:
    """A model whose rows belong to studies, and the lookup from it to the study."""

    model: type[models.Model]
    lookup: str

    def rows(self, study_id: int) -> models.QuerySet[Any]:
        """The rows of a study, whatever its managers hide or refuse."""
        return models.QuerySet(self.model).filter(**{self.lookup: study_id})


@cache
def owned_models() -> tuple[Owned, ...]:
    """Return the models whose rows belong to a study, those that point to others before these."""
    lookups = _lookups()
    order: TopologicalSorter[type[models.Model]] = TopologicalSorter(dict.fromkeys(lookups, ()))
    for model in lookups:
        for reference in _references(model):
            if reference.related_model in lookups and reference.related_model is not model:
                order.add(reference.related_model, model)
    return tuple(Owned(model, lookups[model]) for model in order.static_order())


def _lookups() -> dict[type[models.Model], str]:
    """By model, the shortest way to a study by references that are never empty, else by any."""
    found: dict[type[models.Model], str] = {Study: "pk"}
    for optional in (False, True):
        near = list(found)
        while near:
            near = [model for target in near for model in _pointing_to(target, found, optional=optional)]
    return {model: lookup for model, lookup in found.items() if model is not Study}


def _pointing_to(
    target: type[models.Model], found: dict[type[models.Model], str], *, optional: bool
) -> Iterator[type[models.Model]]:
    for model in apps.get_models(include_auto_created=True):
        for reference in _references(model):
            if model not in found and reference.related_model is target and (optional or not reference.null):
                way = found[target]
                found[model] = reference.name if way == "pk" else f"{reference.name}__{way}"
                yield model


def _references(model: type[models.Model]) -> list[Any]:
    fields: list[Any] = [field for field in model._meta.get_fields() if isinstance(field, models.ForeignKey)]
    return [field for field in fields if field.remote_field.on_delete in OWNING]
