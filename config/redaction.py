"""Nothing that is logged, by any library, holds a link, a token or who takes part.

The record factory of `logging` is the one point that every logger of a process passes, whatever its handlers
and formatters: Django's, the web server's, the worker's. What a call adds to a record (`extra`) comes later
and is redacted by a filter of the handlers.
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
    # Share links.
    re.compile(rf"(shared-result{SLASH}+)(?:(?!{SLASH})[^\s?#\"'<>&])+", re.IGNORECASE),
    # Links by which raters stop emails.
    re.compile(rf"(messages{SLASH}+stop{SLASH}+)(?:(?!{SLASH})[^\s?#\"'<>&])+", re.IGNORECASE),
    # Links that reset a password; the two other pages under that address hold no key.
    re.compile(rf"(reset{SLASH}+)(?!(?:sent|done){SLASH})(?:(?!{SLASH})[^\s?#\"'<>&])+", re.IGNORECASE),
    # Every value of a query: platforms send people's ids in it, sign-on its codes, forms their keys.
    re.compile(r"([?&][^\s=&?#\"'<>]{1,100}=)[^\s&#\"'<>]+"),
    re.compile(r"(<QueryDict: )\{(?:(?!<QueryDict: ).)*?\}(?=>)", re.DOTALL),
    # Headers, cookies and tokens, also where a call or a row shows them.
    re.compile(r"(\b(?:Invitation|Token|Bearer|Basic)\s+)[\w.~+/=-]{16,}", re.IGNORECASE),
    re.compile(r"(\b(?:sessionid|csrftoken|csrfmiddlewaretoken)['\"]?\s*[=:]\s*['\"]?)[\w-]+", re.IGNORECASE),
    re.compile(
        r"(\b\w*(?:token|secret|password|page_key|join_key|(?:tion|out|consent|checks)_code)['\"]?\s*[=:]\s*['\"])"
        r"[^'\"]+",
        re.IGNORECASE,
    ),
    re.compile(r"(\bgw-)[\w-]{20,}"),
    # Passwords in addresses of databases and brokers.
    re.compile(
        # Bounded, and not begun in the middle of a word: any client can send a long one.
        r"((?<![a-z0-9+.])[a-z][a-z0-9+.]{0,30}://[^\s:/@]{0,200}:)[^\s@/]+(?=@)",
        re.IGNORECASE,
    ),
    # E-mail addresses.
    re.compile(r"()(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+"),
    # Rows, as PostgreSQL says which one it refused.
    re.compile(r"(\bKey \((?:(?!Key \()[\s\S]){0,500}?\)=\()[^)]+"),
    re.compile(r"(\bFailing row contains \()(?:(?!Failing row contains \().)*(?=\))"),
    # What a provider sends a browser back with.
    re.compile(r"((?:[?&]|%3F|%26)(?:code|state)(?:=|%3D))(?:(?!%26)[^\s&#\"'<>])+", re.IGNORECASE),
)
# What every record has; the rest is what a call has added.
USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}

Factory = Callable[..., logging.LogRecord]


def redacted(text: str) -> str:
    """The text with every link and token hidden."""
    for secret in SECRETS:
        text = secret.sub(rf"\1{HIDDEN}", text)
    return text


def configure(settings: dict[str, Any]) -> None:
    """Configure logging as Django would, with records that hold no secrets (`LOGGING_CONFIG`)."""
    current = logging.getLogRecordFactory()
    if not isinstance(current, RedactedRecords):
        logging.setLogRecordFactory(RedactedRecords(current))
    logging.config.dictConfig(settings)
    for logger in (logging.getLogger(), *map(logging.getLogger, settings.get("loggers", ()))):
        for handler in logger.handlers:
            handler.addFilter(redact_extra)


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
            text = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            # Formatters print this text and do not format the exception again; some would, so it goes.
            record.exc_text = redacted(text)
            if record.exc_text != text:
                record.exc_info = None
        if record.stack_info:
            record.stack_info = redacted(record.stack_info)
        return record


def redact_extra(record: logging.LogRecord) -> bool:
    """A filter that lets every record pass, and hides secrets in what a call has added to it."""
    for name in vars(record).keys() - USUAL:
        value = getattr(record, name)
        if not isinstance(value, int | float | bool | None):
            text = str(value)
            if (safe := redacted(text)) != text:
                setattr(record, name, safe)
    return True


def _message(record: logging.LogRecord) -> str:
    """The finished message; where message and arguments do not fit, both, so that nothing slips through."""
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        return f"{record.msg} {record.args}"
