"""`/studies/<study>/pay/`: pay rate, pay per hour, bonuses and their list."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.pay.wages import BonusLayout
from annotation.forms.pay import BonusForm, BonusListForm, PayForm
from annotation.io.base.writers import CONTENT_TYPES, write_rows
from annotation.permissions import Access, Act
from annotation.selectors.pay.costs import pay_figures, pay_of
from annotation.selectors.people.platform_ids import identities_of
from annotation.services.pay.bonuses import export_bonuses, grant_bonus
from annotation.services.pay.pay_settings import set_pay
from annotation.templatetags.rater_words import translated
from annotation.views.base.downloads import as_file
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

CODES_SHOWN = 100


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def pay_and_time(request: HttpRequest, access: Access) -> HttpResponse:
    pay = pay_of(access.study)
    form = PayForm(pay, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            set_pay(study=access.study, actor=access.user, **form.settings())
        except GroundworkError as refusal:
            form.add_error("amount", translated(refusal.message))
        else:
            messages.success(request, _("Pay rate saved."))
            return redirect("study-pay", slug=access.slug)
    figures = pay_figures(access.study, pay)
    context: dict[str, Any] = {
        **page(access, "pay"),
        "pay": pay,
        "form": form,
        "figures": figures,
        "bonuses": shown_page(request, figures.bonuses, "bonuses"),
        "under_floor": figures.paid.raters_under_floor[:CODES_SHOWN] if figures.paid else (),
        "bonus_form": BonusForm(access.study),
        "list_form": BonusListForm(),
        "n_identities": identities_of(access.study).count(),
    }
    return render(request, "annotation/pay/pay.html", context, status=422 if form.errors else 200)


@study_page(post=Act.MANAGE)
def bonus(request: HttpRequest, access: Access) -> HttpResponse:
    """Add, change or remove the bonus of a rater."""
    form = BonusForm(access.study, request.POST)
    if not form.is_valid():
        return _refused(request, access, form)
    with refusal_shown(request):
        grant_bonus(actor=access.user, **form.cleaned_data)
        added = _("Bonus added.") if form.cleaned_data["amount"] else _("Bonus removed.")
        messages.success(request, added)
    return redirect("study-pay", slug=access.slug)


@study_page(post=Act.MANAGE)
def bonus_list(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The bonus list as a file; Prolific needs it without a header line."""
    form = BonusListForm(request.POST)
    if not form.is_valid():
        return _refused(request, access, form)
    layout = BonusLayout(form.cleaned_data["layout"])
    try:
        columns, rows = export_bonuses(
            study=access.study, actor=access.user, layout=layout, with_ids=form.cleaned_data["with_ids"]
        )
    except GroundworkError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect("study-pay", slug=access.slug)
    content = b"".join(write_rows(rows, columns, "csv"))
    if layout is BonusLayout.PROLIFIC:
        content = content.partition(b"\n")[2]
    response = HttpResponse(content, content_type=CONTENT_TYPES["csv"])
    return as_file(response, f"{access.slug}-bonuses-{layout.value}.csv")


def _refused(request: HttpRequest, access: Access, form: Form) -> HttpResponse:
    for name, errors in form.errors.items():
        problem = {"field": form.fields[name].label, "problem": " ".join(map(str, errors))}
        messages.error(request, _("%(field)s: %(problem)s") % problem)
    return redirect("study-pay", slug=access.slug)
