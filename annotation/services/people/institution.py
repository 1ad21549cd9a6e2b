"""Sign-in with the institution: finding or creating the account."""

from __future__ import annotations

from allauth.socialaccount.models import SocialAccount
from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.people.institution import Identity, SignInRefused, check_identity, lacks_role
from annotation.models import User
from annotation.services.base import audit
from annotation.services.people.site_accounts import end_sign_ins, set_site_administrator
from config.settings.institution import Institution


def account_of(*, identity: Identity, institution: Institution) -> SocialAccount:
    """Return the link to the account of a person: theirs, that with their address, or a new one.

    An account that a site administrator made is linked at the first sign-in with its address. That is
    safe because the provider vouches for the addresses of these domains; from then on the account
    belongs to this one person at the provider, whatever their address becomes. A refused person whose
    account is linked loses here what the provider no longer gives them: the role of a site administrator,
    and without a role that may sign in every session and token.

    Parameters
    ----------
    identity : Identity
        The claims of the provider, with a verified signature.
    institution : Institution
        The provider, and the conditions for signing in here.

    Raises
    ------
    SignInRefused
        As `check_identity`; or there is no account and none is made (`sso_no_account`), it belongs to
        another person at the provider (`sso_other_identity`), or is deactivated (`sso_inactive`).
    """
    # Stored before anything is refused, and outside the transaction that a refusal rolls back.
    _take_away(identity, institution)
    check_identity(identity, domains=institution.domains, user_values=institution.user_values)
    with transaction.atomic():
        link = _known(identity) or _linked(identity, institution)
        if not link.user.is_active:
            raise SignInRefused(
                message("Your account has been deactivated. A site administrator can reactivate it."),
                code="sso_inactive",
            )
    if institution.site_admin_values:
        _apply_role(link.user, is_administrator=bool(identity.values & institution.site_admin_values))
    return link


def _known(identity: Identity) -> SocialAccount | None:
    known = SocialAccount.objects.filter(provider=identity.issuer, uid=identity.subject)
    return known.select_related("user").first()


def _take_away(identity: Identity, institution: Institution) -> None:
    """Remove rights of a known account that the provider no longer gives."""
    link = _known(identity)
    if link is None:
        return
    if institution.site_admin_values and not identity.values & institution.site_admin_values:
        _apply_role(link.user, is_administrator=False)
    if lacks_role(identity, institution.user_values):
        with transaction.atomic():
            end_sign_ins(link.user)
            audit.record_for_site(actor=None, act="end_sign_ins", account=link.user.email, by="institution")


def _linked(identity: Identity, institution: Institution) -> SocialAccount:
    user = User.objects.select_for_update().filter(email__iexact=identity.email).first()
    if user is None:
        user = _created(identity, institution)
    elif SocialAccount.objects.filter(user=user, provider=identity.issuer).exists():
        raise SignInRefused(
            message(
                "The account %(email)s belongs to another person at the institution. A site "
                "administrator can "
                "remove that link.",
                email=identity.email,
            ),
            code="sso_other_identity",
        )
    link, _ = SocialAccount.objects.get_or_create(
        provider=identity.issuer, uid=identity.subject, defaults={"user": user}
    )
    audit.record_for_site(actor=None, act="link_institution", account=user.email)
    return link


def _created(identity: Identity, institution: Institution) -> User:
    if not institution.creates_accounts:
        raise SignInRefused(
            message(
                "There is no account for %(email)s. Ask a site administrator to invite you.",
                email=identity.email,
            ),
            code="sso_no_account",
        )
    user, made = User.objects.get_or_create(email=identity.email, defaults={"name": identity.name})
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
        audit.record_for_site(actor=None, act="add_account", account=user.email, by="institution")
    return user


def _apply_role(user: User, *, is_administrator: bool) -> None:
    """The provider decides at every sign-in; the last site administrator stays one."""
    try:
        set_site_administrator(user=user, is_administrator=is_administrator, actor=None)
    except NotAllowedNow:
        return
    user.refresh_from_db(fields=["is_site_administrator", "is_superuser"])
