"""The error of an extractor that cannot be used."""

from __future__ import annotations

from scoring.stats.base.errors import CodedError


class ExtractorUnavailable(CodedError):
    """An extractor that cannot be used on this machine."""
