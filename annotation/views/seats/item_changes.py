"""`/studies/<study>/settings/items/`: ratings per item, and retirement of items."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.states import TAKING_ANSWERS
from annotation.forms.item_changes import ALL, CHOSEN, ItemChangeForm
from annotation.permissions import Access, Act
from annotation.selectors.seats.item_changes import Consequence, if_raised, if_restored, if_retired
from annotation.services.seats.item_changes import ItemAct, change_items
from annotation.services.seats.locks import lock_studies
from annotation.views.base.page import page, refusal_shown, study_page

LISTED = 50


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def change(request: HttpRequest, access: Access) -> HttpResponse:
    """Choose items and a change, see its consequences in numbers, and confirm it."""
    sent = request.POST if request.method == "POST" else request.GET
    form = _form(access, sent)
    status, consequence = 200, None
    if form.is_bound and form.is_valid():
        if request.method == "POST" and (done := _confirmed(request, access, form)):
            return done
        consequence = _consequence(access, form)
        if request.method == "POST":
            status = 409
            messages.error(
                request,
                _("Nothing was changed: the items have changed since. Review the numbers and try again."),
            )
    elif request.method == "POST":
        status = 422
    context = {
        **page(access, "items"),
        "form": form,
        "running": access.study.state in TAKING_ANSWERS and not access.study.source,
        "consequence": consequence,
        "listed": [] if consequence is None else list(form.chosen.order_by("position", "pk")[:LISTED]),
        "n_chosen": 0 if consequence is None else form.chosen.count(),
        "shown": "" if consequence is None else _digest(form, consequence),
    }
    return render(request, "annotation/seats/change_items.html", context, status=status)


def _form(access: Access, sent: Any) -> ItemChangeForm:
    """The form as it was sent; items that were ticked in the list are only filled in."""
    ticked = sent.getlist("item")
    if "which" in sent:
        return ItemChangeForm(access.study, sent)
    initial = {"which": CHOSEN, "items": "\n".join(ticked)} if ticked else {"which": ALL}
    return ItemChangeForm(access.study, initial=initial)


def _consequence(access: Access, form: ItemChangeForm) -> Consequence:
    act, study = form.act_chosen, access.study
    if act is ItemAct.RETIRE:
        return if_retired(study, form.chosen)
    if act is ItemAct.RESTORE:
        return if_restored(study, form.chosen)
    return if_raised(study, form.chosen, form.cleaned_data["form"], form.cleaned_data["to"])


def _digest(form: ItemChangeForm, consequence: Consequence) -> str:
    """A digest of what the page showed, so that only this is done; responses may come meanwhile."""
    pks = ",".join(map(str, form.chosen.order_by("pk").values_list("pk", flat=True)))
    given = form.cleaned_data
    asked = f"{given['act']} {given['form'] and given['form'].pk} {given['to']} {consequence.items} {pks}"
    return hashlib.sha256(asked.encode()).hexdigest()


@transaction.atomic
def _confirmed(request: HttpRequest, access: Access, form: ItemChangeForm) -> HttpResponse | None:
    """Do what the page showed; None if that has changed. No items are added while the study is locked."""
    lock_studies([access.study.pk])
    if request.POST.get("shown") != _digest(form, _consequence(access, form)):
        return None
    given, act = form.cleaned_data, form.act_chosen
    with refusal_shown(request):
        slots = change_items(
            study=access.study,
            act=act,
            items=form.chosen,
            actor=access.user,
            form=given["form"].key if given["form"] else "",
            to=given["to"],
            for_new_items=given["which"] == ALL,
            reason=given["reason"],
        )
        messages.success(request, _done(act, slots))
    return redirect("study-items", slug=access.slug)


def _done(act: ItemAct, slots: int) -> str:
    if act is ItemAct.RETIRE:
        words = ngettext(
            "Items retired. %(n)d rating slot removed.", "Items retired. %(n)d rating slots removed.", slots
        )
    elif act is ItemAct.RESTORE:
        words = ngettext(
            "Items restored. %(n)d rating slot added.", "Items restored. %(n)d rating slots added.", slots
        )
    elif slots:
        words = ngettext("%(n)d more rating requested.", "%(n)d more ratings requested.", slots)
    else:
        words = _("No ratings requested: the items already have this number.")
    return words % {"n": slots}
