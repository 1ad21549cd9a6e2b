"""Criteria and metrics under the names that people know, instead of the keys under which they are stored."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from scoring.selectors.base.metric_labels import metric_label

register = template.Library()
register.filter("metric_name", metric_label)


@register.filter
def criterion_name(key: str, labels: Mapping[str, str]) -> str:
    """The name of a criterion, from `criterion_labels` of the page's context; its key where it has none."""
    return labels.get(key, key)
