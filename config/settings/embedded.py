"""The default: one machine, SQLite in WAL mode, a file-system queue, nothing to install.

Everything is stored under `var/` (or `GROUNDWORK_VAR`). `DATABASE_URL` and
`CELERY_BROKER_URL` may point elsewhere.
"""

from __future__ import annotations

from pathlib import Path

from config.settings import env
from config.settings.base import *
from config.settings.database import database
from config.settings.places import CACHE_TABLE
from config.settings.private import private_database, private_folder
from config.settings.secret_key_file import read_fallbacks, read_or_create_key

private_folder(VAR_DIR)
for _folder in ("queue/messages", "queue/processed", "media", "static"):
    (VAR_DIR / _folder).mkdir(parents=True, exist_ok=True)

SECRET_KEY = read_or_create_key(VAR_DIR)
SECRET_KEY_FALLBACKS += read_fallbacks(VAR_DIR)
ALLOWED_HOSTS = env.words("GROUNDWORK_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("GROUNDWORK_ORIGINS")
DATABASES = {"default": database(default_file=VAR_DIR / "groundwork.sqlite3", sqlite_options=SQLITE_OPTIONS)}
if DATABASES["default"]["ENGINE"] == "config.sqlite":
    private_database(Path(DATABASES["default"]["NAME"]))
CACHES |= {
    "default": {
        "BACKEND": "config.operations.counts_cache.CountsCache",
        "LOCATION": CACHE_TABLE,
        # Above this number, expired entries are deleted; counting so many takes no time.
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL", "filesystem://")
if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR_DIR / "queue" / "messages"),
        "data_folder_out": str(VAR_DIR / "queue" / "messages"),
        "control_folder": str(VAR_DIR / "queue" / "control"),
        "processed_folder": str(VAR_DIR / "queue" / "processed"),
        "polling_interval": 0.2,
    }
