"""Settings of the test suite: a real WAL file per test process, or PostgreSQL by `TEST_DATABASE_URL`."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "GROUNDWORK_TEST_ROOT" not in os.environ:
    os.environ["GROUNDWORK_TEST_ROOT"] = tempfile.mkdtemp(prefix="groundwork-test-")
    atexit.register(shutil.rmtree, os.environ["GROUNDWORK_TEST_ROOT"], ignore_errors=True)
_root = Path(os.environ["GROUNDWORK_TEST_ROOT"])
_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
# Each process has files of its own: two of them give the same number to a job whose archive has its name.
if Path(os.environ.get("GROUNDWORK_VAR", _root / "var")).parent == _root:
    os.environ["GROUNDWORK_VAR"] = str(_root / f"var-{_worker}")
os.environ.setdefault("SECRET_KEY", "a key for tests only, never used by a server that people reach")
if os.environ.get("TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]

from config.settings.embedded import *  # noqa: E402

ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
CACHES |= {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# Tests ask more in a minute than anybody; those of the limit set their own.
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["caller"] = "1000000/min"
# What a test has changed is seen at once.
READINESS_SECONDS = 0
JOINS_BY_NETWORK = JOINS_BY_LINK = 1_000_000
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_AUTOREFRESH = True

if DATABASES["default"]["ENGINE"] == "config.sqlite":
    DATABASES["default"]["TEST"] = {"NAME": str(_root / f"test-{_worker}.sqlite3")}
