"""Signing in by password, setting a first one, and asking for a link by mail to set a new one."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ResetPasswordForm
from allauth.account.internal.stagekit import clear_login, unstash_login
from allauth.account.views import LoginView, PasswordResetView, PasswordSetView
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from annotation.models import User
from annotation.selectors.people.site_accounts import has_institution_only
from annotation.services.people.mail import MailNotSent


class SignInView(LoginView):  # type: ignore[misc]
    """As allauth's; a sign-in that waits for a second factor that was removed since begins anew."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        waiting = unstash_login(request, peek=True)
        if waiting and waiting.user and not is_mfa_enabled(waiting.user):
            clear_login(request)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


class FirstPasswordView(PasswordSetView):  # type: ignore[misc]
    """As allauth's; an account of the institution gets no password, which would outlast the institution."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and has_institution_only(request.user):
            return render(request, "errors/no_password.html", {"code": "sso_no_password"}, status=403)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


class MailedResetView(PasswordResetView):  # type: ignore[misc]
    """As allauth's; where the mail server takes nothing, the page says so instead of failing."""

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
        except MailNotSent as problem:
            form.add_error(None, f"{problem.message} Ask a site administrator for a link. ({problem.code})")
            answer = self.form_invalid(form)
        return answer
