"""Files that were sent: kept in a temporary folder while they are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from annotation.domain.base.errors import InvalidContent
from annotation.io.base.readers import ending_of


@contextmanager
def on_disk(upload: UploadedFile[Any]) -> Iterator[tuple[Path, str]]:
    """The sent file on disk, with its own ending, and the name that messages are to call it.

    Raises
    ------
    InvalidContent
        It is larger than `UPLOAD_MAX_BYTES` (`too_large`).
    """
    name = Path(upload.name or "upload").name
    if (upload.size or 0) > settings.UPLOAD_MAX_BYTES:
        raise InvalidContent(f"{name} is larger than this installation takes.", code="too_large")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{ending_of(name)}"
        with path.open("wb") as file:
            file.writelines(upload.chunks())
        yield path, name
