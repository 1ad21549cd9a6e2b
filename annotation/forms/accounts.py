"""Forms about accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.models import User


class InviteForm(forms.Form):
    """A new account; its owner sets the password."""

    email = forms.EmailField(label=_("Email"), widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    name = forms.CharField(
        label=_("Name"), max_length=150, required=False, help_text=_("Visible to other study members.")
    )
    site_administrator = forms.BooleanField(
        label=_("Site administrator"),
        required=False,
        help_text=_("Manages accounts and this installation. Has no access to studies."),
    )
    mail = forms.BooleanField(label=_("Send link by email"), required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.SENDS_MAIL:
            del self.fields["mail"]


class DeleteAccountForm(forms.Form):
    """The new owner of the studies of a deleted account, and the account's address as confirmation."""

    new_owner = forms.EmailField(
        label=_("New owner of these studies"),
        help_text=_("Email address of an active account other than your own."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    confirmation = forms.EmailField(
        label=_("Enter the email address of the account to confirm"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, account: User, owns_studies: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account = account
        if not owns_studies:
            del self.fields["new_owner"]

    def clean_confirmation(self) -> str:
        typed = str(self.cleaned_data["confirmation"])
        if typed.lower() != self.account.email.lower():
            raise forms.ValidationError(_("This is not the email address of the account."))
        return typed

    def clean_new_owner(self) -> User:
        found = User.objects.filter(email__iexact=self.cleaned_data["new_owner"], is_active=True).first()
        if found is None:
            raise forms.ValidationError(_("No active account has this email address."))
        return found
