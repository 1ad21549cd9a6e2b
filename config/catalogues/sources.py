"""Where the sentences of the catalogues are: in templates, and in modules that may speak on a page."""

from __future__ import annotations

from pathlib import Path

from config.settings.places import ROOT, WEB

TEMPLATES = WEB / "templates"
PACKAGES = ("annotation", "config", "scoring")
# The command line speaks English, and a migration says nothing.
ENGLISH_ONLY = frozenset({"management", "migrations"})


def templates() -> list[Path]:
    """List the templates of all pages, in the order of their names."""
    return sorted(TEMPLATES.rglob("*.html"))


def modules() -> list[Path]:
    """List the modules that may say something on a page."""
    found = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return sorted(path for path in found if not ENGLISH_ONLY.intersection(path.parts))
