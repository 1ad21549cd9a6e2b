"""The console command: `groundwork` where a wheel is installed, `python manage.py` in a checkout."""

import os
import sys

# What a shell reports of a command whose reader has gone: 128 + SIGPIPE.
READER_GONE = 141


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    from django.core.management import execute_from_command_line

    from config.settings.env import SettingError

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; nothing is left to be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
