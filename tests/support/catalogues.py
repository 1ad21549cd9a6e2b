"""Compiled catalogues of interface words, as `msgfmt` writes them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

MAGIC, HEADER = 0x950412DE, 28


def write_catalogue(folder: Path, locale: str, words: Mapping[str, str]) -> None:
    """Write `<locale>/LC_MESSAGES/django.mo` with these translations."""
    entries = sorted({"": "Content-Type: text/plain; charset=UTF-8\n", **words}.items())
    place = HEADER + 16 * len(entries)
    tables, texts = b"", b""
    for column in (0, 1):
        for entry in entries:
            text = entry[column].encode()
            tables += struct.pack("<2I", len(text), place + len(texts))
            texts += text + b"\0"
    sizes = (len(entries), HEADER, HEADER + 8 * len(entries), 0, HEADER)
    path = folder / locale / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(struct.pack("<7I", MAGIC, 0, *sizes) + tables + texts)
