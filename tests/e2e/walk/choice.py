"""Which views a command looks at: `--help` shows the choices."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark"]
SIDES = ("raters", "researchers")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN", "ja": "ja-JP"}
WINDOWS = {"desktop": (1280, 800), "phone": (360, 740)}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@dataclass(frozen=True)
class View:
    """A stop in one window, theme and language."""

    stop: str
    language: str
    window: str
    scheme: Scheme

    def __str__(self) -> str:
        return f"{self.stop}-{self.language}-{self.window}-{self.scheme}"


@dataclass(frozen=True)
class Choice:
    """What to look at: all views of both sides unless others are chosen."""

    sides: Sequence[str] = SIDES
    languages: Sequence[str] = tuple(LANGUAGES)
    windows: Sequence[str] = tuple(WINDOWS)
    schemes: Sequence[Scheme] = SCHEMES
    pages: str = ""
    at: str = ""
    resume: bool = False

    def views(self, stop: str, language: str) -> list[View]:
        """The chosen forms of a page in one language; none where the page is not asked for."""
        if not re.search(self.pages, stop):
            return []
        return [View(stop, language, window, scheme) for window in self.windows for scheme in self.schemes]


def choice_of(arguments: Sequence[str], description: str) -> Choice:
    """Read the choice from the words of a command, such as `researchers zh ja --pages '^study-pay'`."""
    parser = argparse.ArgumentParser(description=description)
    words = (*SIDES, *LANGUAGES)
    parser.add_argument("words", nargs="*", metavar="WORD", help=f"{', '.join(words)}; all if none is given")
    parser.add_argument("--pages", default="", metavar="REGEX", help="pages whose name the expression finds")
    parser.add_argument("--windows", nargs="+", choices=WINDOWS, default=list(WINDOWS))
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=list(SCHEMES))
    parser.add_argument("--at", default="", metavar="URL", help="walk a server that runs already")
    parser.add_argument("--resume", action="store_true", help="leave out views recorded by the last walk")
    found = parser.parse_args(arguments)
    if unknown := sorted(set(found.words) - set(words)):
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(words)}")
    return Choice(
        sides=[side for side in SIDES if side in found.words]
        or (["researchers"] if found.at else list(SIDES)),
        languages=[one for one in LANGUAGES if one in found.words] or list(LANGUAGES),
        windows=found.windows,
        schemes=found.schemes,
        pages=found.pages,
        at=found.at.rstrip("/"),
        resume=found.resume,
    )
