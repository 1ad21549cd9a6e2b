"""The documents of the repository: their code, links and anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"(?:^|\s|bin/)(?:groundwork|manage\.py) (?=[a-z_])")
OURS = {name for name, app in get_commands().items() if app in {"annotation", "config", "scoring"}}
LINK = re.compile(r"\]\(([^)\s]+)\)")


@lru_cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code_of(path: Path) -> Iterator[str]:
    """Each line of a fenced block, and each piece of code within a sentence or a table, on one line."""
    for block in FENCE.findall(text_of(path)):
        yield from re.sub(r"\s*\\\n\s*", " ", block).splitlines()
    for paragraph in re.split(r"\n(?=\n|\||-|\d\.)", FENCE.sub("", text_of(path))):
        for code in re.findall(r"`([^`]+)`", paragraph):
            yield " ".join(code.replace("\\|", "|").split())


def prose_of(path: Path) -> Iterator[str]:
    """Each paragraph, item of a list and row of a table, on one line, without code and addresses of links."""
    for paragraph in re.split(r"\n(?=\n|\||- |\d+\. |#)", FENCE.sub("", text_of(path))):
        yield " ".join(re.sub(r"`[^`]+`|(?<=\])\([^)\s]+\)", "", paragraph).split())


def links_of(path: Path) -> list[str]:
    """Where a page leads, but for the web."""
    return [link for link in LINK.findall(FENCE.sub("", text_of(path))) if "://" not in link]


@lru_cache
def anchors_of(path: Path) -> frozenset[str]:
    """The anchors of the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(path)), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in titles]
    return frozenset(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain)
