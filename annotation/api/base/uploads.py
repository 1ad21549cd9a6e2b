"""Files that are sent: kept in a temporary folder while they are read."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from annotation.api.base.requests import validated
from annotation.io.base.uploads import on_disk


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="CSV, TSV, JSONL, JSON, XLSX or Parquet, by its ending.")


class StoredSerializer(serializers.Serializer[Any]):
    stored = serializers.IntegerField(help_text="How many rows of their kind were stored.")


def uploaded(request: Request) -> AbstractContextManager[tuple[Path, str]]:
    """The sent file on disk, and the name that messages are to call it."""
    return on_disk(validated(UploadSerializer, request)["file"])
