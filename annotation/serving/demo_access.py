"""The demo's log-ins: with the well-known password on this machine alone, else each with one of its own."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from annotation.domain.people.reach import Reach, reach_of
from annotation.services.studies.demo import DemoAccess, ensure_demo, ensure_demo_results, set_demo_passwords

KEPT = "demo-passwords"


def open_demo(*, bind: str) -> DemoAccess:
    """Make the demo where it is missing, with log-ins that suit who can reach the server.

    Parameters
    ----------
    bind : str
        The address on which the server listens.
    """
    access = ensure_demo()
    ensure_demo_results()
    file = Path(settings.VAR_DIR) / KEPT
    if not file.exists() and all(map(is_local, (bind, *settings.ALLOWED_HOSTS))):
        return access
    people = (access.owner_email, access.admin_email, access.researcher_email, access.site_admin_email)
    return replace(access, passwords=set_demo_passwords(_kept_passwords(file, people)))


def is_local(host: str) -> bool:
    """Whether a host name or address is of this machine alone; what is not known is not."""
    return reach_of(host) is Reach.MACHINE


def _kept_passwords(file: Path, emails: Iterable[str]) -> dict[str, str]:
    """The passwords of this installation: made once, in a file that its owner alone reads."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        lines = file.read_text(encoding="ascii").splitlines()
        return dict(line.split(" ", 1) for line in lines)
    passwords = {email: secrets.token_urlsafe(12) for email in emails}
    with os.fdopen(descriptor, "w", encoding="ascii") as written:
        written.writelines(f"{email} {password}\n" for email, password in passwords.items())
    return passwords
