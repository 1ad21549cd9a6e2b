"""Entries of the audit log in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def act_words(act: str) -> str:
    """`change_state` → `change state`."""
    return act.replace("_", " ")


@register.filter
def detail_words(detail: Mapping[str, Any]) -> str:
    """The details that say something, as `name: value` pairs."""
    said = {name: value for name, value in detail.items() if value not in ("", None, [])}
    return "; ".join(f"{act_words(name)}: {_value(value)}" for name, value in said.items())


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
