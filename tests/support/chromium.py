"""Find a Chromium, or install Debian's where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str | None:
    """The path of the browser: `TEST_CHROMIUM`, or the first that is installed."""
    given = os.environ.get("TEST_CHROMIUM", "")
    if given and os.access(given, os.X_OK):
        return given
    return next((path for path in map(shutil.which, NAMES) if path), None)


def install() -> str | None:
    """Install Debian's package where this is Debian and we may."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    quiet = {"check": False, "stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run(["apt-get", "update", "-qq"], **quiet)  # type: ignore[call-overload]
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], **quiet)  # type: ignore[call-overload]
    return find()
