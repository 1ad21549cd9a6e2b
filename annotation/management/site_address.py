"""URLs of this site in the output of commands."""

from __future__ import annotations

from django.conf import settings


def on_this_site(path: str) -> str:
    """The full URL of a path if the settings name an origin, otherwise the path."""
    known = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin]
    if known:
        return str(known[0].rstrip("/") + path)
    return f"{path} on your web server (GROUNDWORK_ORIGINS is not set)"
