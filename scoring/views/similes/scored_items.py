"""`/studies/<study>/scores/items/`, `/groups/` and `/weights/`: scores of items and their computation."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.models import Item
from annotation.permissions import Access, Act
from annotation.views.base.page import refusal_shown, shown_page, study_page
from scoring.models import ItemComponents
from scoring.selectors.data.item_texts import text_field
from scoring.selectors.similes import score_pages
from scoring.selectors.similes.score_explanation import explain_scores, outdated
from scoring.selectors.similes.score_facts import score_facts
from scoring.selectors.similes.weight_pages import weights_compared
from scoring.services.similes.item_components import BY_HAND, correct_components, delete_correction
from scoring.views.base.page import page

ITEMS_PER_PAGE = 50
GROUPS_PER_PAGE = 10
PAIRS_POSTED = 20


@study_page(get=Act.VIEW)
def items(request: HttpRequest, access: Access) -> HttpResponse:
    """Items with their scores in one run, sorted by any of them."""
    run = score_pages.chosen_run(access.study, request.GET.get("run", ""))
    context = {**page(access, "scores"), "run": run}
    if run is not None:
        metrics = score_pages.metrics_of(run)
        sort = request.GET.get("sort", "")
        sort = sort if sort in metrics else ""
        descending = request.GET.get("order") != "up"
        found = score_pages.sorted_items(access.study, run, sort, descending=descending)
        shown = shown_page(request, found, size=ITEMS_PER_PAGE)
        columns = score_pages.columns_of(metrics, sort)
        scores = score_pages.scores_of(run, list(shown), columns)
        texts = score_pages.scored_texts(run, list(shown))
        context |= {
            "shown": shown,
            "rows": [
                {
                    "item": item,
                    "text": item.fields.get(text_field(item.fields), ""),
                    **texts.get(item.pk, score_pages.NOT_SCORED)._asdict(),
                    "scores": [(column, scores[item.pk].get(column)) for column in columns],
                }
                for item in shown
            ],
            "reasons": score_pages.reason_notes(
                own.get(column) for own in scores.values() for column in columns
            ),
            "columns": columns,
            "metrics": metrics,
            "sort": sort,
            "order": "down" if descending else "up",
        }
    return render(request, "scoring/similes/scored_items.html", context)


@study_page(get=Act.VIEW)
def groups(request: HttpRequest, access: Access) -> HttpResponse:
    """The candidates of each group in the order of the run, with the order of the raters."""
    run = score_pages.chosen_run(access.study, request.GET.get("run", ""))
    context = {**page(access, "scores"), "run": run}
    if run is not None:
        shown = shown_page(request, score_pages.group_keys(access.study), size=GROUPS_PER_PAGE)
        ranked = score_pages.ranked_groups(access.study, run, list(shown))
        rows = [row for group in ranked for row in group["rows"]]
        for row in rows:
            row["text"] = row["item"].fields.get(text_field(row["item"].fields), "")
        cells = ("combined", "quality", "creativity", "informativeness")
        reasons = score_pages.reason_notes(row[cell] for row in rows for cell in cells)
        context |= {"shown": shown, "groups": ranked, "reasons": reasons}
    return render(request, "scoring/similes/scored_groups.html", context)


@study_page(get=Act.VIEW)
def weights(request: HttpRequest, access: Access) -> HttpResponse:
    """How well quality correlates with the ratings under other weights, and without each sub-score."""
    run = score_pages.chosen_run(access.study, request.GET.get("run", ""))
    context = {**page(access, "scores"), "run": run}
    if run is not None:
        context |= {"compared": weights_compared(access.study, run)}
    return render(request, "scoring/similes/score_weights.html", context)


@study_page(get=Act.VIEW, post=Act.EDIT)
def item(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    """How an item's scores were computed; a POST corrects its components."""
    writes = request.method == "POST"
    found = get_object_or_404(Item, study=access.study, key=key)
    if writes:
        return _corrected(request, access, found)
    run = score_pages.chosen_run(access.study, request.GET.get("run", ""))
    shown = explain_scores(run, found) if run is not None else {}
    stored = ItemComponents.objects.filter(item=found).first()
    pairs = [
        {name: (pair.get(name) or {}).get("text", "") for name in BY_HAND}
        for pair in (stored.pairs if stored else [])
    ]
    context = {
        **page(access, "scores"),
        "item": found,
        "run": run,
        "shown": shown,
        "facts": score_facts(shown["explanation"]) if shown else {},
        "stored": stored,
        "pairs": [*pairs, dict.fromkeys(BY_HAND, "")],
        "parts": BY_HAND,
        "outdated": outdated(stored, shown.get("explanation", {})),
    }
    return render(request, "scoring/similes/scored_item.html", context)


def _corrected(request: HttpRequest, access: Access, found: Item) -> HttpResponse:
    pairs = [
        {name: request.POST.get(f"{name}-{number}", "") for name in BY_HAND} for number in range(PAIRS_POSTED)
    ]
    filled = [pair for pair in pairs if any(words.strip() for words in pair.values())]
    with refusal_shown(request):
        if request.POST.get("act") == "forget":
            delete_correction(item=found, actor=access.user)
        else:
            correct_components(item=found, pairs=filled, actor=access.user)
        messages.success(request, _("Components saved. Score the study again to update this item’s group."))
    return redirect("study-score-item", slug=access.slug, key=found.key)
