"""WSGI entry point."""

import fcntl
import gc
import importlib
import os
import sys
import time
from typing import NoReturn

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from config.settings.env import SettingError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

# With this status of a worker Gunicorn stops; after another it would start workers for ever.
NOT_LOADED = 4
# Workers that start together find the same fault within this time, in seconds.
TOGETHER = 1.0


def _refuse(sentence: str) -> NoReturn:
    """End the process with one sentence, from one worker only, because Gunicorn fails at the second."""
    with open(__file__, encoding="utf-8") as turn:  # noqa: PTH123 (held open for its lock)
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(3 * TOGETHER)
            sys.exit()
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()
        time.sleep(TOGETHER)
        sys.exit(NOT_LOADED)


def _started() -> WSGIHandler:
    """The application, or the end of the process with one sentence that says what to do."""
    try:
        django.setup(set_prefix=False)
    except SettingError as error:
        _refuse(str(error))
    from config.static_files import manifest_is_missing, missing_manifest

    if manifest_is_missing():
        _refuse(missing_manifest())
    made = get_wsgi_application()
    # Django would load the pages at the first request, in each worker separately, while a user waits.
    importlib.import_module(settings.ROOT_URLCONF)
    return made


# What is loaded now stays: the collector need not look through it, now and while requests are answered.
gc.disable()
application = _started()
gc.collect()
gc.freeze()
gc.enable()
