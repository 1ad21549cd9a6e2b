"""Media files of studies: where they are stored, and how large they may be."""

from __future__ import annotations

from typing import Any

from config.settings import env

MOST_BYTES = env.number("GROUNDWORK_MEDIA_MAX_MB", default=100, minimum=1) << 20
MOST_PIXELS = env.number("GROUNDWORK_MEDIA_MEGAPIXELS", default=50, minimum=1) * 1_000_000
MOST_BYTES_OF_STUDY = env.number("GROUNDWORK_MEDIA_STUDY_MB", default=5000, minimum=1) << 20
# Servers whose pictures and recordings raters' browsers may load, by https.
HOSTS = env.words("GROUNDWORK_MEDIA_HOSTS")


def storage() -> dict[str, Any]:
    """The storage `media`: a bucket of a server that speaks S3 where one is named, else `MEDIA_ROOT`."""
    bucket = env.text("GROUNDWORK_MEDIA_BUCKET", "")
    if not bucket:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    endpoint = env.text("GROUNDWORK_MEDIA_ENDPOINT", "") or None
    options = {
        "bucket_name": bucket,
        "endpoint_url": endpoint,
        # Servers of one's own rarely have a name for each bucket.
        "addressing_style": "path" if endpoint else None,
        "region_name": env.text("GROUNDWORK_MEDIA_REGION", "") or None,
        "access_key": env.text("GROUNDWORK_MEDIA_ACCESS_KEY", "") or None,
        "secret_key": env.text("GROUNDWORK_MEDIA_SECRET_KEY", "") or None,
        # What is read as a whole, to be copied, is on disk and not in memory.
        "max_memory_size": 1 << 20,
        "default_acl": None,
        "file_overwrite": True,
    }
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
