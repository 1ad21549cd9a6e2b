"""Definitions are parsed by the web server: no document may grow, or take longer than its size says."""

from __future__ import annotations

import time

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.io.base.strict_documents import MOST_BYTES, read_document

KEYS = [f'"{number}":1' for number in range(50_000)]
HARMFUL = {
    "aliases": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "damaged_document"),
    "an alias of itself": (b"a: &a [*a]\n", "damaged_document"),
    "merged keys": (b"a: &a {x: 1}\nb:\n  <<: *a\n", "damaged_document"),
    "tags": (b"a: !!python/object/apply:os.getcwd []\n", "damaged_document"),
    "lists in lists": (b"[" * MOST_BYTES, "too_deeply_nested"),
    "lists in lists, by indents": (b"- " * (MOST_BYTES // 2), "too_deeply_nested"),
    "keys of keys": (b"? " * (MOST_BYTES // 2), "too_deeply_nested"),
    "objects in objects": (b'{"a":' * (MOST_BYTES // 5), "too_deeply_nested"),
    "a key of many twice": (f"{{{','.join([*KEYS, KEYS[-1]])}}}".encode(), "damaged_document"),
    "a long number": (b'{"a": ' + b"9" * 500_000 + b"}", "damaged_document"),
    "a long word": (b"- " + b"9" * 500_000, "damaged_document"),
    "more than is taken": (b"a" * (MOST_BYTES + 1), "too_large"),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_a_harmful_document_is_refused_within_moments(name: str) -> None:
    content, code = HARMFUL[name]
    begun = time.process_time()
    with pytest.raises(InvalidContent) as refusal:
        read_document(content, name="study.yaml")
    assert refusal.value.code == code
    assert time.process_time() - begun < 2
