"""Password links: for a new account, or to replace a lost password."""

from __future__ import annotations

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.services.people.mail import send_mail


def password_path(*, user: User) -> str:
    """Path of a page on which a password is set once; it ends with the next password or sign-in.

    Parameters
    ----------
    user : User
        The owner of the password.
    """
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    parts = {"uidb36": user_pk_to_url_str(user), "key": key}
    return reverse("account_reset_password_from_key", kwargs=parts)


def mail_link(*, user: User, link: str) -> None:
    """Send a person the link to set a password.

    Parameters
    ----------
    user : User
        The recipient.
    link : str
        `password_path` with the address of this site.

    Raises
    ------
    MailNotSent
        The server did not take it; the link is valid all the same.
    """
    # Which language the recipient reads is not known; the administrator’s need not be it.
    with translation.override(settings.LANGUAGE_CODE):
        subject, text = _letter(user, link)
    send_mail(to=user.email, subject=subject, text=text)


def _letter(user: User, link: str) -> tuple[str, str]:
    if user.has_usable_password():
        subject = _("Set a new password for Groundwork")
        why = _(
            "A site administrator of Groundwork created this link for you. Open it to set a new password:"
        )
    else:
        subject = _("Your Groundwork account")
        why = _(
            "A site administrator of Groundwork created an account for you. Open this link to set a password:"
        )
    rest = _("The link works once, within 3 days. If you did not expect it, ask the site administrator.")
    return subject, f"{why}\n\n{link}\n\n{rest}\n"
