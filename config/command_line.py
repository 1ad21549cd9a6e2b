"""The program name in commands, for messages that name a command to run."""

from __future__ import annotations

import os
from pathlib import Path

from config.settings.places import IS_CHECKOUT

INSTALLED, CHECKOUT = "groundwork", "python manage.py"
# Set for the server and worker that a command starts, so that they name it too.
USED = "GROUNDWORK_COMMAND"


def remember(program: str) -> None:
    """Remember how a command was started.

    Parameters
    ----------
    program : str
        Path of the program, the first of the arguments of the process.
    """
    os.environ[USED] = INSTALLED if Path(program).stem == INSTALLED else CHECKOUT


def command(words: str) -> str:
    """The full command line of a command.

    Parameters
    ----------
    words : str
        Name of the command and its options.

    Returns
    -------
    str
        With `groundwork` where that was used, or where nothing else is installed, else `python manage.py`.
    """
    return f"{os.environ.get(USED) or (CHECKOUT if IS_CHECKOUT else INSTALLED)} {words}"
