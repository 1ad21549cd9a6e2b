"""`/studies/<study>/disagreement/`: the items on which raters disagree; its URL is the view."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.services.adjudication.case_selection import send_items
from annotation.services.quality.exclusions import exclude_items
from annotation.views.adjudication.queue import sent_words
from annotation.views.base.downloads import file_response
from annotation.views.base.page import redirect_back, refusal_shown, shown_page, study_page
from scoring.models import FigureSet, ItemSummary, SavedView
from scoring.selectors.base.reports import unfinished_job
from scoring.selectors.raters.item_figures import newest_set, out_of_date
from scoring.selectors.raters.item_matches import ItemKeys, item_keys
from scoring.selectors.raters.item_query import columns_of, read_view
from scoring.selectors.raters.item_rows import file_table, page_rows
from scoring.selectors.raters.rules import is_fresh, latest_preview, rule_rows
from scoring.services.raters.item_figures import KIND, request_figures
from scoring.services.raters.saved_views import delete_view, plain_query, save_view
from scoring.views.base.page import page
from scoring.views.raters.view_words import (
    chips,
    column_choices,
    criterion_heads,
    figure_choices,
    heads,
    named_figures,
)

ITEMS_PER_PAGE = 50


@study_page(get=Act.READ)
def items(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    figure_set = newest_set(study)
    context: dict[str, Any] = {
        **page(access, "disagreement"),
        "figure_set": figure_set,
        "job": unfinished_job(study, KIND),
        "stale": figure_set is not None and out_of_date(study, figure_set),
        "views": SavedView.objects.filter(study=study),
        "margin": _margin(study),
    }
    if figure_set is not None:
        context |= _list(request, figure_set, context["margin"])
    return render(request, "scoring/raters/disagreement.html", context)


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, file_format: str) -> HttpResponseBase:
    """The view as a file, with all statistics of all items."""
    figure_set = newest_set(access.study)
    if figure_set is None:
        raise Http404("The statistics of the items have not been computed yet.")
    return file_response(
        file_table(figure_set, read_view(request.GET, figure_set)),
        file_format,
        f"{access.slug}-items-by-disagreement",
    )


@study_page(post=Act.VIEW)
def refresh(request: HttpRequest, access: Access) -> HttpResponse:
    """Request the statistics of the items."""
    request_figures(study=access.study, actor=access.user)
    return _back(request, access.slug)


@study_page(post=Act.VIEW)
def save(request: HttpRequest, access: Access) -> HttpResponse:
    """Save the view under a name."""
    query = plain_query(request.POST.get("query", ""))
    with refusal_shown(request):
        save_view(study=access.study, name=request.POST.get("name", ""), query=query, actor=access.user)
        messages.success(request, _("View saved. All study members can open it."))
    return redirect(f"{reverse('study-disagreement', args=[access.slug])}?{query}")


@study_page(post=Act.VIEW)
def forget(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    delete_view(view=get_object_or_404(SavedView, study=access.study, pk=pk))
    messages.success(request, _("View deleted. No item or rating changed."))
    return _back(request, access.slug)


@study_page(post=Act.REVIEW)
def exclude(request: HttpRequest, access: Access) -> HttpResponse:
    """Exclude the selected items with a reason."""
    keys, reason = request.POST.getlist("item"), request.POST.get("reason", "")
    with refusal_shown(request):
        n = exclude_items(study=access.study, keys=keys, reason=reason, actor=access.user)
        message = ngettext("%(n)d item excluded.", "%(n)d items excluded.", n)
        messages.success(request, message % {"n": n})
        request_figures(study=access.study, actor=access.user)
    return _back(request, access.slug)


@study_page(post=Act.REVIEW)
def adjudicate(request: HttpRequest, access: Access) -> HttpResponse:
    """Send the selected items, or all items of the view, to adjudication, and stay on the list."""
    figure_set = newest_set(access.study)
    if figure_set is None:
        raise Http404("The statistics of the items have not been computed yet.")
    if "selected" in request.POST:
        keys = request.POST.getlist("item")
    else:
        view = read_view(QueryDict(request.POST.get("query", "").lstrip("?")), figure_set)
        keys = item_keys(figure_set, view)
    with refusal_shown(request):
        done = send_items(study=access.study, keys=keys, actor=access.user)
        cases = reverse("study-adjudication", args=[access.slug])
        link = format_html('<a href="{}">{}</a>', cases, _("Open the cases"))
        messages.success(request, format_html("{} {}", sent_words(done), link))
    return _back(request, access.slug)


def _list(request: HttpRequest, figure_set: FigureSet, margin: dict[str, Any]) -> dict[str, Any]:
    view = read_view(request.GET, figure_set)
    keys: Any = ItemKeys(figure_set, view)
    shown = shown_page(request, keys, size=ITEMS_PER_PAGE)
    found = ItemSummary.objects.defer("search").in_bulk(list(shown.object_list))
    summaries = [found[key] for key in shown.object_list if key in found]
    rows = [
        row | {"criteria": [named_figures(cell, view) for cell in row["criteria"]]}
        for row in page_rows(figure_set, view, summaries, margin.get("caught", set()))
    ]
    return {
        "asked": view,
        "query": view.query(),
        "shown": shown,
        "n_items": figure_set.n_items,
        "rows": rows,
        "shows_state": any(row["excluded"] or row["caught"] for row in rows),
        "heads": heads(view),
        "criteria": criterion_heads(figure_set, view),
        "any_geometric": any(scale.get("logarithmic") for scale in figure_set.criteria),
        "columns": column_choices(columns_of(figure_set, view.metric)),
        "chips": chips(view),
        "figures": figure_choices(view),
        "metrics": sorted(figure_set.metrics),
        "systems": figure_set.systems,
    }


def _margin(study: Study) -> dict[str, Any]:
    """All rules, and the newest one that has a preview."""
    rules = rule_rows(study)
    for row in reversed(rules):
        preview = latest_preview(row.rule)
        if preview is not None:
            fresh = is_fresh(row.rule, preview)
            caught = set(preview.tables["caught"]["items"]) if fresh else set()
            return {"rules": rules, "row": row, "preview": preview, "fresh": fresh, "caught": caught}
    return {"rules": rules}


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the list with the same search, filters and order."""
    query = plain_query(request.POST.get("query", ""))
    return redirect_back(request, f"{reverse('study-disagreement', args=[slug])}?{query}")
