"""Pages name their style sheets by a manifest of the collected static files; without it, no page is shown."""

from __future__ import annotations

from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage

from config.command_line import command


def missing_manifest() -> str:
    """Say that pages cannot be shown, and what to do."""
    return (
        f"The manifest of the static files is missing: run `{command('collectstatic --no-input')}`, "
        "then start the web server again."
    )


def manifest_is_missing() -> bool:
    """Whether pages would fail because this process found no manifest when it started."""
    storage: object = staticfiles_storage
    return isinstance(storage, ManifestFilesMixin) and not storage.hashed_files
