"""Secrets of second factors are stored encrypted."""

from __future__ import annotations

from typing import ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.sealing import Purpose
from annotation.models.base.sealed import sealed, unsealed


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("The code is wrong or has expired. Enter the code that the app shows now."),
        "cannot_generate_recovery_codes": _("Activate an authenticator app first."),
    }

    def encrypt(self, text: str) -> str:
        return sealed(text, Purpose.SECOND_FACTOR)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that no code fits where this installation's keys do not open it."""
        return unsealed(encrypted_text, Purpose.SECOND_FACTOR) or generate_totp_secret()
