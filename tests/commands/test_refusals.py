"""What a command says where it cannot do its work: a sentence and status 2, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.settings.places import ROOT
from tests.support.people import make_cast


@pytest.mark.django_db
def test_a_file_in_a_folder_that_does_not_exist_is_refused_with_its_path(tmp_path: Path) -> None:
    cast = make_cast()
    target = tmp_path / "nowhere" / "ratings.csv"
    with pytest.raises(CommandError, match=f"^{target} cannot be written: No such file or dir") as refusal:
        call_command("export", cast.slug, out=str(target))
    assert refusal.value.returncode == 2


def test_a_command_before_the_first_migration_says_to_migrate(tmp_path: Path) -> None:
    given = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", "report", "no-study"],
        cwd=ROOT,
        env=given | {"GROUNDWORK_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings.embedded"},
        capture_output=True,
        text=True,
        check=False,
    )
    sentence = "The database is not up to date: run `python manage.py migrate` first, then this again.\n"
    assert (done.returncode, done.stderr) == (2, sentence)
