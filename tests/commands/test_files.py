"""Files in and out by command: by name, through pipes, or refused with code 2."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.io.base.writers import WRITERS
from annotation.models import Study, User
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.studies.demo import ensure_demo
from annotation.services.studies.lifecycle import create_study

pytestmark = pytest.mark.django_db
ITEMS = b"item,simile\ni1,like rain\ni2,like snow\n"
RATINGS = b"item,rater,criterion,value\ni1,R1,quality,3\ni1,R2,quality,4\n"


@pytest.fixture
def study() -> Study:
    owner = User.objects.create_user("someone@example.org", "simile-and-metaphor-42")
    return create_study(slug="copy", title="Copy", owner=owner)


def given(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Standard input holds that."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def refused(*words: Any, **options: Any) -> str:
    with pytest.raises(CommandError) as refusal:
        call_command(*words, **options)
    assert refusal.value.returncode == 2
    return str(refusal.value)


def test_items_and_ratings_come_from_standard_input(study, monkeypatch, capsys):
    given(monkeypatch, ITEMS)
    call_command("import_items", "copy", "-", "--format", "csv")
    given(monkeypatch, RATINGS)
    call_command("import_ratings", "copy", "-", "--format", "csv", "--scale", "1-7")
    assert study.items.count() == 2
    assert [row["value"] for row in long_ratings(study)] == [3, 4]
    assert capsys.readouterr().out == "2 items imported into 'copy'.\n2 ratings imported into 'copy'.\n"


@pytest.mark.parametrize("command", ["import_items", "import_ratings"])
def test_standard_input_needs_a_format(study, monkeypatch, command):
    given(monkeypatch, ITEMS)
    message = refused(command, "copy", "-")
    assert message == "Nothing was saved.\nstandard input: name the format with --format, as in --format csv"
    assert not study.items.exists()


@pytest.mark.parametrize("command", ["import_items", "import_ratings"])
def test_a_problem_in_standard_input_is_named_with_its_row(study, monkeypatch, command):
    given(monkeypatch, b"item,rater,criterion,value\ni1,R1\n")
    assert "standard input, row 2: the row has 2 cells, but the header has 4" in refused(
        command, "copy", "-", "--format", "csv"
    )


def test_a_named_format_takes_precedence_over_the_ending_of_a_file(study, tmp_path):
    path = tmp_path / "items.txt"
    path.write_bytes(ITEMS)
    assert "unknown format 'txt'" in refused("import_items", "copy", str(path))
    call_command("import_items", "copy", str(path), "--format", "csv")
    assert study.items.count() == 2


@pytest.mark.parametrize("command", ["import_items", "import_ratings"])
def test_an_unknown_study_and_a_missing_file_are_refused(study, tmp_path, command):
    assert refused(command, "nothing", "x.csv") == "There is no study 'nothing'."
    assert "x.csv: the file does not exist" in refused(command, "copy", str(tmp_path / "x.csv"))


@pytest.mark.parametrize("file_format", sorted(WRITERS))
def test_an_export_without_a_file_goes_through_a_pipe_into_another_study(
    study, monkeypatch, capfdbinary, file_format
):
    demo = Study.objects.get(slug=ensure_demo().study_slug)
    call_command("export", demo.slug, "--format", file_format, "--all-revisions")
    given(monkeypatch, capfdbinary.readouterr().out)
    call_command("import_ratings", "copy", "-", "--format", file_format)
    assert [row | {"study": ""} for row in long_ratings(study, all_revisions=True)] == [
        row | {"study": ""} for row in long_ratings(demo, all_revisions=True)
    ]


def test_an_export_into_a_file_prints_nothing(tmp_path: Path, capfdbinary):
    demo = ensure_demo().study_slug
    call_command("export", demo, "--what", "items", "--out", str(tmp_path / "items.csv"))
    assert capfdbinary.readouterr().out == b""
    call_command("export", demo, "--what", "items", "--out", "-")
    assert capfdbinary.readouterr().out == (tmp_path / "items.csv").read_bytes()
