"""Accounts without sign-up: site administrators or the institution create them; and their email."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from annotation.models import User
from annotation.selectors.people.site_accounts import has_institution_only
from annotation.services.people.mail import send_mail
from config.client_address import network_of

# Session key: the user signed in with the institution, so signing out explains that it does not end there.
BY_INSTITUTION = "by_institution"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("The email address or the password is wrong. Check both and try again."),
        "enter_current_password": _("This is not your current password. Enter it again."),
        "incorrect_password": _("The password is wrong. Enter it again."),
        "too_many_login_attempts": _("Too many failed attempts. Try again later."),
        "rate_limited": _("Too many attempts. Wait a moment and try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network by which sign-in limits count, like all other limits."""
        return network_of(request) or str(super().get_client_ip(request))

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Limit a session by the institution, so that people who leave it soon lose access here."""
        if "sociallogin" in (kwargs.get("signal_kwargs") or {}) and settings.INSTITUTION:
            request.session.set_expiry(settings.INSTITUTION.session_hours * 3600)
            request.session[BY_INSTITUTION] = True
        answer: HttpResponse = super().post_login(request, user, **kwargs)
        return answer

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Send no link to an account of the institution. The page does not say so, to reveal nothing."""
        if has_institution_only(user):
            self.send_mail("account/email/no_password", email, {"request": context["request"]})
        else:
            super().send_password_reset_mail(user, email, context)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail of an account page; raises `MailNotSent`, which that page shows."""
        message = self.render_mail(template_prefix, email, {**context, "host": self.request.get_host()})
        send_mail(to=email, subject=str(message.subject), text=str(message.body))
