"""The JSON Schema of a kind's own settings."""

from __future__ import annotations

from typing import Any

UNIT_SETTING: dict[str, Any] = {
    "description": "Selection unit; by default words, or characters in scripts without spaces.",
    "enum": ["", "characters", "words"],
    "default": "",
}


def settings_of(described: str, properties: dict[str, Any]) -> dict[str, Any]:
    """Describe settings that all have a default."""
    return {
        "description": f"Settings of {described}.",
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
        "default": {},
    }
