"""Making and revoking tokens with scopes."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Sequence
from enum import StrEnum

from rest_framework.authtoken.models import Token

from annotation.domain.base.errors import InvalidContent
from annotation.models import ApiToken, User

logger = logging.getLogger(__name__)
PREFIX = "gw-"
MOST_TOKENS = 50


class Scope(StrEnum):
    """What a token may do: look, or also change whatever its owner's roles allow."""

    READ = "read"
    WRITE = "write"


def make_token(*, user: User, name: str, scopes: Sequence[str]) -> tuple[ApiToken, str]:
    """Create a token. The key is shown this once, and only its digest is stored.

    Parameters
    ----------
    user, name
        Whose token it is, and what its owner calls it.
    scopes : sequence of str
        Of `Scope`, at least one.

    Raises
    ------
    InvalidContent
        `bad_scopes`, or `too_many_tokens`.
    """
    known = [scope.value for scope in Scope if scope in scopes]
    if not known or set(scopes) - set(known):
        message = f"Choose among {', '.join(Scope)}."
        raise InvalidContent(message, code="bad_scopes", fields={"scopes": message})
    if user.api_tokens.count() >= MOST_TOKENS:
        raise InvalidContent(f"{MOST_TOKENS} tokens are the most: revoke one.", code="too_many_tokens")
    key = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(user=user, name=name, digest=digest_of(key), scopes=known)
    logger.info("Account %s made token %s.", user.pk, token.pk)
    return token, key


def revoke_token(*, token: ApiToken) -> None:
    """Make a token stop working."""
    logger.info("Account %s revoked token %s.", token.user_id, token.pk)
    token.delete()


def sign_in_token(*, user: User) -> str:
    """Return the token of a user's sign-in; it is created where there is none.

    Parameters
    ----------
    user : User
        Who has signed in.
    """
    token, _ = Token.objects.get_or_create(user=user)
    return str(token.key)


def delete_sign_in_token(*, user: User) -> None:
    """Make the token of a user's sign-in stop working; tokens with scopes stay.

    Parameters
    ----------
    user : User
        Whose.
    """
    Token.objects.filter(user=user).delete()


def digest_of(key: str) -> str:
    """What is stored of a token: it is long and random, so that one round suffices."""
    return hashlib.sha256(key.encode()).hexdigest()
