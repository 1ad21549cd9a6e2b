"""A table with more columns than anybody could look at is refused before its columns are guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import FileRefused
from annotation.io.base.file_errors import MOST_COLUMNS
from annotation.io.items.any_encoding import stream_items
from annotation.models import Study
from tests.support.people import make_cast


def csv_of(n: int) -> str:
    return ",".join(f"c{place}" for place in range(n)) + "\n" + ",".join("x" * n) + "\n"


def jsonl_of(n: int) -> str:
    """Each row has a key of its own."""
    return "".join(json.dumps({f"c{place}": "x"}) + "\n" for place in range(n))


def read(folder: Path, name: str, content: str) -> int:
    path = folder / name
    path.write_text(content)
    _problems, rows = stream_items(path, name=name)
    return len(list(rows))


@pytest.mark.parametrize(("name", "made"), [("wide.csv", csv_of), ("keys.jsonl", jsonl_of)])
def test_columns_are_counted_while_the_file_is_read(tmp_path: Path, name, made):
    assert read(tmp_path, name, made(MOST_COLUMNS))
    with pytest.raises(FileRefused) as refused:
        read(tmp_path, name, made(MOST_COLUMNS + 1))
    assert refused.value.code == "too_many_columns"
    assert f"more than {MOST_COLUMNS} columns; remove those" in refused.value.problems[0].message


@pytest.mark.django_db
def test_a_study_with_such_a_file_is_not_begun():
    cast = make_cast(opened=False)
    client = Client()
    client.force_login(cast.users["owner"])
    sent = {
        "title": "Wide",
        "protocol": "blank",
        "items": SimpleUploadedFile("k.jsonl", jsonl_of(5000).encode()),
    }
    page = client.post(reverse("study-new"), sent, follow=True)
    assert f"more than {MOST_COLUMNS} columns" in page.content.decode()
    assert not Study.objects.filter(title="Wide").exists()
