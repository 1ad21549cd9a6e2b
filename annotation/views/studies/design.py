"""`/studies/<study>/settings/design/` and `…/more/`: workload preview; more ratings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.forms.studies import DESIGN_CHOICES, MoreForm, PreviewForm
from annotation.permissions import Access, Act
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.workload_preview import (
    Disputed,
    disputed_items,
    expected_seconds,
    items_by_pk,
    number_criteria,
    preview_of,
)
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.studies.forms import raise_limits
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

LONGEST_NUMBER = 6


@study_page(get=Act.VIEW)
def preview(request: HttpRequest, access: Access) -> HttpResponse:
    pay = pay_of(access.study) if access.may_manage else None
    form = PreviewForm(expected_seconds(pay), request.GET or None)
    context: dict[str, Any] = {
        **page(access, "design"),
        "form": form,
        "design": dict(DESIGN_CHOICES)[access.study.design],
    }
    if not form.is_bound or form.is_valid():
        try:
            context["preview"] = preview_of(access.study, pay=pay, **form.expected())
        except InvalidContent as refusal:
            context["refusal"] = refusal.message
    return render(request, "annotation/studies/design.html", context)


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def collect_more(request: HttpRequest, access: Access) -> HttpResponse:
    """The items that a rule selects; a POST adds rating slots to them."""
    sent = request.POST if request.method == "POST" else request.GET
    form = MoreForm(access.study, number_criteria(access.study), sent or None)
    chosen: list[Disputed] = []
    status = 200
    if form.is_bound and form.is_valid():
        chosen = form.choose(disputed_items(access.study, form.cleaned_data["criterion"]))
        if request.method == "POST" and request.POST.get("shown") == _digest(chosen):
            return _collect(request, access, form, chosen)
        if request.method == "POST":
            status = 409
            messages.error(
                request,
                _("No ratings requested: the rule now selects other items. Review them and try again."),
            )
    elif request.method == "POST":
        status = 422
    context = {
        **page(access, "design"),
        "form": form,
        "chosen": shown_page(request, chosen),
        "shown": _digest(chosen),
    }
    return render(request, "annotation/studies/collect_more.html", context, status=status)


@study_page(post=Act.MANAGE)
def more_for_each(request: HttpRequest, access: Access) -> HttpResponse:
    """Raise the limit per rater."""
    sent = request.POST.get("more", "")
    more = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= LONGEST_NUMBER else 0
    with refusal_shown(request):
        raise_limits(study=access.study, more=more, actor=access.user)
        messages.success(request, _("Limit raised. Raters who have finished are not notified."))
    return redirect("study", slug=access.slug)


def _digest(chosen: Sequence[Disputed]) -> str:
    """A digest of a set of items, so that ratings are only requested for the items that the page showed."""
    return hashlib.sha256(
        ",".join(str(item) for item in sorted(one.item for one in chosen)).encode()
    ).hexdigest()


def _collect(request: HttpRequest, access: Access, form: MoreForm, chosen: list[Disputed]) -> HttpResponse:
    try:
        added = raise_overlap(
            form=form.cleaned_data["form"],
            items=items_by_pk(access.study, chosen),
            to=form.cleaned_data["to"],
            actor=access.user,
        )
    except GroundworkError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect("study-collect-more", slug=access.slug)
    message = ngettext("%(n)d more rating requested.", "%(n)d more ratings requested.", added)
    messages.success(
        request,
        message % {"n": added} if added else _("No ratings requested: the items already have this number."),
    )
    return redirect("study", slug=access.slug)
