"""Tokens of password links."""

from __future__ import annotations

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator

from annotation.models import User


class LinkTokens(EmailAwarePasswordResetTokenGenerator):  # type: ignore[misc]
    """Tokens of allauth that also end with all sessions of an account, for example when it is deactivated."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}-{user.sessions_ended}"
