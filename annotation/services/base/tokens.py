"""Creating and revoking API tokens."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from django.conf import settings
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_TOKEN_DAYS
from annotation.domain.base.messages import message
from annotation.domain.base.sealing import digest_of
from annotation.models import ApiToken, User

logger = logging.getLogger(__name__)
PREFIX = "gw-"
# Length of the part of a token that is stored and shown, so that its owner can recognise it.
SHOWN = len(PREFIX) + 6
MOST_TOKENS = 50
# Each sign-in through the API creates a token; beyond this number, the oldest are deleted.
MOST_SIGN_INS = 20
SIGN_IN_NAME = "API sign-in"


class Scope(StrEnum):
    """The permissions of a token: read only, or everything that its owner's roles allow."""

    READ = "read"
    WRITE = "write"


def make_token(
    *, user: User, name: str, scopes: Sequence[str], days: int | None = None
) -> tuple[ApiToken, str]:
    """Create a token. The key is shown this once, and only its digest is stored.

    Parameters
    ----------
    user, name
        Whose token it is, and what its owner calls it.
    scopes : sequence of str
        Of `Scope`, at least one.
    days : int or None
        For how long it works; None for the installation's default.

    Raises
    ------
    InvalidContent
        `bad_scopes`, `bad_lifetime`, or `too_many_tokens`.
    """
    known = [scope.value for scope in Scope if scope in scopes]
    if not known or set(scopes) - set(known):
        problem = message("Choose one or more of: %(scopes)s.", scopes=", ".join(Scope))
        raise InvalidContent(problem, code="bad_scopes", fields={"scopes": problem})
    if days is not None and not 1 <= days <= LONGEST_TOKEN_DAYS:
        problem = message("Enter a lifetime of 1 to %(n)d days.", n=LONGEST_TOKEN_DAYS)
        raise InvalidContent(problem, code="bad_lifetime", fields={"days": problem})
    if user.api_tokens.filter(signs_in=False).count() >= MOST_TOKENS:
        raise InvalidContent(
            message("You can have at most %(n)d tokens. Revoke one first.", n=MOST_TOKENS),
            code="too_many_tokens",
        )
    token, key = _made(user, name, known, days=days)
    logger.info("Account %s made token %s.", user.pk, token.pk)
    return token, key


def revoke_token(*, token: ApiToken) -> None:
    """Make a token stop working."""
    logger.info("Account %s revoked token %s.", token.user_id, token.pk)
    token.delete()


def sign_in_token(*, user: User) -> tuple[ApiToken, str]:
    """Create the token of a sign-in, which may do whatever its owner may; others stay.

    Expired ones are deleted, and the oldest where there are more than `MOST_SIGN_INS`.

    Parameters
    ----------
    user : User
        User who has signed in.
    """
    token, key = _made(user, SIGN_IN_NAME, list(Scope), signs_in=True)
    own = user.api_tokens.filter(signs_in=True)
    newest = own.filter(expires_at__gt=timezone.now()).order_by("-pk").values_list("pk", flat=True)
    own.exclude(pk__in=list(newest[:MOST_SIGN_INS])).delete()
    return token, key


def delete_sign_in_tokens(*, user: User) -> None:
    """Make all tokens of a user's sign-ins stop working; tokens with scopes stay.

    Parameters
    ----------
    user : User
        Whose.
    """
    user.api_tokens.filter(signs_in=True).delete()


def _made(
    user: User, name: str, scopes: Sequence[str], *, days: int | None = None, signs_in: bool = False
) -> tuple[ApiToken, str]:
    key = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=digest_of(key),
        prefix=key[:SHOWN],
        scopes=list(scopes),
        signs_in=signs_in,
        expires_at=timezone.now() + timedelta(days=days or settings.TOKEN_DAYS),
    )
    return token, key
