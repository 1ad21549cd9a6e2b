"""Faults are reported to a service that speaks Sentry's protocol, where one is named.

A report has the exception with its traceback, the route and the ids of request, study and job. It has no
body, header, cookie, query, address or user, no values of variables, and no links or tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from config.distribution import release
from config.operations.json_log import impersonal
from config.operations.log_context import ids
from config.settings.env import SettingError

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

# Parts of a report that say who asked and what they sent.
PERSONAL = ("request", "user", "breadcrumbs", "extra", "server_name", "modules", "contexts")
# Where the code lies on the machine, and values of variables.
OF_MACHINE = ("abs_path", "vars")
EXTRA = "The package sentry-sdk is missing: install Groundwork with the extra `sentry`, or unset SENTRY_DSN."


def start(dsn: str, *, environment: str) -> None:
    """Report faults from now on; nothing happens without an address.

    Parameters
    ----------
    dsn : str
        `SENTRY_DSN`: where reports are sent.
    environment : str
        A word that distinguishes installations.

    Raises
    ------
    SettingError
        The package is not installed, or the address cannot be read.
    """
    if not dsn:
        return
    try:
        import sentry_sdk
        from sentry_sdk.utils import BadDsn
    except ImportError as missing:
        raise SettingError(EXTRA) from missing
    try:
        sentry_sdk.init(
            dsn=dsn,
            environment=environment,
            release=f"groundwork@{release()}",
            before_send=scrubbed,
            send_default_pii=False,
            include_local_variables=False,
            include_source_context=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            auto_session_tracking=False,
            send_client_reports=False,
        )
    except BadDsn as problem:
        message = "SENTRY_DSN is not understood: it accepts https://KEY@HOST/PROJECT."
        raise SettingError(message) from problem


def scrubbed(event: Event, _hint: Hint) -> Event:
    """The report without what is about persons, and with the ids that the log has."""
    report: Any = _impersonal({name: value for name, value in event.items() if name not in PERSONAL})
    if "logentry" in report:
        # Without the values: the kind of fault is enough to find the line of the log.
        report["logentry"] = {"message": report["logentry"].get("message", "")}
    report["tags"] = {name: str(value) for name, value in ids().items()}
    found: Event = report
    return found


def _impersonal(value: Any) -> Any:
    if isinstance(value, str):
        return impersonal(value)
    if isinstance(value, dict):
        return {name: _impersonal(inner) for name, inner in value.items() if name not in OF_MACHINE}
    if isinstance(value, list):
        return [_impersonal(inner) for inner in value]
    return value
