"""Where the data lives: a SQLite file, or what `DATABASE_URL` names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url

from config.settings import env

SCHEMES = ("postgres://", "postgresql://", "sqlite:///")
REPEATED = 5


def database(*, default_file: Path, sqlite_options: dict[str, Any]) -> dict[str, Any]:
    url = env.text("DATABASE_URL", f"sqlite:///{default_file}")
    if not url.startswith(SCHEMES):
        raise env.SettingError(
            "DATABASE_URL is not understood: it accepts postgres://user:password@host:port/name or sqlite:///path."
        )
    settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    if settings["ENGINE"].endswith("sqlite3"):
        settings["ENGINE"] = "config.sqlite"
        if settings["NAME"] != ":memory:":
            settings["NAME"] = str(env.from_here(Path(settings["NAME"])))
        settings["CONN_MAX_AGE"] = None
        settings["OPTIONS"] = dict(sqlite_options)
    else:
        settings["ENGINE"] = "config.postgresql"
        prepared = env.flag("DATABASE_PREPARED", default=True)
        settings.setdefault("OPTIONS", {})["prepare_threshold"] = REPEATED if prepared else None
    return settings
