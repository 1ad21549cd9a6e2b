"""An answer to a page of the API for raters."""

from __future__ import annotations

from typing import Any


def answer_for(page: dict[str, Any], **answers: int) -> dict[str, Any]:
    return {
        "assignment": page["assignment"],
        "page_key": page["page_key"],
        "version": page["form"]["version"],
        "answers": answers or {"quality": 4, "creativity": 2},
    }
