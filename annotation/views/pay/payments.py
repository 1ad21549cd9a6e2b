"""`/studies/<study>/pay/lists/<number>/`: a payment list, its payments and their states."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import FileRefused, GroundworkError
from annotation.domain.pay.crowd import OFFERS
from annotation.domain.pay.payment_states import PaymentState, following
from annotation.domain.pay.wages import BonusLayout
from annotation.forms.pay.payments import PaymentFileForm, ResultsForm
from annotation.io.base.writers import CONTENT_TYPES, write_rows
from annotation.models import Payment, PaymentList, Upload
from annotation.permissions import Access, Act
from annotation.selectors.pay.payments import (
    ByService,
    last_download,
    list_summaries,
    payments_of,
    raters_to_note,
)
from annotation.selectors.people.platform_ids import identities_of
from annotation.services.base.uploads.receiving import outcome_of
from annotation.services.pay.crowd.bonuses import payable_on, request_bonuses, request_reading_back
from annotation.services.pay.payment_files import export_payments
from annotation.services.pay.payment_lists import FROM, approve_payments, mark_list
from annotation.services.pay.single_payments import change_payment
from annotation.templatetags.rater_words import translated
from annotation.views.base.downloads import as_file
from annotation.views.base.page import page, refusal_shown, shown_page, study_page
from annotation.views.base.uploads import receive_on_page, sent_upload, still_reading

LONGEST_NUMBER = 18


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def payment_list(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """The payments of a list, and acts about all of them."""
    found = _list(access, number)
    if request.method == "POST":
        with refusal_shown(request):
            messages.success(request, _act(request, access, found))
        return redirect("study-payment-list", slug=access.slug, number=number)
    return render(request, "annotation/pay/payment_list.html", _context(request, access, found))


@study_page(post=Act.MANAGE)
def payment(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Bring one payment of a list to another state."""
    payments = Payment.objects.select_related("study", "payment_list")
    found = get_object_or_404(payments, pk=pk, study=access.study, payment_list__isnull=False)
    states = {one.value: one for one in PaymentState}
    to, seen = (states.get(request.POST.get(name, "")) for name in ("to", "seen"))
    if to is None or seen is None:
        raise Http404("There is no such state.")
    words = {name: request.POST.get(name, "").strip() for name in ("reference", "note")}
    attempt = _number(request, "attempt") or 0
    with refusal_shown(request):
        change_payment(payment=found, to=to, seen=seen, attempt=attempt, actor=access.user, **words)
        messages.success(request, _("State of the payment saved."))
    number = found.payment_list.number if found.payment_list else 0
    return redirect("study-payment-list", slug=access.slug, number=number)


@study_page(post=Act.MANAGE)
def payment_file(request: HttpRequest, access: Access, number: int) -> HttpResponseBase:
    """A payment list as a file; Prolific needs it without a header line."""
    found, form = _list(access, number), PaymentFileForm(request.POST)
    if not form.is_valid():
        raise Http404("There is no such format.")
    layout = BonusLayout(form.cleaned_data["layout"])
    try:
        columns, rows = export_payments(
            payment_list=found,
            actor=access.user,
            layout=layout,
            with_ids=form.cleaned_data["with_ids"],
            seen_download=_number(request, "seen_download"),
        )
    except GroundworkError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect("study-payment-list", slug=access.slug, number=number)
    content = b"".join(write_rows(rows, columns, "csv"))
    if layout is BonusLayout.PROLIFIC:
        content = content.partition(b"\n")[2]
    response = HttpResponse(content, content_type=CONTENT_TYPES["csv"])
    return as_file(response, f"{access.slug}-payments-{number}-{layout.value}.csv")


@study_page(get=Act.MANAGE, post=Act.MANAGE, files=True)
def results(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Results of payments from a file."""
    found = _list(access, number)
    form = ResultsForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    upload, refusal = sent_upload(request, "payment_results"), None
    if upload is not None or (form.is_bound and form.is_valid()):
        try:
            upload = upload or receive_on_page(
                request,
                act="payment_results",
                file=form.cleaned_data["file"],
                study=access.study,
                options={"list": found.pk},
            )
            waiting = still_reading(request, upload)
            if waiting is not None:
                return waiting
            messages.success(request, _stored(upload))
            return redirect("study-payment-list", slug=access.slug, number=number)
        except GroundworkError as refused:
            refusal = refused
    context = {
        **page(access, "pay"),
        "list": found,
        "form": form,
        "refusal": refusal,
        "problems": refusal.problems if isinstance(refusal, FileRefused) else [],
    }
    status = 422 if refusal or form.errors else 200
    return render(request, "annotation/pay/payment_results.html", context, status=status)


def _list(access: Access, number: int) -> PaymentList:
    return get_object_or_404(
        PaymentList.objects.select_related("study", "made_by"), study=access.study, number=number
    )


def _context(request: HttpRequest, access: Access, found: PaymentList) -> dict[str, Any]:
    (summary,) = list_summaries([found])
    shown = shown_page(request, payments_of(found))
    return {
        **page(access, "pay"),
        "list": found,
        "summary": summary,
        "to_approve": summary.total(PaymentState.DUE),
        "marks": {
            to.value: (summary.count(*before), str(summary.total(*before))) for to, before in FROM.items()
        },
        "downloaded": last_download(found),
        "payments": shown,
        "rows": [(one, following(one.state)) for one in shown.object_list],
        "noted": raters_to_note([one.rater_id for one in shown.object_list]),
        "file_form": PaymentFileForm(),
        "n_identities": identities_of(access.study).count(),
        "by_platforms": _by_platforms(found),
    }


def _by_platforms(found: PaymentList) -> list[tuple[str, str, ByService]]:
    """What each platform can pay of a list, with its key and its name; without those not connected."""
    offers = ((one.value, offer.name, payable_on(found, one)) for one, offer in OFFERS.items())
    return [(key, name, payable) for key, name, payable in offers if payable is not None]


def _by_platform(request: HttpRequest, access: Access, found: PaymentList, act: str) -> str:
    """Pay what the member has seen on a platform, or read back what has no result."""
    platforms = {f"{one.value}_{what}": one for one in OFFERS for what in ("send", "read")}
    if act not in platforms:
        raise Http404("There is no such act.")
    given: dict[str, Any] = {"payment_list": found, "platform": platforms[act], "actor": access.user}
    if act.endswith("_read"):
        request_reading_back(**given)
        return _("The payments are being read back.")
    request_bonuses(**given, seen=(_number(request, "count"), _amount(request)))
    return _("The bonuses are being sent.")


def _act(request: HttpRequest, access: Access, found: PaymentList) -> str:
    """Carry out the requested act, and report it."""
    act = request.POST.get("act", "")
    if act == "approve":
        count = approve_payments(payment_list=found, actor=access.user, total=_amount(request))
        return ngettext("%(n)d payment approved.", "%(n)d payments approved.", count) % {"n": count}
    marks = {to.value: to for to in FROM}
    if act not in marks:
        return _by_platform(request, access, found, act)
    words = {name: request.POST.get(name, "").strip() for name in ("reference", "note")}
    count = mark_list(
        payment_list=found,
        to=marks[act],
        count=_number(request, "count") or 0,
        total=_amount(request),
        actor=access.user,
        **words,
    )
    return ngettext("%(n)d payment changed.", "%(n)d payments changed.", count) % {"n": count}


def _amount(request: HttpRequest) -> Decimal:
    """What was typed; a comma is taken as the decimal sign, and what is no number matches no sum."""
    try:
        typed = Decimal(request.POST.get("total", "").strip().replace(",", "."))
    except InvalidOperation:
        return Decimal(-1)
    return typed if typed.is_finite() else Decimal(-1)


def _number(request: HttpRequest, name: str) -> int | None:
    """A whole number that the page sent; None without one."""
    sent = request.POST.get(name, "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= LONGEST_NUMBER else None


def _stored(upload: Upload) -> str:
    counts = outcome_of(upload)
    changed = counts["confirmed"] + counts["failed"]
    sentence = ngettext(
        "%(n)d payment updated from %(file)s.", "%(n)d payments updated from %(file)s.", changed
    )
    return sentence % {"n": changed, "file": upload.name}
