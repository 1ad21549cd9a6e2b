"""Moments as files say them."""

from __future__ import annotations

from datetime import UTC, datetime

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


def utc_timestamp(when: datetime) -> str:
    """A moment in ISO 8601, in UTC, such as `2025-03-01T09:30:00Z`."""
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def moment_of(text: str) -> datetime | None:
    """The moment that a text in ISO 8601 names with its time and zone; None for any other text."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
