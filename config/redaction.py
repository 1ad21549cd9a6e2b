"""Nothing that is logged, by any library, holds a link or a token that would let its reader in.

The record factory of `logging` is the one point that every logger of a process passes, whatever its handlers:
Django's, the web server's, the worker's.
"""

from __future__ import annotations

import logging
import logging.config
import re
import traceback
from collections.abc import Callable
from typing import Any

HIDDEN = "…"
SLASH = r"(?:/|%2F)"
SECRETS = (
    # Invitation and personal links, on pages and in the API.
    re.compile(rf"(?<=join)({SLASH}+)(?:(?!{SLASH})[^\s?#\"'<>&])+", re.IGNORECASE),
    # Links that reset a password; the two other pages under that address hold no key.
    re.compile(rf"(reset{SLASH}+)(?!(?:sent|done){SLASH})(?:(?!{SLASH})[^\s?#\"'<>&])+", re.IGNORECASE),
    # Headers, and rows as an error of the database or of Python shows them.
    re.compile(r"(\b(?:Invitation|Token|Bearer)\s+)[\w.~+-]{16,}", re.IGNORECASE),
    re.compile(r"(\(token\)=\()[^)]+", re.IGNORECASE),
    re.compile(r"(\btoken['\"]?\s*[=:]\s*['\"])[^'\"]+", re.IGNORECASE),
)

Factory = Callable[..., logging.LogRecord]


def redacted(text: str) -> str:
    """The text with every link and token hidden."""
    for secret in SECRETS:
        text = secret.sub(rf"\1{HIDDEN}", text)
    return text


def configure(settings: dict[str, Any]) -> None:
    """Configure logging as Django would, with records that hold no links (`LOGGING_CONFIG`)."""
    current = logging.getLogRecordFactory()
    if not isinstance(current, RedactedRecords):
        logging.setLogRecordFactory(RedactedRecords(current))
    logging.config.dictConfig(settings)


class RedactedRecords:
    """Makes records whose message, traceback and stack are redacted before a handler sees them."""

    def __init__(self, make: Factory) -> None:
        self.make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self.make(*args, **kwargs)
        message = _message(record)
        if (safe := redacted(message)) != message:
            record.msg, record.args = safe, ()
        if record.exc_info and record.exc_info[0] is not None:
            # Formatters print this text and do not format the exception again.
            record.exc_text = redacted("".join(traceback.format_exception(*record.exc_info)).rstrip("\n"))
        if record.stack_info:
            record.stack_info = redacted(record.stack_info)
        return record


def _message(record: logging.LogRecord) -> str:
    """The finished message; where message and arguments do not fit, both, so that nothing slips through."""
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        return f"{record.msg} {record.args}"
