"""The web server's log of requests: who takes part, and by which link, is left out of it."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from config.redaction import redacted

# No query, for platforms send people's ids in it, and no address of the page before.
FORMAT = '%(h)s %(t)s "%(m)s %(U)s %(H)s" %(s)s %(b)s %(D)s'


class AccessLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Writes the path of a request without the token of a link."""

    def setup(self, cfg: Any) -> None:
        cfg.set("access_log_format", FORMAT)
        super().setup(cfg)

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        return {**found, "U": redacted(found["U"] or "")}
