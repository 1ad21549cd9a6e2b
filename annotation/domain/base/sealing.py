"""Secrets at rest: those that are shown again are encrypted, those that are only compared are digests.

The key of each purpose is derived from a secret key of the installation (HKDF, RFC 5869), so that what was
encrypted as one thing cannot be passed off as another.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
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


class Unreadable(ValueError):
    """None of the keys opens it."""

    code = "unreadable_secret"


def digest_of(token: str) -> str:
    """What is stored of a token that is long and random, so that one round suffices."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def seal(text: str, *, keys: Sequence[str], purpose: Purpose) -> str:
    """Encrypt with the first key."""
    return _ring(tuple(keys), purpose).encrypt(text.encode()).decode("ascii")


def unseal(sealed: str, *, keys: Sequence[str], purpose: Purpose) -> str:
    """Decrypt with whichever key fits.

    Raises
    ------
    Unreadable
        None does.
    """
    try:
        return _ring(tuple(keys), purpose).decrypt(sealed.encode()).decode()
    except InvalidToken as problem:
        raise Unreadable("This was encrypted with a key that is not known here.") from problem


@lru_cache(maxsize=64)
def _ring(keys: tuple[str, ...], purpose: Purpose) -> MultiFernet:
    return MultiFernet([Fernet(_derived(key, purpose)) for key in keys])


def _derived(key: str, purpose: Purpose) -> bytes:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=SALT, info=purpose.value.encode())
    return base64.urlsafe_b64encode(hkdf.derive(key.encode()))
