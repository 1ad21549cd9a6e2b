"""Accounts created on the command line."""

from __future__ import annotations

import secrets

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import User
from annotation.services.base import audit


def add_user(
    *, email: str, name: str = "", password: str = "", site_administrator: bool = False
) -> tuple[User, str]:
    """Create an account, with a random password where none is given.

    Parameters
    ----------
    email, name, password : str
        The name is shown to other members.
    site_administrator : bool
        Manages accounts and the installation; gives no rights in studies.

    Raises
    ------
    GroundworkError
        The address is taken (`account_exists`) or not valid, or the password is too weak (`bad_account`).
    """
    password = password or secrets.token_urlsafe(12)
    try:
        validate_email(email)
        validate_password(password, User(email=email, name=name))
    except ValidationError as problem:
        raise GroundworkError(" ".join(problem.messages), code="bad_account") from problem
    with transaction.atomic():
        if User.objects.filter(email__iexact=email).exists():
            raise GroundworkError(
                message("%(email)s already has an account.", email=email), code="account_exists"
            )
        user = User.objects.create_user(email, password, name=name, is_site_administrator=site_administrator)
        audit.record_for_site(
            actor=None, act="add_account", account=user.email, site_administrator=site_administrator or None
        )
    return user, password
