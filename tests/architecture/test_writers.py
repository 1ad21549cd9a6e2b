"""Only services write rows: what is stored passes their rules, their locks and the audit log."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITES = {
    "bulk_create",
    "bulk_update",
    "create",
    "delete",
    "get_or_create",
    "save",
    "update",
    "update_or_create",
}
MANAGERS = (".objects", ".everything")
MAY_WRITE = {"services", "models", "migrations"}
# A workbook and a picture are saved to files; a storage keeps and deletes files.
NO_ROWS = {
    "annotation/io/base/writers.py: book.save",
    "annotation/io/items/media/images.py: picture.save",
    "annotation/io/items/media/stored.py: storage().delete",
    "annotation/io/items/media/stored.py: there.delete",
    "annotation/io/items/media/stored.py: there.save",
}


def writes(source: str) -> Iterator[str]:
    """The calls of a source that write rows."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            receiver = ast.unparse(node.func.value)
            if node.func.attr in {"save", "delete"} or any(name in receiver for name in MANAGERS):
                yield f"{receiver}.{node.func.attr}"


def test_only_services_write() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {call}"
        for package in ("annotation", "scoring", "config")
        for path in (ROOT / package).rglob("*.py")
        if not MAY_WRITE & set(path.relative_to(ROOT).parts)
        for call in writes(path.read_text(encoding="utf-8"))
    }
    assert found == NO_ROWS


@pytest.mark.parametrize(
    "source",
    [
        "ImportFile.objects.filter(pk=file.pk).update(mapping=mapping)",
        "Token.objects.get_or_create(user=user)",
        "Response.everything.filter(rater=rater).delete()",
        "study.save(update_fields=['title'])",
    ],
)
def test_a_write_is_found(source: str) -> None:
    assert list(writes(source))
