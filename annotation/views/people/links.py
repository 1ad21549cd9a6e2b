"""Invitation links of a study: created, shown, replaced and revoked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.platforms import PARAMETERS, Platform
from annotation.domain.people.reach import reach_of
from annotation.forms.links import LinkForm
from annotation.models import Invitation, Study
from annotation.permissions import Access, Act
from annotation.selectors.people.link_codes import codes_of
from annotation.services.people.invitations import invite, replace_link, revoke
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def links(request: HttpRequest, access: Access) -> HttpResponse:
    """The links of a study, and the form that creates another one."""
    if request.method != "POST":
        return _links_page(request, access, LinkForm(access.study))
    form = LinkForm(access.study, {"kind": Platform.NONE.value, **request.POST.dict()})
    if form.is_valid():
        try:
            invite(study=access.study, actor=access.user, **form.invitation())
        except InvalidContent as refused:
            for name, sentence in refused.fields.items():
                form.add_error(name, translated(sentence))
            if not refused.fields:
                form.add_error(None, translated(refused.message))
    if form.errors:
        messages.error(request, _("Link not created. Correct the fields marked below."))
        return _links_page(request, access, form)
    messages.success(request, _("Link created. It is the first in the list."))
    return redirect("study-links", slug=access.slug)


def _links_page(request: HttpRequest, access: Access, form: LinkForm) -> HttpResponse:
    shown = shown_page(request, links_of_members(access.study))
    context = {
        **page(access, "links"),
        "shown": shown,
        "links": described_links(request, access.study, shown),
        "link_form": form,
        **reach_of_links(request),
    }
    return render(request, "annotation/people/links.html", context, status=422 if form.errors else 200)


@study_page(post=Act.MANAGE)
def revoke_link(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    link = get_object_or_404(Invitation, pk=pk, study=access.study)
    revoke(invitation=link, actor=access.user)
    messages.success(request, _("Link revoked. Raters who joined through it can continue."))
    return redirect("study-links", slug=access.slug)


@study_page(post=Act.MANAGE)
def new_address(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Replace the link of an invitation."""
    link = get_object_or_404(Invitation, pk=pk, study=access.study)
    with refusal_shown(request):
        replace_link(invitation=link, actor=access.user)
        messages.success(request, _("Link replaced. The old one no longer works."))
    return redirect("study-links", slug=access.slug)


def links_of_members(study: Study) -> QuerySet[Invitation]:
    """The invitation links that members created, newest first."""
    return study.invitations.select_related("rater").filter(_for_members()).order_by("-created_at", "-pk")


def described_links(request: HttpRequest, study: Study, links: Iterable[Invitation]) -> list[dict[str, Any]]:
    """Links with their addresses, codes and the number of raters who joined."""
    joined = dict(study.raters.values_list("came_by").annotate(n=Count("pk")))
    return [
        {
            "link": link,
            "address": _address(request, link),
            "codes": codes_of(link),
            "joined": joined.get(link.pk, 0),
        }
        for link in links
    ]


def reach_of_links(request: HttpRequest) -> dict[str, str]:
    """The host of the links that a page shows, and who can open them, for `link_reach.html`."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    return {"host": host, "reach": reach_of(host).value}


def _for_members() -> Q:
    """Links that members created: open ones, and personal ones of raters who joined through no other."""
    return Q(rater__isnull=True) | Q(rater__came_by__isnull=True)


def _address(request: HttpRequest, link: Invitation) -> str:
    """The link to share, for Prolific with its placeholders; empty if it is unreadable."""
    token = link.token
    if not token:
        return ""
    address = request.build_absolute_uri(reverse("join", args=[token]))
    if link.platform == Platform.PROLIFIC:
        names = PARAMETERS[Platform.PROLIFIC]
        filled = "&".join(f"{name}={{{{%{name}%}}}}" for name in (names.person, names.task, names.session))
        return f"{address}?{filled}"
    return address
