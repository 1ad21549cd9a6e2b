"""The caller and the validated content of a request."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from annotation.models import User


def caller(request: Request) -> User:
    """The signed-in user; the view's permission has checked that there is one."""
    return cast("User", request.user)


def person(request: Request) -> User | None:
    """The signed-in user, if any."""
    return None if isinstance(request.user, AnonymousUser) else caller(request)


def validated(serializer: type[Serializer[Any]], request: Request) -> Any:
    """The checked body of a request; a field that is wrong is refused by name (400)."""
    given = serializer(data=request.data)
    given.is_valid(raise_exception=True)
    return given.validated_data


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        help_text="CSV, TSV, JSONL, JSON, XLSX or Parquet; the file extension decides."
    )


class StoredSerializer(serializers.Serializer[Any]):
    stored = serializers.IntegerField(help_text="Number of stored rows.")
