"""WSGI entry point."""

import gc
import os
import sys
from typing import NoReturn

import django
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from config.settings.env import SettingError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

# With this status of a worker Gunicorn stops; after another it would start workers for ever.
NOT_LOADED = 4


def _refuse(sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
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
    return get_wsgi_application()


application = _started()

# What is loaded by now stays: the collector need not look through it while requests are answered.
gc.collect()
gc.freeze()
