"""Criteria and metrics under the names that people know, instead of the keys under which they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from annotation.templatetags.components import floatformat
from scoring.selectors.base.metric_labels import metric_label
from scoring.stats.base.cautions import zero_width_part
from scoring.templatetags.reason_words import reason_words

register = template.Library()
register.filter("metric_name", metric_label)


@register.filter
def criterion_name(key: str, names: Mapping[str, str] | None) -> str:
    """The name of a criterion; its key where the page has no names or none for it."""
    return (names or {}).get(key) or capfirst(key)


@register.filter
def option_label(value: str, labels: Mapping[str, str]) -> str:
    """What raters read for the value of an option; the value itself where that is not known."""
    return labels.get(value) or value


@register.simple_tag
def interval(low: float, high: float, digits: int = 2) -> str:
    """Both limits of a confidence interval, as in “1.37 to 2.76”, with the caution of one without width."""
    return format_html("{}{}", value_range(low, high, digits), zero_width(low, high))


@register.simple_tag
def zero_width(low: float | None, high: float | None) -> str:
    """The caution of a confidence interval both limits of which are the same; empty for others."""
    if low is None or high is None or not zero_width_part(low, high):
        return ""
    return format_html(' <small class="block muted">{}</small>', reason_words("zero_width"))


@register.simple_tag
def value_range(low: float, high: float, digits: int = 2) -> str:
    """Both ends of a range, as in “1.37 to 2.76”."""
    return _("%(low)s to %(high)s") % {"low": floatformat(low, digits), "high": floatformat(high, digits)}


@register.filter
def form_version_name(version: str, titles: Mapping[str, str] | None) -> str:
    """`similes 2.1` → “Similes, version 2.1”; unchanged where the page has no titles of forms."""
    form, _space, number = version.rpartition(" ")
    title = (titles or {}).get(form)
    return _("%(form)s, version %(number)s") % {"form": title, "number": number} if title else version


@register.filter
def criterion_names(rows: Iterable[Mapping[str, Any]], names: Mapping[str, str] | None) -> str:
    """The names of the criteria of rows, as a list."""
    return "; ".join(criterion_name(row["criterion"], names) for row in rows)
