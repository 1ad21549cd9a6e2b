"""The contents of the documentation: its pages in order and in groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

import yaml

from config.settings.places import WEB

DOCUMENTS = WEB / "docs"
NAVIGATION = DOCUMENTS / "site" / "mkdocs.yml"


@dataclass(frozen=True)
class Entry:
    """A page of the documentation."""

    file: str  # Below `docs/`
    title: str  # Its name in the contents
    group: str  # Empty for the first page

    @property
    def address(self) -> str:
        """The address below `/help/`, which is also that of the built site."""
        return address_of(self.file)


def address_of(file: str) -> str:
    """Convert the name of a file to the address of its page.

    Parameters
    ----------
    file : str
        A Markdown file below `docs/`, such as `statistics/icc.md`.

    Returns
    -------
    str
        `statistics/icc`; a `README.md` or `index.md` has the address of its folder.
    """
    path = PurePosixPath(file)
    page = path.parent if path.name in {"README.md", "index.md"} else path.with_suffix("")
    return "" if page == PurePosixPath() else str(page)


@cache
def entries() -> tuple[Entry, ...]:
    """List all pages in reading order, as the navigation of the site has them."""
    navigation = yaml.safe_load(NAVIGATION.read_text(encoding="utf-8"))["nav"]
    return tuple(_listed(navigation, group=""))


@cache
def by_address() -> dict[str, Entry]:
    """Give each page under its address."""
    return {entry.address: entry for entry in entries()}


def _listed(navigation: list[dict[str, Any]], group: str) -> Iterator[Entry]:
    for one in navigation:
        for title, leads_to in one.items():
            if isinstance(leads_to, str):
                yield Entry(leads_to, title, group)
            else:
                yield from _listed(leads_to, title)
