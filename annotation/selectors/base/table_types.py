"""Types of the parts of an export: tables and documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Study

Table = tuple[Sequence[str], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Document:
    """A file: its ending, its type, and how its pieces are made."""

    ending: str
    content_type: str
    pieces: Callable[[Study], Iterator[bytes]]
