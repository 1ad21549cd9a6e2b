"""The data of a provider about a person, and whether that person may sign in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message

# Some providers write the boolean as text or as a number.
YES = (True, "true", "True", 1, "1")


class SignInRefused(GroundworkError):
    """A sign-in that the institution accepts and Groundwork refuses."""

    code = "sso_refused"


@dataclass(frozen=True)
class Identity:
    """One person at one provider. `subject` never changes; address and name may. `values` are their roles."""

    issuer: str
    subject: str
    email: str
    is_verified: bool
    name: str
    values: frozenset[str]


def read_identity(
    claims: Mapping[str, Any], *, issuer: str, verified_claim: str, role_claim: str
) -> Identity:
    """Read the identity of a person from the claims of a provider.

    Parameters
    ----------
    claims : mapping
        Of the ID token and the user information.
    issuer, verified_claim, role_claim : str
        The provider, the claim that says whether the address was verified, and the claim that holds
        roles or groups, as a path with dots where it is nested.
    """
    email, name = claims.get("email"), claims.get("name")
    return Identity(
        issuer=issuer,
        subject=str(claims["sub"]),
        email=email.strip().lower() if isinstance(email, str) else "",
        is_verified=claims.get(verified_claim) in YES,
        name=" ".join(name.split())[:150] if isinstance(name, str) else "",
        values=_values(claims, role_claim) if role_claim else frozenset(),
    )


def check_identity(identity: Identity, *, domains: Collection[str], user_values: Collection[str]) -> None:
    """Refuse a person without a verified address in one of the domains, or without a role that may sign in.

    Parameters
    ----------
    identity : Identity
        The identity of the person who wants to sign in.
    domains, user_values : collection of str
        Domains of addresses, and roles of which one is needed; all roles where there are none.

    Raises
    ------
    SignInRefused
        `sso_no_email`, `sso_unverified_email`, `sso_domain` or `sso_role`.
    """
    if not identity.email:
        raise SignInRefused(
            message(
                "The institution did not send your email address. Ask its help desk to release the "
                "address to "
                "Groundwork."
            ),
            code="sso_no_email",
        )
    if not identity.is_verified:
        raise SignInRefused(
            message(
                "The institution has not verified the address %(address)s. Verify it there, then sign in "
                "again.",
                address=identity.email,
            ),
            code="sso_unverified_email",
        )
    if identity.email.rpartition("@")[2] not in domains:
        raise SignInRefused(
            message(
                "%(address)s is not an address of this installation’s institution. Sign in with another "
                "account, or ask a site administrator.",
                address=identity.email,
            ),
            code="sso_domain",
        )
    if lacks_role(identity, user_values):
        raise SignInRefused(
            message(
                "Your account at the institution does not have the role that Groundwork requires. Ask a site "
                "administrator."
            ),
            code="sso_role",
        )


def lacks_role(identity: Identity, user_values: Collection[str]) -> bool:
    """Whether sign-in needs a role and the provider states none of these roles for this person."""
    return bool(user_values) and not identity.values & frozenset(user_values)


def _values(claims: Mapping[str, Any], path: str) -> frozenset[str]:
    """The words of a claim, one or a list, under its name or a path with dots."""
    found: Any = claims.get(path)
    if found is None:
        found = claims
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    if isinstance(found, str):
        return frozenset({found})
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset()
