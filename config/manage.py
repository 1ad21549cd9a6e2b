"""The console command: `groundwork` where a wheel is installed, `python manage.py` in a checkout."""

import os
import sys
from collections.abc import Sequence

from config.command_line import command, remember
from config.distribution import release
from config.management.command_groups import asks_for_commands, overview

# What a shell reports of a command whose reader has gone: 128 + SIGPIPE.
READER_GONE = 141
# What PostgreSQL answers where a table or a column does not exist.
UNDEFINED = {"42P01", "42703"}


def is_table_missing(error: Exception) -> bool:
    """Return whether a command failed because a table or column does not exist."""
    if getattr(error.__cause__, "sqlstate", None) in UNDEFINED:
        return True
    return str(error).startswith(("no such table", "no such column"))


def asks_for_version(arguments: Sequence[str]) -> bool:
    """Return whether a command line asks for the version, of the program or of one of its commands."""
    return list(arguments[:1]) in (["version"], ["--version"]) or list(arguments[1:]) == ["--version"]


def main() -> None:
    """Run the command that the process was started with."""
    remember(sys.argv[0])
    if asks_for_version(sys.argv[1:]):
        sys.stdout.write(f"{release()}\n")
        return
    if asks_for_commands(sys.argv[1:]):
        sys.stdout.write(overview())
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from config.settings.env import SettingError

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe; nothing is left to be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except DatabaseError as error:
        if not is_table_missing(error):
            raise
        sys.stderr.write(
            f"The database is not up to date: run `{command('migrate')}` first, then this again.\n"
        )
        sys.exit(2)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
