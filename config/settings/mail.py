"""How mail is sent: every setting from the environment, or none, and then there are links to copy."""

from __future__ import annotations

import os
from dataclasses import dataclass

from config.settings import env

NAMES = ("EMAIL_PORT", "EMAIL_USER", "EMAIL_PASSWORD", "EMAIL_TLS", "EMAIL_FROM", "EMAIL_TIMEOUT")
NO_TLS, STARTTLS, TLS = "none", "starttls", "tls"
USUAL_PORTS = {NO_TLS: 25, STARTTLS: 587, TLS: 465}


@dataclass(frozen=True)
class Mail:
    host: str
    port: int
    user: str
    password: str
    tls: str
    sender: str
    timeout: int


def from_environment() -> Mail:
    """The server and the sender; without `EMAIL_HOST` nothing is sent.

    Raises
    ------
    SettingError
        Other settings of mail are set without the host, a user without a password or the other way
        round, or a password would be sent in the clear.
    """
    host = env.text("EMAIL_HOST", " ").strip()
    given = [name for name in NAMES if os.environ.get(name, "").strip()]
    if given and not host:
        raise env.SettingError(
            f"EMAIL_HOST is not set, and {given[0]} is: name the mail server, or set neither."
        )
    tls = env.choice("EMAIL_TLS", (NO_TLS, STARTTLS, TLS), NO_TLS)
    user, password = (env.text(name, " ").strip() for name in ("EMAIL_USER", "EMAIL_PASSWORD"))
    if bool(user) != bool(password):
        lacking = "EMAIL_PASSWORD" if user else "EMAIL_USER"
        raise env.SettingError(f"{lacking} is not set: EMAIL_USER and EMAIL_PASSWORD need each other.")
    if user and tls == NO_TLS:
        raise env.SettingError("EMAIL_TLS is 'none': a password needs starttls or tls.")
    return Mail(
        host=host,
        port=env.number("EMAIL_PORT", default=USUAL_PORTS[tls], minimum=1),
        user=user,
        password=password,
        tls=tls,
        sender=env.text("EMAIL_FROM", f"groundwork@{_own_host()}"),
        timeout=env.number("EMAIL_TIMEOUT", default=10, minimum=1),
    )


def _own_host() -> str:
    hosts = [host.lstrip(".") for host in env.words("GROUNDWORK_HOSTS") if host.strip(".*")]
    return hosts[0] if hosts else "localhost"
