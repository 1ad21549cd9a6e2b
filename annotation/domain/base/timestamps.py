"""Points in time as files write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

# Columns of files that hold moments, in every table.
TIMES = frozenset(
    {
        "answered_at",
        "at",
        "consented_at",
        "created_at",
        "decided_at",
        "declared_at",
        "excluded_at",
        "finished_at",
        "lifted_at",
        "reported_at",
        "resolved_at",
        "submitted_at",
    }
)


# How far moments are rounded in files.
EXACT, HOUR, DAY = ROUNDINGS = ("exact", "hour", "day")


def rounded(text: str, to: str) -> str:
    """A moment in UTC, as `utc_timestamp` writes it, at the start of its hour or day; other texts as is."""
    when = moment_of(text) if to != EXACT else None
    if when is None:
        return text
    start = when.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return utc_timestamp(start.replace(hour=0) if to == DAY else start)


def rounded_within(value: Any, to: str) -> Any:
    """A JSON value in which every text that is a moment is rounded, also inside lists and objects."""
    if isinstance(value, str):
        return rounded(value, to)
    if isinstance(value, dict):
        return {name: rounded_within(one, to) for name, one in value.items()}
    return [rounded_within(one, to) for one in value] if isinstance(value, list) else value


def utc_timestamp(when: datetime) -> str:
    """A moment in ISO 8601, in UTC, such as `2025-03-01T09:30:00Z`."""
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def moment_of(text: str) -> datetime | None:
    """The moment of a text in ISO 8601 with time and zone; None for any other text."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
