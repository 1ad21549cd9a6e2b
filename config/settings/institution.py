"""Sign-in with the institution: the OpenID Connect provider, and who of those it knows may come in."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from config.settings import env

PREFIX = "GROUNDWORK_OIDC_"
NEEDED = ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "DOMAINS")
# Stored with the subject of each link: a subject identifies a person only within its issuer.
LONGEST_ISSUER = 200
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Institution:
    """A provider. Without `user_values`, anyone with an address in `domains` may sign in."""

    issuer: str
    client_id: str
    client_secret: str
    domains: frozenset[str]
    label: str
    scopes: tuple[str, ...]
    verified_claim: str
    role_claim: str
    user_values: frozenset[str]
    site_admin_values: frozenset[str]
    creates_accounts: bool
    session_hours: int


def from_environment() -> Institution | None:
    """The provider that is set; None where nothing is.

    Raises
    ------
    SettingError
        Some settings are set and one that they need is not, or the issuer is no HTTPS address.
    """
    given = [name for name in os.environ if name.startswith(PREFIX) and os.environ[name].strip()]
    if not given:
        return None
    for name in NEEDED:
        if PREFIX + name not in given:
            raise env.SettingError(
                f"{PREFIX}{name} is not set, and {min(given)} is: sign-in with the institution needs "
                f"{', '.join(PREFIX + needed for needed in NEEDED)}."
            )
    users, admins = (frozenset(env.words(f"{PREFIX}{kind}_VALUES")) for kind in ("USER", "SITE_ADMIN"))
    role_claim = os.environ.get(f"{PREFIX}ROLE_CLAIM", "").strip()
    if bool(role_claim) != bool(users or admins):
        raise env.SettingError(
            f"{PREFIX}ROLE_CLAIM needs {PREFIX}SITE_ADMIN_VALUES or {PREFIX}USER_VALUES, and they need it."
        )
    return Institution(
        issuer=_issuer(),
        client_id=env.text(f"{PREFIX}CLIENT_ID"),
        client_secret=env.text(f"{PREFIX}CLIENT_SECRET"),
        domains=_domains(),
        label=os.environ.get(f"{PREFIX}LABEL", "").strip(),
        scopes=("openid", "profile", "email", *env.words(f"{PREFIX}SCOPES")),
        verified_claim=env.text(f"{PREFIX}EMAIL_VERIFIED_CLAIM", "email_verified"),
        role_claim=role_claim,
        user_values=users,
        site_admin_values=admins,
        creates_accounts=env.flag(f"{PREFIX}CREATE_ACCOUNTS", default=True),
        session_hours=env.number(f"{PREFIX}SESSION_HOURS", default=12, minimum=1),
    )


def _issuer() -> str:
    issuer = env.text(f"{PREFIX}ISSUER").rstrip("/")
    address = urlsplit(issuer)
    is_safe = address.scheme == "https" or (address.scheme == "http" and address.hostname in THIS_MACHINE)
    if not is_safe or not address.hostname or len(issuer) > LONGEST_ISSUER:
        raise env.SettingError(
            f"{PREFIX}ISSUER is {issuer!r}: it accepts an address with https:// of at most {LONGEST_ISSUER} "
            "characters, as the provider’s own documentation names it."
        )
    return issuer


def _domains() -> frozenset[str]:
    domains = [word.lower().removeprefix("@") for word in env.words(f"{PREFIX}DOMAINS")]
    wrong = [word for word in domains if "." not in word.strip(".") or set(word) & set("*@ /")]
    if wrong:
        raise env.SettingError(
            f"{PREFIX}DOMAINS has {wrong[0]!r}: it accepts domains of email addresses, such as "
            "example.edu, joined by commas; subdomains are not included."
        )
    return frozenset(domains)
