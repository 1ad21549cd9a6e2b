"""`/studies/<study>/pay/`: pay rate, pay per hour, budget, what is due, and the ledger."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.forms.pay.payments import BonusForm, BudgetForm, OutsidePaymentForm, PayForm, PaymentListForm
from annotation.models import Pay
from annotation.permissions import Access, Act
from annotation.selectors.pay.budget import budget_of
from annotation.selectors.pay.costs import PayFigures, pay_figures, pay_of
from annotation.selectors.pay.earnings import due_by_kind
from annotation.selectors.pay.payments import list_summaries, outside_payments
from annotation.services.pay.admission import pages_of_newcomer
from annotation.services.pay.bonuses import grant_bonus
from annotation.services.pay.budget import set_budget
from annotation.services.pay.pay_settings import set_pay
from annotation.services.pay.payment_lists import make_payment_list
from annotation.services.pay.single_payments import enter_outside_payment
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

LISTS_SHOWN = 25
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
        **(_ledger(request, access, pay, figures) if pay else {}),
        "pay": pay,
        "form": form,
        "figures": figures,
        "n_simulated": access.study.raters.filter(simulated=True).count(),
        "bonuses": shown_page(request, figures.bonuses, "bonuses"),
        "under_floor": figures.paid.raters_under_floor[:CODES_SHOWN] if figures.paid else (),
        "bonus_form": BonusForm(access.study),
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
def budget(request: HttpRequest, access: Access) -> HttpResponse:
    """Set or remove the budget."""
    pay = get_object_or_404(Pay, study=access.study)
    form = BudgetForm(pay, request.POST)
    if not form.is_valid():
        return _refused(request, access, form)
    with refusal_shown(request):
        set_budget(study=access.study, actor=access.user, budget=form.cleaned_data["budget"])
        messages.success(request, _("Budget saved."))
    return redirect("study-pay", slug=access.slug)


@study_page(post=Act.MANAGE)
def make_list(request: HttpRequest, access: Access) -> HttpResponse:
    """Put what is due into a payment list."""
    form = PaymentListForm(request.POST)
    if not form.is_valid():
        return _refused(request, access, form)
    address = reverse("study-pay", args=[access.slug])
    with refusal_shown(request):
        made = make_payment_list(study=access.study, actor=access.user, kinds=form.chosen())
        messages.success(request, _("Payment list %(number)d created.") % {"number": made.number})
        address = reverse("study-payment-list", args=[access.slug, made.number])
    return redirect(address)


@study_page(post=Act.MANAGE)
def outside(request: HttpRequest, access: Access) -> HttpResponse:
    """Enter a payment that was made outside."""
    form = OutsidePaymentForm(access.study, request.POST)
    if not form.is_valid():
        return _refused(request, access, form)
    with refusal_shown(request):
        enter_outside_payment(actor=access.user, **form.cleaned_data)
        messages.success(request, _("Payment entered."))
    return redirect("study-pay", slug=access.slug)


def _ledger(request: HttpRequest, access: Access, pay: Pay, figures: PayFigures) -> dict[str, Any]:
    """What the page shows of the budget and of payments."""
    study = access.study
    lists = shown_page(request, study.payment_lists.order_by("-number"), "lists", size=LISTS_SHOWN)
    due = due_by_kind(study, pay, figures.earned)
    pages = pages_of_newcomer(study=study)
    return {
        "budget": budget_of(study, pay, newcomer_pages=pages, earned=figures.earned),
        "budget_form": BudgetForm(pay),
        "due": due,
        "due_total": sum((one.amount for one in due), Decimal(0)),
        "list_form": PaymentListForm(),
        "lists": lists,
        "summaries": list_summaries(list(lists.object_list)),
        "outside": shown_page(request, outside_payments(study), "outside"),
        "outside_form": OutsidePaymentForm(study),
    }


def _refused(request: HttpRequest, access: Access, form: Form) -> HttpResponse:
    for name, errors in form.errors.items():
        problem = {"field": form.fields[name].label, "problem": " ".join(map(str, errors))}
        messages.error(request, _("%(field)s: %(problem)s") % problem)
    return redirect("study-pay", slug=access.slug)
