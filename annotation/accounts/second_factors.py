"""Secrets of second factors are stored encrypted."""

from __future__ import annotations

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import generate_totp_secret

from annotation.domain.base.sealing import Purpose
from annotation.models.base.sealed import sealed, unsealed


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def encrypt(self, text: str) -> str:
        return sealed(text, Purpose.SECOND_FACTOR)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that no code fits where this installation's keys do not open it."""
        return unsealed(encrypted_text, Purpose.SECOND_FACTOR) or generate_totp_secret()
