"""The page of a new study looks at few cells of the rows that it is sent."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from annotation.domain.base.errors import FileRefused
from annotation.io.items import column_profiles
from annotation.io.items.first_item import first_item
from annotation.models import Upload, User
from annotation.services.studies.new_study import take_new_study

SHOWN = {"simile": "figure"}
ROWS_OF_OTHER_KEYS = "".join(f'{{"k{row}": "v"}}\n' for row in range(400))


def profiled(act: Callable[[], Any]) -> tuple[int, int]:
    """How many columns and how many cells are profiled meanwhile."""
    names = {"_profile": 0, "_number": 0}

    def count(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name in names and code.co_filename == column_profiles.__file__:
            names[code.co_name] += 1

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return names["_profile"], names["_number"]


def test_rows_with_too_many_columns_altogether_have_no_first_item_and_are_not_profiled():
    assert first_item("rows.jsonl", ROWS_OF_OTHER_KEYS, SHOWN) is None
    assert profiled(lambda: first_item("rows.jsonl", ROWS_OF_OTHER_KEYS, SHOWN)) == (0, 0)


def test_only_the_first_fifty_rows_are_profiled():
    rows = [json.dumps({"id": f"i{row}", "simile": f"like rain {row}"}) for row in range(300)]
    content = "\n".join(rows)
    assert profiled(lambda: first_item("rows.jsonl", content, SHOWN)) == (2, 100)
    found = first_item("rows.jsonl", content, SHOWN)
    assert found is not None
    assert (found["key"], found["fields"]) == ("i0", {"simile": "like rain 0"})


@pytest.mark.django_db
def test_a_file_with_too_many_columns_is_refused_before_its_columns_are_profiled(tmp_path: Path):
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    path = tmp_path / "sent.jsonl"
    path.write_text(ROWS_OF_OTHER_KEYS, encoding="utf-8")
    options = {"title": "Rain", "protocol": "hauser", "overlap": None, "demo": False, "apart": False}
    upload = Upload(act="new_study", name="sent.jsonl", created_by=owner, options=options)

    def take() -> None:
        with pytest.raises(FileRefused) as refused:
            take_new_study(upload=upload, path=path)
        assert {problem.code for problem in refused.value.problems} == {"too_many_columns"}

    assert profiled(take) == (0, 0)
