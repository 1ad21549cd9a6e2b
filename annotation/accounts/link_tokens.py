"""What a link that sets a password is checked by."""

from __future__ import annotations

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator

from annotation.models import User


class LinkTokens(EmailAwarePasswordResetTokenGenerator):  # type: ignore[misc]
    """As allauth's; ending all sessions of an account, as deactivating it does, ends its links as well."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}-{user.sessions_ended}"
