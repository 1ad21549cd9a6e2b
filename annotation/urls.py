"""Addresses of the collecting side."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.views.home import home
from annotation.views.join import JoinView
from annotation.views.rating import AssignmentView, RateView, WithdrawView, guide, pause

rating_urls: list[URLPattern] = [
    path("", home, name="home"),
    path("join/<str:token>/", JoinView.as_view(), name="join"),
    path("rate/<slug:slug>/", RateView.as_view(), name="rate"),
    path("rate/<slug:slug>/<int:pk>/", AssignmentView.as_view(), name="rate-assignment"),
    path("rate/<slug:slug>/guide/", guide, name="rate-guide"),
    path("rate/<slug:slug>/pause/", pause, name="rate-pause"),
    path("rate/<slug:slug>/withdraw/", WithdrawView.as_view(), name="rate-withdraw"),
]

study_urls: list[URLPattern] = []

urlpatterns = [*rating_urls, *study_urls]
