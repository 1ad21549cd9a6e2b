"""The program names itself, its version and its commands, whichever way it was started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from config import command_line
from config.command_line import command, remember
from config.distribution import release
from config.management.command_groups import GROUPS
from tests.support.installation import OURS, ROOT

STARTED = "import sys; sys.argv = {arguments!r}; from config.manage import main; main()"


def run(program: str, *arguments: str, var: Path) -> subprocess.CompletedProcess[str]:
    """Run the program as if the shell had found it under this name."""
    given = {name: value for name, value in os.environ.items() if name not in (*OURS, command_line.USED)}
    code = STARTED.format(arguments=[program, *arguments])
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=given | {"GROUNDWORK_VAR": str(var)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", [("--version",), ("version",), ("agreement", "--version")])
def test_it_prints_its_own_version(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run("/usr/local/bin/groundwork", *arguments, var=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{release()}\n"), done.stderr


@pytest.mark.parametrize(
    ("program", "named"),
    [("/usr/local/bin/groundwork", "groundwork migrate"), ("manage.py", "python manage.py migrate")],
)
def test_messages_name_the_command_that_was_used(tmp_path: Path, program: str, named: str) -> None:
    done = run(program, "report", "no-study", var=tmp_path)
    assert done.returncode == 2
    assert f"run `{named}` first" in done.stderr


def test_what_a_command_starts_names_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(command_line.USED, raising=False)
    assert command("migrate") == "python manage.py migrate"
    monkeypatch.setattr(command_line, "IS_CHECKOUT", False)
    assert command("migrate") == "groundwork migrate"
    monkeypatch.setenv(command_line.USED, "")
    remember("manage.py")
    assert command("migrate") == "python manage.py migrate"
    remember("/opt/groundwork/bin/groundwork")
    assert command("models fetch") == "groundwork models fetch"


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",), ("-h",)])
def test_help_lists_the_commands_by_purpose(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run("/usr/local/bin/groundwork", *arguments, var=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Usage: groundwork COMMAND" in done.stdout
    for purpose, commands in GROUPS.items():
        for name, line in commands.items():
            assert f"  {name} " in done.stdout.partition(f"\n{purpose}\n")[2]
            assert line in done.stdout


def test_every_own_command_has_exactly_one_purpose() -> None:
    known = {str(name): str(app) for name, app in get_commands().items()}
    own = {name for name, app in known.items() if app in {"annotation", "config", "scoring"}}
    listed = [name for commands in GROUPS.values() for name in commands]
    assert own <= set(listed) <= known.keys()
    assert len(listed) == len(set(listed))
