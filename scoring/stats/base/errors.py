"""The base of errors with a stable code."""

from __future__ import annotations


class CodedError(ValueError):
    """An error with a stable code; its message says what is wrong, where, and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
