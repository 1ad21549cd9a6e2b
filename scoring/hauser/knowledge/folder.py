"""The folder of an installation's knowledge bases: their names and files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scoring.hauser.knowledge.file_format import About, KnowledgeBaseError
from scoring.hauser.knowledge.lookup import KnowledgeBase

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
FINISHED = ".kb.sqlite3"
STAGED = ".staged.sqlite3"


@dataclass(frozen=True)
class Folder:
    """A folder of knowledge bases, each in a file with its name."""

    path: Path  # It need not exist yet

    def names(self) -> list[str]:
        """Names of the finished bases, in alphabetical order."""
        return sorted(file.name.removesuffix(FINISHED) for file in self.path.glob(f"*{FINISHED}"))

    def base(self, name: str) -> Path:
        """The file of a base."""
        return self.path / f"{_checked(name)}{FINISHED}"

    def staging(self, name: str) -> Path:
        """The file of a base that is being made."""
        return self.path / f"{_checked(name)}{STAGED}"

    def open(self, name: str) -> KnowledgeBase:
        """Open a knowledge base by its name.

        Parameters
        ----------
        name : str
            Its name.

        Raises
        ------
        KnowledgeBaseError
            `bad_name`, `no_such_base` and `not_a_base`.
        """
        file = self.base(name)
        if not file.is_file():
            known = ", ".join(self.names()) or "none"
            message = f"there is no knowledge base {name!r}; available: {known}"
            raise KnowledgeBaseError("no_such_base", message)
        return KnowledgeBase(file)

    def about(self, name: str) -> About:
        """Name, origin and size of a base; errors as in `open`."""
        with self.open(name) as base:
            return base.about

    def place_for(self, name: str, *, replace: bool) -> Path:
        """The file of a base to be created; a missing folder is created.

        Parameters
        ----------
        name : str
            Its name.
        replace : bool
            Whether an existing base of this name may be replaced.

        Raises
        ------
        KnowledgeBaseError
            `bad_name` and `name_taken`.
        """
        file = self.base(name)
        if file.exists() and not replace:
            message = f"there is already a knowledge base {name!r}; choose another name or use --replace"
            raise KnowledgeBaseError("name_taken", message)
        self.path.mkdir(parents=True, exist_ok=True)
        return file


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        message = (
            f"{name!r} cannot be the name of a knowledge base; use up to 64 letters, digits, hyphens and "
            "underscores, starting with a letter or digit"
        )
        raise KnowledgeBaseError("bad_name", message)
    return name
