"""Encryption and decryption of columns with the keys of this installation."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.domain.base.sealing import Purpose, Unreadable, seal, unseal


def installation_keys() -> list[str]:
    """The secret key, then earlier ones that are still accepted."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def sealed(text: str, purpose: Purpose) -> str:
    """The text as it is stored."""
    return seal(text, keys=installation_keys(), purpose=purpose)


def unsealed(stored: str, purpose: Purpose) -> str:
    """The decrypted text; empty if none of the keys of this installation decrypts it."""
    try:
        return unseal(stored, keys=installation_keys(), purpose=purpose)
    except Unreadable:
        return ""


def sealed_column() -> models.CharField[str, str]:
    return models.CharField(max_length=255, editable=False)
