"""The documented columns of every export are those that the code writes, in the same order."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from annotation.io.base.help.contents import DOCUMENTS
from annotation.io.base.writers import write_rows
from annotation.models import Study
from annotation.selectors.base.audit_log import audit_table
from annotation.selectors.studies.exports import ratings_table
from scoring.selectors.reports.exports import TABLES

PAGE = DOCUMENTS / "export-columns.md"
COLUMN = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
# Columns that follow from the study: texts, metadata, raters.
OF_THE_STUDY = re.compile(r"[.<]")


def documented() -> dict[str, list[str]]:
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        section.splitlines()[0]: [name for name in COLUMN.findall(section) if not OF_THE_STUDY.search(name)]
        for section in sections
    }


@pytest.mark.django_db
def test_every_export_is_documented_with_the_columns_that_it_has() -> None:
    study = Study.objects.create(slug="columns", title="Columns")
    tables = {name: table(study) for name, table in TABLES.items()}
    tables |= {
        "ratings": ratings_table(study),
        "audit": audit_table(study, with_pay=True),
    }
    assert documented() == {name: list(columns) for name, (columns, _) in tables.items()}


@pytest.mark.django_db
def test_the_example_reads_the_ratings_that_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study.objects.create(slug="columns", title="Columns")
    columns, _ = ratings_table(study)
    row = dict.fromkeys(columns, "") | {"item": "s1", "value": 4, "current": True}
    rows = [row | {"late": late, "excluded": excluded} for late, excluded in product((False, True), repeat=2)]
    with (tmp_path / "ratings.csv").open("wb") as file:
        file.writelines(write_rows(rows, columns, "csv"))
    (example,) = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(example, found)  # noqa: S102
    assert found["used"]["value"].tolist() == [4]
