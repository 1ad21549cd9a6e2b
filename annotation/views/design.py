"""`/studies/<study>/settings/design/` and `…/more/`: what a design hands out; more where raters disagree."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import GroundworkError, InvalidContent
from annotation.forms import MoreForm, PreviewForm
from annotation.models import Study
from annotation.permissions import Act, study_access
from annotation.selectors.serving import Disputed, disputed_items, items_by_pk, likert_keys, preview_of
from annotation.services.seat_making import raise_overlap
from annotation.views.studies import page


@login_required
@require_safe
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    form = PreviewForm(request.GET or None)
    context: dict[str, Any] = {**page(access, "settings"), "form": form}
    if not form.is_bound or form.is_valid():
        try:
            context["preview"] = preview_of(access.study, **form.expected())
        except InvalidContent as refusal:
            context["refusal"] = refusal.message
    return render(request, "annotation/design.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def collect_more(request: HttpRequest, slug: str) -> HttpResponse:
    """Which items a rule chooses; posted, those are given more seats."""
    access = study_access(request.user, slug, Act.MANAGE)
    study = access.study
    sent = request.POST if request.method == "POST" else request.GET
    form = MoreForm(study, likert_keys(study), sent or None)
    chosen: list[Disputed] = []
    status = 200
    if form.is_bound and form.is_valid():
        chosen = form.choose(disputed_items(study, form.cleaned_data["criterion"]))
        if request.method == "POST":
            return _collect(request, access.study, form, chosen)
    elif request.method == "POST":
        status = 422
    context = {**page(access, "settings"), "form": form, "chosen": chosen}
    return render(request, "annotation/collect_more.html", context, status=status)


def _collect(request: HttpRequest, study: Study, form: MoreForm, chosen: list[Disputed]) -> HttpResponse:
    actor = study_access(request.user, study.slug, Act.MANAGE).user
    try:
        added = raise_overlap(
            form=form.cleaned_data["form"],
            items=items_by_pk(study, chosen),
            to=form.cleaned_data["to"],
            actor=actor,
        )
    except GroundworkError as refusal:
        messages.error(request, refusal.message)
        return redirect("study-collect-more", slug=study.slug)
    told = ngettext("%(n)d more rating is asked for.", "%(n)d more ratings are asked for.", added)
    messages.success(request, told % {"n": added} if added else _("The items have as many ratings already."))
    return redirect("study", slug=study.slug)
