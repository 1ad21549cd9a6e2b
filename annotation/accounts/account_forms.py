"""Forms of allauth's pages, with labels of this site and without placeholders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from allauth.account.forms import (
    ChangePasswordForm,
    ReauthenticateForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
)
from allauth.mfa.base.forms import AuthenticateForm as EnterCodeForm
from allauth.mfa.base.forms import ReauthenticateForm as ConfirmByCodeForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class WithLabels(forms.Form):
    """Replaces the labels of a form of allauth."""

    labels: Mapping[str, _StrPromise] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in self.labels.items():
            self.fields[name].label = label
            self.fields[name].widget.attrs.pop("placeholder", None)


NEW_PASSWORD = {"password1": _("New password"), "password2": _("Repeat new password")}
CODE = {"code": _("Code")}


class PasswordChange(WithLabels, ChangePasswordForm):  # type: ignore[misc]
    labels = {"oldpassword": _("Current password"), **NEW_PASSWORD}


class FirstPassword(WithLabels, SetPasswordForm):  # type: ignore[misc]
    labels = {"password1": _("Password"), "password2": _("Repeat password")}


class PasswordByLink(WithLabels, ResetPasswordKeyForm):  # type: ignore[misc]
    labels = NEW_PASSWORD


class LinkByMail(WithLabels, ResetPasswordForm):  # type: ignore[misc]
    labels = {"email": _("Email")}


class ConfirmByPassword(WithLabels, ReauthenticateForm):  # type: ignore[misc]
    labels = {"password": _("Password")}


class SecondFactor(WithLabels, EnterCodeForm):  # type: ignore[misc]
    labels = CODE


class ConfirmByCode(WithLabels, ConfirmByCodeForm):  # type: ignore[misc]
    labels = CODE


class AppActivation(WithLabels, ActivateTOTPForm):  # type: ignore[misc]
    labels = {"code": _("Code from the app")}
