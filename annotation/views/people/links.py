"""Invitation links of a study: created, shown, paused, changed, replaced and revoked."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.platforms import PARAMETERS, Platform
from annotation.domain.people.reach import reach_of
from annotation.forms.links import ChangedLinkForm, LinkForm, PersonalLinksForm, end_of
from annotation.io.base.writers import write_rows
from annotation.io.people.name_lists import people_in
from annotation.models import Invitation, Study
from annotation.permissions import Access, Act
from annotation.selectors.people.link_codes import codes_of, lacks_completion_code
from annotation.selectors.people.of_study import links_of_members
from annotation.services.people.invitations import change_link, invite, replace_link, revoke, set_paused
from annotation.services.people.personal_links import PersonalLink, create_personal_links
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page


@study_page(get=Act.MANAGE, post=Act.MANAGE)
@never_cache
def links(request: HttpRequest, access: Access) -> HttpResponse:
    """The links of a study, and the form that creates another one."""
    if request.method != "POST":
        return _links_page(request, access, LinkForm(access.study))
    form = LinkForm(access.study, {"kind": Platform.NONE.value, **request.POST.dict()})
    if form.is_valid():
        try:
            made = invite(study=access.study, actor=access.user, **form.invitation())
        except InvalidContent as refused:
            for name, sentence in refused.fields.items():
                form.add_error(name, translated(sentence))
            if not refused.fields:
                form.add_error(None, translated(refused.message))
    if form.errors:
        messages.error(request, _("Link not created. Correct the fields marked below."))
        return _links_page(request, access, form)
    messages.success(
        request,
        _("Link created. It is the first in the list. Enter its codes on the platform.")
        if codes_of(made)
        else _("Link created. It is the first in the list."),
    )
    if lacks_completion_code(made):
        messages.warning(
            request,
            _(
                "The link has no completion code, so the platform cannot confirm that raters have finished. "
                "Add the code under “Change …”."
            ),
        )
    return redirect("study-links", slug=access.slug)


def _links_page(
    request: HttpRequest,
    access: Access,
    form: LinkForm,
    people_form: PersonalLinksForm | None = None,
    refusal: GroundworkError | None = None,
    *,
    list_address: str = "",
) -> HttpResponse:
    shown = shown_page(request, links_of_members(access.study))
    context = {
        **page(access, "links"),
        "shown": shown,
        "links": described_links(request, access.study, shown),
        "link_form": form,
        **reach_of_links(request),
        "people_form": people_form or PersonalLinksForm(access.study),
        "people_refused": people_form is not None,
        "refusal": refusal,
        "problems": refusal.problems if isinstance(refusal, FileRefused) else [],
        "list_address": list_address,
        "list_name": f"{access.slug}-personal-links.csv",
    }
    status = 422 if form.errors or people_form is not None else 200
    return render(request, "annotation/people/links.html", context, status=status)


@study_page(post=Act.MANAGE)
def change(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Pause or resume a link, or change its name, limit and expiry."""
    link = get_object_or_404(Invitation, pk=pk, study=access.study)
    act = request.POST.get("act", "")
    with refusal_shown(request):
        if act in {"pause", "resume"}:
            set_paused(invitation=link, paused=act == "pause", actor=access.user)
            messages.success(request, _("Link paused.") if act == "pause" else _("Link resumed."))
        else:
            form = ChangedLinkForm(link, request.POST)
            if form.is_valid():
                change_link(invitation=link, actor=access.user, **form.changes())
                messages.success(request, _("Link changed."))
            else:
                messages.error(request, _("Link not changed. Check the limit and the date."))
    return redirect("study-links", slug=access.slug)


@study_page(post=Act.MANAGE, files=True)
@never_cache
def personal(request: HttpRequest, access: Access) -> HttpResponse:
    """Create a personal link for each person of a list; the answer has the list with the links.

    The list is in the page alone, as it is not stored.
    """
    form = PersonalLinksForm(access.study, request.POST, request.FILES)
    if not form.is_valid():
        return _links_page(request, access, LinkForm(access.study), form)
    try:
        people = people_in(form.cleaned_data["file"])
        made = create_personal_links(
            study=access.study,
            actor=access.user,
            names=people.names,
            label=form.cleaned_data["label"],
            expires_at=end_of(form.cleaned_data["expires_on"]),
            panel=form.cleaned_data.get("panel"),
        )
    except GroundworkError as refusal:
        return _links_page(request, access, LinkForm(access.study), form, refusal)
    columns, rows = people.with_links((one.code, _address(request, one.invitation)) for one in made)
    _report_created(request, made)
    content = b64encode(b"".join(write_rows(rows, columns, "csv"))).decode()
    address = f"data:text/csv;base64,{content}"
    return _links_page(request, access, LinkForm(access.study), list_address=address)


def _report_created(request: HttpRequest, made: Sequence[PersonalLink]) -> None:
    n_new, n_before = (sum(one.new is new for one in made) for new in (True, False))
    created = ngettext("%(n)d personal link created.", "%(n)d personal links created.", n_new) % {"n": n_new}
    messages.success(request, created)
    if n_before:
        reused = ngettext(
            "%(n)d person of the list has a link in this study already and keeps it.",
            "%(n)d people of the list have links in this study already and keep them.",
            n_before,
        )
        messages.info(request, reused % {"n": n_before})


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


def described_links(request: HttpRequest, study: Study, links: Iterable[Invitation]) -> list[dict[str, Any]]:
    """Links with their addresses, codes and the number of raters who joined."""
    joined = dict(study.raters.values_list("came_by").annotate(n=Count("pk")))
    return [
        {
            "link": link,
            "address": _address(request, link),
            "codes": codes_of(link),
            "joined": joined.get(link.pk, 0),
            "full": link.cap is not None and joined.get(link.pk, 0) >= link.cap,
            "expired": link.expires_at is not None and link.expires_at <= timezone.now(),
            "form": ChangedLinkForm(link),
        }
        for link in links
    ]


def reach_of_links(request: HttpRequest) -> dict[str, str]:
    """The host of the links that a page shows, and who can open them, for `link_reach.html`."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    return {"host": host, "reach": reach_of(host).value}


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
