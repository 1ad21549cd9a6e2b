"""The name under which this software is installed: `groundwork` is another project on the package index."""

from __future__ import annotations

from importlib.metadata import version

NAME = "groundwork-ratings"


def release() -> str:
    """Version of this software, as the installation knows it."""
    return version(NAME)
