"""Files that are sent: kept in a temporary folder while they are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from rest_framework import serializers
from rest_framework.request import Request

from annotation.io.base.readers import ending_of


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="CSV, TSV, JSONL, JSON, XLSX or Parquet, by its ending.")


class StoredSerializer(serializers.Serializer[Any]):
    stored = serializers.IntegerField(help_text="How many rows of their kind were stored.")


@contextmanager
def uploaded(request: Request) -> Iterator[tuple[Path, str]]:
    """The sent file on disk, and the name that messages are to call it."""
    sent = UploadSerializer(data=request.data)
    sent.is_valid(raise_exception=True)
    file: UploadedFile[Any] = sent.validated_data["file"]
    with tempfile.TemporaryDirectory() as folder:
        name = file.name or "upload"
        path = Path(folder) / f"upload{ending_of(name)}"
        with path.open("wb") as target:
            target.writelines(file.chunks())
        yield path, name
