"""Signing in and out, by password or with the institution; the user's password and second factor.

Accounts are made by site administrators or the institution, so there is no sign-up and no page of addresses.
"""

from __future__ import annotations

from allauth.account import views
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path

from annotation.accounts import institution_pages
from annotation.accounts.password_pages import FirstPasswordView, MailedResetView, SignInView

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", SignInView.as_view(), name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("password/", views.password_change, name="account_change_password"),
    path("password/set/", FirstPasswordView.as_view(), name="account_set_password"),
    path("2fa/", include("allauth.mfa.urls")),
    path("institution/", institution_pages.start, name="account_institution"),
    path("institution/callback/", institution_pages.callback, name="account_institution_callback"),
    # The number holds no hyphen and the key may: a slug would take half of it.
    re_path(
        r"^reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("reset/done/", views.password_reset_from_key_done, name="account_reset_password_from_key_done"),
]

if settings.SENDS_MAIL:
    urlpatterns += [
        path("reset/", MailedResetView.as_view(), name="account_reset_password"),
        path("reset/sent/", views.password_reset_done, name="account_reset_password_done"),
    ]
