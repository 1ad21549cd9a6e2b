"""The web server's log of requests: who takes part, and by which link, is left out of it."""

from __future__ import annotations

import os
from typing import Any

from gunicorn.glogging import Logger

from config.operations.json_log import JsonFormatter
from config.operations.requests import HEADER, ROUTE, STUDY_ID
from config.redaction import redacted

# Neither who asked nor from which page; no query, for platforms send people's ids in it.
FORMAT = '%(t)s "%(m)s %(U)s %(H)s" %(s)s %(b)s %(D)s'


class AccessLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Writes the path of a request without the token of a link; as JSON only its route."""

    def setup(self, cfg: Any) -> None:
        cfg.set("access_log_format", FORMAT)
        super().setup(cfg)
        self.as_json = os.environ.get("GROUNDWORK_LOG_FORMAT", "").strip() == "json"
        if self.as_json:
            for handler in (*self.error_log.handlers, *self.access_log.handlers):
                handler.setFormatter(JsonFormatter())

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        return {**found, "U": redacted(found["U"] or "")}

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """One line for a request."""
        if not self.as_json:
            super().access(resp, req, environ, request_time)
        elif self.access_log_enabled:
            headers = {str(name).lower(): value for name, value in resp.headers}
            about = {
                "method": environ.get("REQUEST_METHOD"),
                "route": environ.get(ROUTE),
                "status": int(str(resp.status).partition(" ")[0]),
                "bytes": resp.sent,
                "milliseconds": round(request_time.total_seconds() * 1000),
                "request_id": headers.get(HEADER.lower()),
                "study_id": environ.get(STUDY_ID),
            }
            known = {name: value for name, value in about.items() if value is not None}
            self.access_log.info("request", extra=known)
