"""`/studies/<study>/settings/sets/`: sets for best–worst scaling, planned and drawn."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.domain.items.drawn_sets import USUAL_FACTOR
from annotation.forms.items import SetsForm
from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.selectors.items.set_balance import (
    SetBalance,
    balance_of,
    balance_of_study,
    compared_texts,
)
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.workload_preview import Preview, preview_of
from annotation.selectors.questions.shown_options import texts_in_order
from annotation.services.items.drawn_sets import draw_sets_of_items, drawn_from, members_of
from annotation.views.base.page import page, study_page


@study_page(get=Act.EDIT, post=Act.EDIT)
def draw(request: HttpRequest, access: Access) -> HttpResponse:
    """Plan sets of the items of a draft; a POST replaces the items by them."""
    study, status = access.study, 200
    size = texts_in_order(study)
    form = _form(request, study, size)
    context: dict[str, Any] = {**page(access, "items"), "form": form, "size": size}
    context["balance"] = balance = balance_of_study(study, size) if size else None
    try:
        if request.method == "POST" and form.is_valid():
            return _drawn(request, access, form)
        if balance is not None:
            context["workload"] = _workload(access, balance.sets)
        elif size and form.is_valid():
            context["planned"] = planned = _planned(study, size, form)
            context["workload"] = _workload(access, planned.sets)
    except GroundworkError as refusal:
        context["refusal"] = refusal.message
        status = 422 if isinstance(refusal, InvalidContent) else 409
    if request.method == "POST" and not form.is_valid():
        status = 422
    context["takes_sets"] = study.state == StudyState.DRAFT and not study.source
    return render(request, "annotation/items/sets.html", context, status=status)


def _form(request: HttpRequest, study: Study, size: int) -> SetsForm:
    texts = compared_texts(study, size)
    first = {
        "text": texts[0] if texts else "",
        "factor": float(USUAL_FACTOR),
        "seed": secrets.randbelow(2**31),
    }
    return SetsForm(texts, request.POST if request.method == "POST" else request.GET or first)


def _planned(study: Study, size: int, form: SetsForm) -> SetBalance:
    """The sets that the form asks for."""
    asked = form.draw()
    members = members_of(study, form.cleaned_data["text"])
    drawn = drawn_from(members, size=size, draw=asked, seed=form.cleaned_data["seed"])
    group_of = {member.key: member.group if asked.within_groups else "" for member in members}
    return balance_of([[members[place].key for place in one] for one in drawn.sets], group_of)


def _workload(access: Access, sets: int) -> Preview:
    pay = pay_of(access.study) if access.may_manage else None
    return preview_of(access.study, pay=pay, items=sets)


def _drawn(request: HttpRequest, access: Access, form: SetsForm) -> HttpResponse:
    drawn = draw_sets_of_items(
        study=access.study, text=form.cleaned_data["text"], draw=form.draw(), actor=access.user
    )
    count = len(drawn.sets)
    sentence = ngettext("%(n)s set drawn.", "%(n)s sets drawn.", count)
    messages.success(request, sentence % {"n": f"{count:,}"})
    return redirect("study-sets", slug=access.slug)
