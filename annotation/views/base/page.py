"""What the pages of a study share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from annotation.domain.base.errors import GroundworkError
from annotation.permissions import Access


def page(access: Access, tab: str) -> dict[str, Any]:
    """What every page of a study shows around its own content."""
    return {"access": access, "study": access.study, "tab": tab}


@contextmanager
def refusal_shown(request: HttpRequest) -> Iterator[None]:
    """Show why an act is refused as a message on the next page."""
    try:
        yield
    except GroundworkError as refusal:
        messages.error(request, refusal.message)
