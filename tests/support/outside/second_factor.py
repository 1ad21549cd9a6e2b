"""What an authenticator app shows."""

from __future__ import annotations

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time


def current_code(secret: str) -> str:
    """The code that fits a secret now."""
    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))
