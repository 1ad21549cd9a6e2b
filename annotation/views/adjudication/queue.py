"""`/studies/<study>/adjudication/`: the queue, its cases and its display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from annotation.domain.adjudication.differences import SEARCHED, Rule
from annotation.domain.base.messages import counted_message, joined, message
from annotation.domain.base.states import JobState
from annotation.models import Case, Job, Study
from annotation.permissions import Access, Act
from annotation.selectors.adjudication import queue as cases
from annotation.selectors.adjudication.final_agreement import agreement_with_final, compare_with_final
from annotation.selectors.adjudication.second_opinions import (
    opinion_summary,
    opinions_given,
    opinions_to_give,
)
from annotation.selectors.adjudication.spreads import spreads_of
from annotation.services.adjudication.assignments import adjudicator_named, assign_cases, split_cases
from annotation.services.adjudication.case_selection import (
    KIND,
    SentItems,
    read_search,
    request_search,
    send_items,
)
from annotation.services.adjudication.decisions import show_names
from annotation.services.adjudication.queue import withdraw_cases
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, redirect_back, refusal_shown, shown_page, study_page

CASES_PER_PAGE = 50
LONGEST_NUMBER = 18
# For more decided items the table of raters takes seconds, so it is only computed on request.
MOST_COMPARED_UNASKED = 5_000


@study_page(get=Act.CASES)
def queue(request: HttpRequest, access: Access) -> HttpResponse:
    """The cases in the queue; an adjudicator sees those assigned to them."""
    study, view = access.study, cases.read_queue_view(request.GET)
    numbers = cases.queue(study, view, access.own_cases_of).values_list("pk", flat=True)
    shown = shown_page(request, numbers, size=CASES_PER_PAGE)
    asked, names = cases.criterion_names(study)
    searches = Job.objects.filter(study=study, kind=KIND) if access.may_view else Job.objects.none()
    latest = searches.order_by("-pk").first()
    rows = cases.queue_rows(study, list(shown.object_list))
    counts = cases.case_counts(study, access.own_cases_of)
    compared = counts["decided"] <= MOST_COMPARED_UNASKED or "raters" in request.GET
    context = {
        **page(access, "adjudication"),
        "view": view,
        "query": view.query(),
        "shown": shown,
        "rows": _rows(study, rows, names),
        "counts": counts,
        "criteria": asked,
        "names": names,
        "rules": list(Rule),
        "searched": SEARCHED,
        "parts": sorted({part for one in asked for part in one.parts}),
        "named": cases.shows_names(study),
        "workloads": (loads := cases.workloads(study) if access.may_view else []),
        "adjudicators": [one.adjudicator for one in loads if one.adjudicator] if access.may_review else [],
        "progress": _progress(counts, loads),
        "reasons": cases.reason_counts(study, names) if access.may_view else [],
        "comparison": _compared(study, names) if access.may_view and compared else None,
        "offers_comparison": access.may_view and not compared,
        "opinions": opinion_summary(study) if access.may_view else None,
        "to_give": opinions_to_give(study, access.user) if access.own_cases_of else [],
        "given": opinions_given(study, access.user) if access.own_cases_of else [],
        "job": latest if latest and latest.state != JobState.DONE else None,
    }
    return render(request, "annotation/adjudication/queue.html", context)


def _rows(study: Study, shown: list[Case], names: Mapping[tuple[str, str], str]) -> list[dict[str, Any]]:
    """Each case with the text that was judged, and its disputes with the ratings on their scales."""
    judged, spreads = cases.judged_texts(shown), spreads_of(study, shown)
    return [
        {
            "case": case,
            "judged": judged[case.pk],
            "disputes": [
                {**one, "spread": spreads.get((case.pk, one["key"]))}
                for one in cases.dispute_rows(case, names)
            ],
        }
        for case in shown
    ]


def _progress(counts: Mapping[str, int], loads: list[cases.Workload]) -> dict[str, Any]:
    """The parts of the bar above the queue, in numbers of cases and in percent of its width."""
    unassigned = sum(one.undecided for one in loads if one.adjudicator is None)
    parts = {
        "decided": counts["decided"],
        "assigned": counts["undecided"] - unassigned,
        "unassigned": unassigned,
    }
    total = sum(parts.values())
    starts, at = {}, 0
    for name, n in parts.items():
        starts[name], at = at, at + n
    return {
        "total": total,
        "parts": [
            {"key": name, "n": n, "x": 100 * starts[name] / total, "width": 100 * n / total}
            for name, n in parts.items()
            if n
        ],
    }


def _compared(study: Study, names: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    return compare_with_final(agreement_with_final(study), names)


@study_page(post=Act.REVIEW)
def assign(request: HttpRequest, access: Access) -> HttpResponse:
    """Assign the selected cases to one adjudicator, split them among all, or remove the assignments."""
    chosen = request.POST.get("adjudicator", "")
    study, selected = access.study, _selected(request, access.study)
    with refusal_shown(request):
        if request.POST.get("split"):
            n = split_cases(study=study, cases=selected, actor=access.user)
        else:
            n = assign_cases(
                study=study,
                cases=selected,
                adjudicator=adjudicator_named(study, chosen),
                actor=access.user,
            )
        messages.success(request, ngettext("%(n)d case assigned.", "%(n)d cases assigned.", n) % {"n": n})
    return redirect_back(request, reverse("study-adjudication", args=[access.slug]))


@study_page(post=Act.REVIEW)
def remove(request: HttpRequest, access: Access) -> HttpResponse:
    """Remove the selected cases from the queue, with a reason."""
    reason, selected = request.POST.get("reason", ""), _selected(request, access.study)
    with refusal_shown(request):
        n = withdraw_cases(study=access.study, cases=selected, reason=reason, actor=access.user)
        sentence = ngettext("%(n)d case removed from the queue.", "%(n)d cases removed from the queue.", n)
        messages.success(request, sentence % {"n": n})
    return redirect_back(request, reverse("study-adjudication", args=[access.slug]))


def _selected(request: HttpRequest, study: Study) -> list[int]:
    """The cases that are ticked, or all of the view."""
    if request.POST.get("all"):
        view = cases.read_queue_view(QueryDict(request.POST.get("query", "")))
        return list(cases.queue(study, view).values_list("pk", flat=True))
    sent = request.POST.getlist("case")
    return [int(one) for one in sent if one.isascii() and one.isdecimal() and len(one) <= LONGEST_NUMBER]


@study_page(post=Act.REVIEW)
def search(request: HttpRequest, access: Access) -> HttpResponse:
    """Start the background search for the items that a rule matches."""
    form, _, criterion = request.POST.get("asked", "").partition("/")
    raw = {name: request.POST.get(name, "") for name in ("rule", "bound", "part")}
    with refusal_shown(request):
        wanted = read_search(access.study, {**raw, "form": form, "criterion": criterion})
        request_search(study=access.study, search=wanted, actor=access.user)
        messages.success(request, gettext("Searching in the background. You can leave this page."))
    return redirect("study-adjudication", slug=access.slug)


@study_page(post=Act.REVIEW)
def send(request: HttpRequest, access: Access) -> HttpResponse:
    """Send the selected items to adjudication."""
    form, _, criterion = request.POST.get("asked", "").partition("/")
    with refusal_shown(request):
        done = send_items(
            study=access.study,
            keys=request.POST.getlist("item"),
            form=form,
            criterion=criterion,
            actor=access.user,
        )
        messages.success(request, sent_words(done))
    return redirect_back(request, reverse("study-adjudication", args=[access.slug]))


@study_page(post=Act.REVIEW)
def display(request: HttpRequest, access: Access) -> HttpResponse:
    """Show raters by their codes or by letters only."""
    named = request.POST.get("named") == "1"
    show_names(study=access.study, named=named, actor=access.user)
    messages.success(
        request,
        gettext("Rater codes shown.") if named else gettext("Rater codes hidden."),
    )
    return redirect("study-adjudication", slug=access.slug)


def sent_words(done: SentItems) -> str:
    """Summary of the items sent to adjudication, sentence by sentence."""
    sentences = []
    if done.new or not (done.back or done.there or done.without):
        sentences += [
            counted_message(
                "%(n)d item sent to adjudication.", "%(n)d items sent to adjudication.", n=done.new
            )
        ]
    if done.back:
        sentences.append(message("Returned to the queue: %(n)d.", n=done.back))
    if done.there:
        sentences.append(message("Already in adjudication: %(n)d.", n=done.there))
    if done.without:
        sentences.append(message("Not sent because they have no ratings: %(n)d.", n=done.without))
    return translated(joined(sentences))
