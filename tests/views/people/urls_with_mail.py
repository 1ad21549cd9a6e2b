"""The addresses of an installation that sends mail."""

from __future__ import annotations

from django.urls import path

from annotation.accounts.password_pages import MailedResetView
from config.urls import urlpatterns as without_mail

urlpatterns = [
    path("account/reset/", MailedResetView.as_view(), name="account_reset_password"),
    path("account/reset/sent/", MailedResetView.as_view(), name="account_reset_password_done"),
    *without_mail,
]
