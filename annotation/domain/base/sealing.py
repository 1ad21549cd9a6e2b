"""Stored secrets: those that are shown again are encrypted; of those that are compared, the digest is stored.

The key of each purpose is derived from a secret key of the installation (HKDF, RFC 5869), so that what was
encrypted as one thing cannot be passed off as another.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SALT = b"groundwork secrets"


class Purpose(StrEnum):
    """What is encrypted; the words are part of the key and never change."""

    LINK = "link"
    WEBHOOK = "webhook"
    SECOND_FACTOR = "second factor"
    PLATFORM = "platform"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column with encrypted text in a table of another application.

    Parameters
    ----------
    model : str
        Its table, as `application.Model`.
    column : str
        Name of the column.
    what : str
        What is encrypted, in the plural.
    purpose : Purpose
        Whose key encrypts it.
    """

    model: str
    column: str
    what: str
    purpose: Purpose


_columns: list[SealedColumn] = []


def register_sealed(column: SealedColumn) -> None:
    """Register a column, so that a new secret key encrypts it again; called when an application starts."""
    if column not in _columns:
        _columns.append(column)


def registered_sealed() -> tuple[SealedColumn, ...]:
    """The columns of other applications, in the order of their registration."""
    return tuple(_columns)


class Unreadable(ValueError):
    """None of the keys decrypts the text."""

    code = "unreadable_secret"


def digest_of(token: str) -> str:
    """The digest that is stored of a token; one round suffices, because tokens are long and random."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def seal(text: str, *, keys: Sequence[str], purpose: Purpose) -> str:
    """Encrypt with the first key."""
    return _fernet(tuple(keys), purpose).encrypt(text.encode()).decode("ascii")


def unseal(sealed: str, *, keys: Sequence[str], purpose: Purpose) -> str:
    """Decrypt with the first key that fits.

    Raises
    ------
    Unreadable
        No key fits.
    """
    try:
        return _fernet(tuple(keys), purpose).decrypt(sealed.encode()).decode()
    except InvalidToken as problem:
        raise Unreadable("This was encrypted with a key that is not known here.") from problem


@lru_cache(maxsize=64)
def _fernet(keys: tuple[str, ...], purpose: Purpose) -> MultiFernet:
    return MultiFernet([Fernet(_derived(key, purpose)) for key in keys])


def _derived(key: str, purpose: Purpose) -> bytes:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=SALT, info=purpose.value.encode())
    return base64.urlsafe_b64encode(hkdf.derive(key.encode()))
