"""Lines of the log as JSON: what happened, with the ids of request, study and job; nothing about persons."""

from __future__ import annotations

import json
import logging
import re
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import AddressValueError, IPv6Address

from config.operations.log_context import ids
from config.operations.requests import REQUEST_ID, ROUTE, STUDY_ID
from config.redaction import HIDDEN, redacted

IPV4 = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b")
# What may be one: times and file positions have colons too.
MAYBE_IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f:]")
# What a logger may add by `extra`; everything else of a record stays out.
EXTRAS = ("method", "route", "status", "bytes", "milliseconds", "request_id", "study_id", "job_id", "csp")


def impersonal(text: str) -> str:
    """The text without links, tokens, e-mail addresses and network addresses."""
    return IPV4.sub(HIDDEN, MAYBE_IPV6.sub(_hidden_where_ipv6, redacted(text)))


def _hidden_where_ipv6(found: re.Match[str]) -> str:
    """The match itself where it is no address; a colon after an address ends a clause."""
    text = found.group()
    for address in (text, text[:-1]):
        with suppress(AddressValueError):
            IPv6Address(address)
            return HIDDEN + text.removeprefix(address)
    return text


class JsonFormatter(logging.Formatter):
    """One JSON object in a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": impersonal(_words(record)),
            **ids(),
        }
        line |= {name: getattr(record, name) for name in EXTRAS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = impersonal(record.exc_text or self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def _words(record: logging.LogRecord) -> str:
    """Return only the kind of a refused request: its path may name a rater, and the route has a field."""
    message = record.getMessage()
    meta = getattr(getattr(record, "request", None), "META", None)
    if meta is None or not hasattr(record, "status_code"):
        return message
    record.status = record.status_code
    for name, key in (("request_id", REQUEST_ID), ("route", ROUTE), ("study_id", STUDY_ID)):
        if meta.get(key) is not None:
            setattr(record, name, meta[key])
    return message.partition(": ")[0]
