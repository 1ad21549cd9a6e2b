"""The running demo of the browser tests."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.installation import Installation


@dataclass
class Demo:
    """A running demo: its first address and the rater's link."""

    url: str
    link: str
    installation: Installation
