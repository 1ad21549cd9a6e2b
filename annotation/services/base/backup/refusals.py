"""Errors of writing and restoring backups."""

from __future__ import annotations

from annotation.domain.base.errors import GroundworkError


class ArchiveRefused(GroundworkError):
    """A file cannot be restored from; nothing was written."""

    code = "archive_damaged"


class RestoreRefused(GroundworkError):
    """This installation cannot be restored into; it is as it was before."""

    code = "not_empty"


class BackupRefused(GroundworkError):
    """The archive cannot be written; no part of it is left."""

    code = "file_exists"
