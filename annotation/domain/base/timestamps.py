"""Moments as files say them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_timestamp(when: datetime) -> str:
    """A moment in ISO 8601, in UTC, such as `2025-03-01T09:30:00Z`."""
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")
