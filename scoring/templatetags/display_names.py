"""Criteria and metrics under the names that people know, instead of the keys under which they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.text import capfirst

from scoring.selectors.base.metric_labels import metric_label

register = template.Library()
register.filter("metric_name", metric_label)


@register.filter
def criterion_name(key: str, names: Mapping[str, str] | None) -> str:
    """The name of a criterion; its key where the page has no names or none for it."""
    return (names or {}).get(key) or capfirst(key)


@register.filter
def criterion_names(rows: Iterable[Mapping[str, Any]], names: Mapping[str, str] | None) -> str:
    """The names of the criteria of rows, as a list."""
    return "; ".join(criterion_name(row["criterion"], names) for row in rows)
