"""The key that an installation keeps for itself is replaced in steps, none of which loses anything."""

from __future__ import annotations

import io
import os
import stat
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from config.settings.secret_key_file import (
    FALLBACKS,
    KEY,
    fallbacks_age,
    forget_fallbacks,
    read_fallbacks,
    read_or_create_key,
    replace_key,
    with_keys,
)
from tests.support.installation import Installation

MAKE = """
from tests.support.people import make_cast
print("LINK" + make_cast(items=2).invitation.token)
"""
READ = """
from annotation.models import Invitation
print("LINK" + Invitation.objects.get(label="everybody").token)
"""


@pytest.fixture
def no_key_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY")


@pytest.mark.usefixtures("no_key_set")
def test_a_replaced_key_is_stored_before_earlier_ones_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    first = read_or_create_key(tmp_path)
    replace_key(tmp_path)
    second = read_or_create_key(tmp_path)
    replace_key(tmp_path)
    assert read_fallbacks(tmp_path) == [second, first]
    assert len({first, second, read_or_create_key(tmp_path)}) == 3
    files = sorted(tmp_path.iterdir())
    assert [(path.name, stat.S_IMODE(path.stat().st_mode)) for path in files] == [
        (KEY, 0o600),
        (FALLBACKS, 0o600),
    ]
    forget_fallbacks(tmp_path)
    assert read_fallbacks(tmp_path) == []


def test_earlier_keys_are_one_a_line_and_may_have_spaces(tmp_path: Path) -> None:
    (tmp_path / FALLBACKS).write_text("ein Schlüssel davor\nthe first\n", encoding="utf-8")
    assert read_fallbacks(tmp_path) == ["ein Schlüssel davor", "the first"]


@pytest.mark.processes
def test_the_documented_steps_replace_the_key_of_an_installation(migrated: Installation) -> None:
    made = migrated.run_script(MAKE)

    def check_readable() -> None:
        read = Installation(migrated.var, migrated.settings)
        assert read.run_script(READ) == made
        read.close()

    key = (migrated.var / KEY).read_text()
    done = migrated.manage("rotate_secrets", "--new-key")
    assert done.returncode == 0, done.stderr
    assert "Restart the web server and the workers now" in done.stdout
    assert (migrated.var / KEY).read_text() != key
    check_readable()
    yesterday = time.time() - 25 * 3600
    os.utime(migrated.var / FALLBACKS, (yesterday, yesterday))
    done = migrated.manage("rotate_secrets", "--forget")
    assert done.returncode == 0, done.stderr
    assert "links: 2, 2 encrypted again, 0 not readable with any key" in done.stdout
    assert not (migrated.var / FALLBACKS).exists()
    check_readable()


@pytest.mark.django_db
def test_the_old_key_is_deleted_on_the_first_day_only_with_now(tmp_path: Path, settings: Settings) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / FALLBACKS).write_text("the first\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"0 min ago.*--now"):
        call_command("rotate_secrets", "--forget", stdout=io.StringIO())
    assert read_fallbacks(tmp_path) == ["the first"]
    call_command("rotate_secrets", "--forget", "--now", stdout=io.StringIO())
    assert read_fallbacks(tmp_path) == []


def test_a_key_of_the_environment_is_not_replaced_in_a_file(tmp_path: Path) -> None:
    done = Installation(tmp_path / "var", {"SECRET_KEY": "k" * 50}).manage("rotate_secrets", "--new-key")
    assert done.returncode == 2
    assert "SECRET_KEY_FALLBACKS" in done.stderr
    assert not (tmp_path / "var" / KEY).exists()


def test_keys_of_an_archive_without_earlier_ones_count_as_never_replaced(tmp_path: Path) -> None:
    with with_keys(tmp_path, ["the only one"]):
        pass
    assert read_fallbacks(tmp_path) == []
    assert fallbacks_age(tmp_path) is None
