"""What every page of a study shows."""

from __future__ import annotations

from typing import Any

from annotation.permissions import Access


def page(access: Access, tab: str) -> dict[str, Any]:
    """What every page of a study shows around its own content."""
    return {"access": access, "study": access.study, "tab": tab}
