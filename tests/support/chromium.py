"""Find a Chromium, or install Debian's where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome")
# What Playwright itself disables: of two lists, Chromium reads the last one alone.
BY_PLAYWRIGHT = (
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding"),
    *("PreconnectToSearch", "TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"),
    *("msEdgeUpdateLaunchServicesPreferredVersion", "msForceBrowserSignIn"),
)
# Processes that each window starts for itself, not for its page: suggestions under the field for addresses,
# which no one sees here, and one for a site that may be opened next. They cost more than most pages.
OF_WINDOWS = ("SpareRendererForSitePerProcess", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join((*BY_PLAYWRIGHT, *OF_WINDOWS))}",
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
    _apt_get("update")
    _apt_get("install", "-y", "--no-install-recommends", "chromium")
    return find()


def _apt_get(*arguments: str) -> None:
    subprocess.run(
        ["apt-get", "-qq", *arguments],
        check=False,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
