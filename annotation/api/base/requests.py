"""Who asks, and which file was sent."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.models import AnonymousUser
from rest_framework.request import Request

from annotation.models import User


def caller(request: Request) -> User:
    """The signed-in user; the view's permission has seen to it that there is one."""
    return cast("User", request.user)


def person(request: Request) -> User | None:
    """The signed-in user, if any."""
    return None if isinstance(request.user, AnonymousUser) else caller(request)
