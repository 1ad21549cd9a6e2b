"""The demo's log-ins: with the well-known password on this machine alone, else each with one of its own."""

from __future__ import annotations

import fcntl
import os
import secrets
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from annotation.domain.people.reach import Reach, reach_of
from annotation.services.studies.demo import (
    DEMO_EMAILS,
    DemoAccess,
    ensure_demo,
    ensure_demo_results,
    set_demo_passwords,
)

ACCESS_FILE = "demo-passwords"


def open_demo(*, bind: str) -> DemoAccess:
    """Create the demo if it is missing, with passwords that suit who can reach the server.

    Parameters
    ----------
    bind : str
        The address on which the server listens.
    """
    access = ensure_demo()
    ensure_demo_results()
    file = Path(settings.VAR_DIR) / ACCESS_FILE
    if not file.exists() and all(map(is_local, (bind, *settings.ALLOWED_HOSTS))):
        return access
    return replace(access, passwords=set_demo_passwords(_stored_passwords(file)))


def is_local(host: str) -> bool:
    """Whether a host name or address is of this machine alone; what is not known is not."""
    return reach_of(host) is Reach.MACHINE


def _stored_passwords(file: Path) -> dict[str, str]:
    """Read the passwords of this installation and add missing ones; only the owner can read the file."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "r+", encoding="ascii") as stored:
        fcntl.flock(stored, fcntl.LOCK_EX)
        passwords = dict(line.split(" ", 1) for line in stored.read().splitlines())
        # A file of an earlier version knows fewer accounts.
        new = {email: secrets.token_urlsafe(12) for email in DEMO_EMAILS if email not in passwords}
        stored.writelines(f"{email} {password}\n" for email, password in new.items())
    return passwords | new
