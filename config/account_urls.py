"""Signing in and out, one's own password and second factor; resetting it by mail where mail is sent.

Accounts are made by whoever runs the installation, so there is no sign-up and no page of addresses.
"""

from __future__ import annotations

from allauth.account import views
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("password/", views.password_change, name="account_change_password"),
    path("2fa/", include("allauth.mfa.urls")),
]

if settings.SENDS_MAIL:
    urlpatterns += [
        path("reset/", views.password_reset, name="account_reset_password"),
        path("reset/sent/", views.password_reset_done, name="account_reset_password_done"),
        path(
            "reset/<slug:uidb36>-<str:key>/",
            views.password_reset_from_key,
            name="account_reset_password_from_key",
        ),
        path("reset/done/", views.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    ]
