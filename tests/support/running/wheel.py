"""A wheel of this checkout, and what runs where it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.installation import OURS, ROOT, Server

NOT_INHERITED = {*OURS, "GROUNDWORK_COMMAND", "XDG_DATA_HOME", "PYTHONPATH", "VIRTUAL_ENV"}
SCRIPT = "from config.manage import main\n\nmain()\n"


def build(folder: Path) -> Path:
    """Build the wheel into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@dataclass(frozen=True)
class InstalledWheel:
    """The command `groundwork` of a wheel, run in an empty folder for a user without any data."""

    command: Sequence[str]
    folder: Path  # Where it is run
    home: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of this checkout and of the test run's settings reaches the product."""
        ours = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        return ours | {"HOME": str(self.home), "PYTHONUNBUFFERED": "1"} | dict(self.settings)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one command to its end."""
        return subprocess.run(
            [*self.command, *arguments],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    def demo(self) -> Server:
        """`groundwork demo` at a free port."""
        output = self.home / "printed"
        with output.open("wb") as file:
            process = subprocess.Popen(
                [*self.command, "demo", "--bind", "127.0.0.1:0"],
                env=self.environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return Server(process, output)


def prepared(folder: Path) -> tuple[Path, Path]:
    """An empty folder to work in, and an empty home."""
    made = folder / "empty", folder / "home"
    for one in made:
        one.mkdir()
    return made


def unpacked(wheel: Path, folder: Path) -> InstalledWheel:
    """The wheel without an environment of its own: unpacked before the packages of this interpreter."""
    site = folder / "site-packages"
    zipfile.ZipFile(wheel).extractall(site)
    empty, home = prepared(folder)
    program = folder / "bin" / "groundwork"
    program.parent.mkdir()
    program.write_text(SCRIPT, encoding="utf-8")
    return InstalledWheel([sys.executable, str(program)], empty, home, {"PYTHONPATH": str(site)})


def installed(wheel: Path, folder: Path, python: str) -> InstalledWheel:
    """The wheel in a new virtual environment, with the pinned versions of what the web part needs.

    Parameters
    ----------
    wheel : Path
        The built wheel.
    folder : Path
        An empty folder for environment, home and work.
    python : str
        The interpreter, as a command.
    """
    environment = folder / "venv"
    pip = [str(environment / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    steps = (
        [python, "-m", "venv", str(environment)],
        [*pip, "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)],
        [*pip, "check"],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, timeout=1800, check=False)
        assert done.returncode == 0, f"{step}: {done.stdout}\n{done.stderr}"
    empty, home = prepared(folder)
    return InstalledWheel([str(environment / "bin" / "groundwork")], empty, home)
