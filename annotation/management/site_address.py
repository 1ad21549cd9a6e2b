"""Addresses of this site, as commands print them."""

from __future__ import annotations

from django.conf import settings


def on_this_site(path: str) -> str:
    """The address of a path, whole where the settings name an address of the web server."""
    known = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin]
    if known:
        return str(known[0].rstrip("/") + path)
    return f"{path} at the address of the web server (GROUNDWORK_ORIGINS names none)"
