"""`/studies/<study>/items/<key>/`: one item with every rating, its group, scores and exclusions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from annotation.domain.base.states import StudyState
from annotation.models import Exclusion, Item, MediaFile, RaterKind, Response, Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.form_versions import required_texts
from annotation.selectors.rating.problem_reports import problems_of_item
from annotation.selectors.seats.stages import outcomes
from annotation.services.quality.exclusions import exclude_response, lift_exclusion
from annotation.services.quality.replacements import rater_of
from annotation.views.base.page import refusal_shown, shown_page, study_page
from annotation.views.rating.media.addresses import with_own_addresses
from scoring.models import FigureSet
from scoring.selectors.raters.item_figures import newest_set, out_of_date
from scoring.selectors.raters.item_neighbours import neighbours_in_list, neighbours_in_view
from scoring.selectors.raters.item_query import read_view
from scoring.selectors.similes import item_page
from scoring.selectors.similes.item_history import item_history
from scoring.selectors.similes.item_ratings import rating_columns, ratings_by_scale
from scoring.selectors.similes.score_facts import newest_explained
from scoring.services.raters.item_figures import request_figures
from scoring.views.base.page import page


@study_page(get=Act.READ)
def item(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    study = access.study
    found = get_object_or_404(Item, study=study, key=key)
    responses = item_page.responses_to(study, found)
    figure_set = newest_set(study)
    figures = item_page.figures_of(figure_set, found)
    exclusions = list(item_page.history(found))
    active = [
        exclusion
        for exclusion in exclusions
        if exclusion.item_id == found.pk and not hasattr(exclusion, "lift")
    ]
    context = {
        **page(access, "items"),
        "item": found,
        "texts": _with_files(study, item_page.texts_of(study, found)),
        "responses": shown_page(request, responses, "responses"),
        "scales": ratings_by_scale(responses),
        "columns": rating_columns(responses),
        "figures": figures,
        "any_geometric": any(figure.geometric for figure in figures),  # type: ignore[attr-defined]
        "stale": figure_set is not None and out_of_date(study, figure_set),
        "group": item_page.candidates(study, found),
        "scores": item_page.newest_scores(study, [found]).get(found.pk, {}),
        "explained": newest_explained(found),
        "exclusions": shown_page(request, exclusions, "exclusions"),
        "exclusion": active,
        "history": _history(request, access, found, responses),
        "stages": outcomes(study, [found.pk]).get(found.pk, []),
        **_adjudication(access, found, responses),
        "problems": shown_page(request, problems_of_item(found), "problems"),
        **_from_list(request, access, figure_set, found),
        **_of_draft(access, found),
        "n_cannot": sum(bool(response.cannot_rate and response.current) for response in responses),
    }
    return render(request, "scoring/similes/item.html", context)


def _of_draft(access: Access, found: Item) -> dict[str, Any]:
    """Whether the item can be deleted, and the texts that it lacks, while the study is a draft."""
    if access.study.state != StudyState.DRAFT or not access.may_edit:
        return {"may_delete": False, "missing_texts": []}
    lacking = [name for name in required_texts(access.study) if not found.fields.get(name)]
    return {"may_delete": True, "missing_texts": lacking}


def _adjudication(access: Access, found: Item, responses: Sequence[Response]) -> dict[str, Any]:
    """The cases of the item, and whether this member can send it to adjudication."""
    cases = list(item_page.cases_of(found))
    may_send = access.may_review and access.study.state != StudyState.DRAFT
    return {"cases": cases, "may_send": may_send and item_page.can_be_sent(responses, cases)}


def _with_files(study: Study, texts: Sequence[item_page.ItemText]) -> list[item_page.ItemText]:
    """The texts with the addresses at which members load the files that they name."""

    def own(file: MediaFile) -> str:
        return reverse("study-media-file", args=[study.slug, file.pk])

    return [
        text._replace(block=with_own_addresses([text.block], own)[0]) if text.block else text
        for text in texts
    ]


def _history(request: HttpRequest, access: Access, found: Item, responses: Sequence[Response]) -> Any:
    """What happened to the item, for those who may read who did it."""
    events = item_history(access.study, found, responses) if access.may_view else []
    return shown_page(request, events, "history")


def _from_list(
    request: HttpRequest, access: Access, figure_set: FigureSet | None, found: Item
) -> dict[str, Any]:
    """The neighbours in the list from which the page was opened, and the way back to the same list."""
    asked, words = request.GET.get("view"), request.GET.get("q", "").strip().replace("\x00", "")
    if asked is not None and figure_set is not None:
        view = read_view(QueryDict(asked), figure_set)
        around, query = neighbours_in_view(figure_set, view, found), urlencode({"view": view.query()})
        back = f"{reverse('study-disagreement', args=[access.slug])}?{view.query()}"
        return {"around": around, "around_query": query, "back": back, "by_disagreement": True}
    query = urlencode({"q": words}) if words else ""
    back = f"{reverse('study-items', args=[access.slug])}?{query}"
    around = neighbours_in_list(access.study, words, found)
    return {"around": around, "around_query": query, "back": back}


@study_page(post=Act.REVIEW)
def exclude_answer(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Exclude one response from the statistics, with a reason."""
    answers = Response.objects.filter(assignment__item__study=access.study, current=True)
    answers = answers.exclude(assignment__rater__kind=RaterKind.TRIAL)
    found = get_object_or_404(answers.select_related("assignment__item"), pk=pk)
    with refusal_shown(request):
        exclude_response(response=found, reason=request.POST.get("reason", ""), actor=access.user)
        request_figures(study=access.study, actor=access.user)
        messages.success(
            request,
            _(
                "Response excluded. Statistics are being recomputed. To undo this, lift the exclusion under "
                "“Exclusion history”."
            ),
        )
    return redirect("study-item", slug=access.slug, key=found.assignment.item.key)


@study_page(post=Act.REVIEW)
def lift(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Lift an exclusion, so that the excluded data count again."""
    found = get_object_or_404(
        Exclusion.objects.select_related("study", "item", "rater", "response__assignment__item"),
        study=access.study,
        pk=pk,
    )
    with refusal_shown(request):
        lift_exclusion(exclusion=found, reason=request.POST.get("reason", ""), actor=access.user)
        request_figures(study=access.study, actor=access.user)
        messages.success(request, _("Exclusion lifted. Statistics are being recomputed."))
    item = found.item or (found.response.assignment.item if found.response else None)
    if item is None:
        return redirect("study-rater", slug=access.slug, code=rater_of(found).code)
    return redirect("study-item", slug=access.slug, key=item.key)
