"""The manifest of an archive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.utils.crypto import salted_hmac

from annotation.domain.base.bounded_json import load_json
from annotation.services.base.backup.schema_state import State

MANIFEST, README = "manifest.json", "README.txt"
FORMAT = 1
TABLES = "tables/"
# What is lost without the secret key, for administrators who have lost it.
NEEDS_KEY = (
    "webhooks send nothing: give each a new secret; people with a second factor cannot sign in: remove it "
    "with `groundwork accounts remove_second_factor ADDRESS`; crowd workers whose answers were erased are "
    "not recognised when they come back; and links of invitations and raters work but cannot be shown: "
    "replace a link to see it"
)


@dataclass(frozen=True)
class Table:
    """The rows of one model; `last` is the last number that the table has given to a row."""

    model: str
    columns: list[str]
    rows: int
    last: int | None = None

    @property
    def member(self) -> str:
        return f"{TABLES}{self.model}.jsonl"


@dataclass(frozen=True)
class Member:
    """One file of the archive."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What is in an archive, in which state, and made by which version.

    `key` identifies the secret key of the installation without revealing it.
    """

    version: str
    made_at: str
    database: str
    migrations: Mapping[str, str]
    key: str
    key_included: bool
    tables: list[Table] = field(default_factory=list)
    members: dict[str, Member] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def state(self) -> State:
        return sorted(self.migrations.items())

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def as_json(self) -> bytes:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False).encode()

    @classmethod
    def of_json(cls, text: bytes) -> Manifest:
        """Read what `as_json` wrote.

        Raises
        ------
        ValueError
            It is something else.
        """
        try:
            found: dict[str, Any] = load_json(text.decode())
            tables = [Table(**one) for one in found.pop("tables")]
            members = {name: Member(**one) for name, one in found.pop("members").items()}
            return cls(**found, tables=tables, members=members)
        except (AttributeError, KeyError, TypeError) as problem:
            raise ValueError(f"not a manifest: {problem}") from problem


def key_fingerprint(key: str) -> str:
    """A fingerprint of a secret key that does not reveal it."""
    return salted_hmac("groundwork.backup", "key", secret=key, algorithm="sha256").hexdigest()[:16]


def readme(manifest: Manifest) -> str:
    """The text for people who open the archive."""
    key = "It contains the secret key of the installation (secret-key): do not let other people read it.\n"
    if not manifest.key_included:
        key = f"It does not contain the secret key of the installation. Without that key:\n{NEEDS_KEY}.\n"
    return (
        f"A backup of a Groundwork installation, version {manifest.version}, made at {manifest.made_at}.\n\n"
        "It contains all answers with the identity of raters: protect it like the installation itself.\n"
        f"{key}\n"
        "Restore it into an empty installation, on SQLite or PostgreSQL: groundwork restore FILE\n\n"
        "tables/*.jsonl      one line for each row; manifest.json names the columns and counts the rows\n"
        "media/, knowledge/  files\n"
        "manifest.json       versions, counts, and the SHA-256 of each file\n\n"
        "The last 64 characters of the archive are the SHA-256 of everything before them.\n"
        "After a restore, all users must sign in again.\n"
    )
