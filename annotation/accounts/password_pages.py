"""Signing in by password, setting a first one, and asking for a link by mail to set a new one."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ResetPasswordForm
from allauth.account.internal.stagekit import clear_login, unstash_login
from allauth.account.views import LoginView, PasswordResetView, PasswordSetView
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.selectors.people.site_accounts import has_institution_only
from annotation.services.people.mail import MailNotSent
from annotation.templatetags.rater_words import translated


class SignInView(LoginView):  # type: ignore[misc]
    """Sign-in page of allauth that restarts a sign-in whose second factor was removed meanwhile."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        waiting = unstash_login(request, peek=True)
        if waiting and waiting.user and not is_mfa_enabled(waiting.user):
            clear_login(request)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


class FirstPasswordView(PasswordSetView):  # type: ignore[misc]
    """Page of allauth that refuses a password to accounts of the institution, as it would outlast them."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and has_institution_only(request.user):
            return render(request, "errors/no_password.html", {"code": "sso_no_password"}, status=403)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


class MailedResetView(PasswordResetView):  # type: ignore[misc]
    """Page of allauth that reports if the mail server rejects the mail."""

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
        except MailNotSent as problem:
            sentence = _("%(problem)s Ask a site administrator for a link. (%(code)s)")
            form.add_error(None, sentence % {"problem": translated(problem.message), "code": problem.code})
            answer = self.form_invalid(form)
        return answer
