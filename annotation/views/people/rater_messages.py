"""`/studies/<study>/messages/`: messages to raters, written, previewed, sent and listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.people.rater_messages import (
    ONLY_OF_SOME_KINDS,
    UNREACHABLE,
    DeliveryState,
    MessageDraft,
    MessageKind,
)
from annotation.forms.people import MessageForm
from annotation.models import RaterMessage
from annotation.permissions import Access, Act
from annotation.selectors.people.rater_messages import Recipient, finished_codes, messages_of
from annotation.selectors.people.silent_raters import silent_raters
from annotation.services.people.messages.creating import (
    checked_recipients,
    create_message,
    export_listed,
    send_again,
)
from annotation.services.people.messages.letters import default_texts, email_text, example_links
from annotation.templatetags.rater_words import message_counts, message_kind, translated
from annotation.views.base.downloads import file_response
from annotation.views.base.page import page, refusal_shown, shown_page, study_page


@study_page(get=Act.MANAGE)
def rater_messages(request: HttpRequest, access: Access) -> HttpResponse:
    """The messages of a study, and numbers of raters who can get one."""
    context = {
        **page(access, "raters"),
        "shown": shown_page(request, messages_of(access.study)),
        "n_inactive": len(silent_raters(access.study, timezone.now())),
        "n_finished": len(finished_codes(access.study)),
        "sends_mail": settings.SENDS_MAIL,
    }
    return render(request, "annotation/people/messages/list.html", context)


@study_page(get=Act.MANAGE, post=Act.MANAGE)
@never_cache
def new_message(request: HttpRequest, access: Access) -> HttpResponse:
    """Write to raters: choose what for, write, look at it as raters will read it, send.

    The address of a page may select raters and the kind of message; a text is taken from a POST only.
    """
    asked = request.POST if request.method == "POST" else request.GET
    codes = _codes(access, asked.getlist("rater"), asked.get("raters", ""), asked.get("group", ""))
    kinds = {one.value: one for one in MessageKind}
    kind = kinds.get(asked.get("kind", ""), MessageKind.QUESTION)
    try:
        recipients = checked_recipients(access.study, MessageDraft(kind, codes))
    except InvalidContent as refusal:
        messages.error(request, translated(refusal.message))
        return redirect("study-raters", slug=access.slug)
    act = request.POST.get("act", "write")
    form = _form(access, kind, recipients, request.POST if act in {"preview", "send"} else None)
    if form.is_bound and form.is_valid():
        if act == "send" and (sent := _send(request, access, form)):
            return redirect("study-message", slug=access.slug, number=sent.number)
        return _page(request, access, form, kind, recipients, previews=_previews(recipients, form))
    return _page(request, access, form, kind, recipients)


def _codes(access: Access, chosen: Sequence[str], named: str, group: str) -> list[str]:
    """The chosen raters: boxes of a list, the codes of the page before, or a group."""
    codes = [*chosen, *named.splitlines()]
    if group == "inactive":
        codes += [one.code for one in silent_raters(access.study, timezone.now())]
    elif group == "finished":
        codes += finished_codes(access.study)
    return sorted({code.strip() for code in codes if code.strip()})


def _form(access: Access, kind: MessageKind, recipients: Sequence[Recipient], data: Any) -> MessageForm:
    reached = [one for one in recipients if one.refusal is None]
    languages = sorted({one.language for one in reached})
    proposed = {code: default_texts(access.study, kind, code) for code in languages}
    codes = [one.rater.code for one in recipients]
    return MessageForm(kind, codes, proposed, data)


def _send(request: HttpRequest, access: Access, form: MessageForm) -> RaterMessage | None:
    try:
        sent = create_message(
            study=access.study,
            actor=access.user,
            draft=form.draft(),
            site=request.build_absolute_uri("/"),
        )
    except GroundworkError as refusal:
        for name, sentence in refusal.fields.items():
            form.add_error(name, translated(sentence))
        if not refusal.fields:
            messages.error(request, translated(refusal.message))
        return None
    messages.success(request, _("Message created. Its state for each rater is shown below."))
    return sent


def _previews(recipients: Sequence[Recipient], form: MessageForm) -> list[dict[str, Any]]:
    """The message as the first rater of each language gets it, by email or as the text to paste."""
    given, found = form.cleaned_data, []
    for language in form.languages:
        own = [one for one in recipients if one.refusal is None and one.language == language]
        by_email = next((one for one in own if one.by_email), None)
        text = given[f"text-{language}"]
        if by_email is not None:
            links = example_links(by_email.rater)
            text = email_text(rater=by_email.rater, text=text, language=language, links=links)
        found.append(
            {
                "language": language,
                "subject": given[f"subject-{language}"],
                "text": text,
                "rater": (by_email or own[0]).rater.code,
                "by_email": by_email is not None,
            }
        )
    return found


def _page(
    request: HttpRequest,
    access: Access,
    form: MessageForm,
    kind: MessageKind,
    recipients: Sequence[Recipient],
    *,
    previews: Sequence[dict[str, Any]] = (),
) -> HttpResponse:
    reached = [one for one in recipients if one.refusal is None]
    left_out: dict[str, list[str]] = {}
    for one in recipients:
        if one.refusal is not None:
            left_out.setdefault(translated(UNREACHABLE[one.refusal]), []).append(one.rater.code)
    context = {
        **page(access, "raters"),
        "form": form,
        "kinds": [(one.value, message_kind(one)) for one in MessageKind],
        "kind": kind.value,
        "codes": [one.rater.code for one in reached],
        "n_email": sum(one.by_email for one in reached),
        "n_listed": sum(not one.by_email for one in reached),
        "another_kind_reaches": any(one.refusal in ONLY_OF_SOME_KINDS for one in recipients),
        "left_out": left_out,
        "n_left_out": len(recipients) - len(reached),
        "previews": previews,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "annotation/people/messages/new.html", context, status=status)


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def message(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """One message, what became of it for each rater, and sending again what failed."""
    found = _message(access, number)
    if request.method == "POST":
        with refusal_shown(request):
            n = send_again(sent=found, actor=access.user)
            receipt = ngettext("%(n)d email is sent again.", "%(n)d emails are sent again.", n)
            messages.success(request, receipt % {"n": n})
        return redirect("study-message", slug=access.slug, number=number)
    deliveries = found.deliveries.select_related("rater").order_by("rater__code")
    counts = {state: getattr(found, f"n_{state.value}") for state in DeliveryState}
    context = {
        **page(access, "raters"),
        "message": found,
        "kind_name": message_kind(found.kind),
        "texts": found.texts,
        "shown": shown_page(request, deliveries),
        "counts": message_counts(found),
        "n_listed": counts[DeliveryState.LISTED],
        "n_doubt": counts[DeliveryState.IN_DOUBT],
        "may_send_again": counts[DeliveryState.FAILED] + counts[DeliveryState.WAITING],
    }
    return render(request, "annotation/people/messages/message.html", context)


@study_page(post=Act.MANAGE)
def listed(request: HttpRequest, access: Access, number: int) -> HttpResponseBase:
    """CSV of the platform IDs of raters who get the text on the platform, from a member."""
    found = _message(access, number)
    table = export_listed(listed=found, actor=access.user)
    return file_response(table, "csv", f"{access.slug}-message-{number}-platform-ids")


def _message(access: Access, number: int) -> Any:
    return get_object_or_404(messages_of(access.study).select_related("study"), number=number)
