"""`/studies/<study>/reliability/classes/`: the classes of items and the errors of raters, by a model."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode

from annotation.domain.base.errors import GroundworkError
from annotation.permissions import Access, Act
from annotation.selectors.base.table_types import Table
from annotation.views.base.downloads import file_response
from annotation.views.base.page import shown_page, study_page
from scoring.services.raters.class_rows import (
    CONFUSION_COLUMNS,
    ITEM_COLUMNS,
    RATER_COLUMNS,
    confusion_rows,
    item_classes,
    rater_rows,
)
from scoring.services.raters.estimated_classes import ClassQuestions, EstimatedClasses, class_questions
from scoring.stats.raters.latent_classes.fit import MODELS, ModelName
from scoring.views.base.page import page

DEFAULT: ModelName = "dawid_skene"
RATERS_PER_PAGE = 10


@study_page(get=Act.VIEW)
def estimated_classes(request: HttpRequest, access: Access) -> HttpResponse:
    """Items by the difference of class and majority, and raters by accuracy."""
    questions = class_questions(access.study)
    criterion, model = _asked(request, questions)
    context: dict[str, Any] = {
        **page(access, "reliability", "estimated-classes"),
        "questions": questions.names,
        "chosen": criterion,
        "model": model,
        "query": urlencode({"criterion": criterion, "model": model}),
    }
    if criterion:
        try:
            context |= _shown(request, questions.estimate(criterion, model))
        except GroundworkError as refusal:
            context["refusal"] = refusal.message
    return render(request, "scoring/raters/classes/page.html", context)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, what: str, file_format: str) -> HttpResponseBase:
    """Items, raters or confusion matrices as a file."""
    questions = class_questions(access.study)
    criterion, model = _asked(request, questions)
    if not criterion or what not in TABLES:
        raise Http404("The study has no such table.")
    try:
        one = questions.estimate(criterion, model)
    except GroundworkError as refusal:
        raise Http404(str(refusal.message)) from refusal
    return file_response(TABLES[what](one), file_format, f"{access.slug}-classes-{what}")


def _asked(request: HttpRequest, questions: ClassQuestions) -> tuple[str, ModelName]:
    """The question, by default the first one and empty if there is none, and the model."""
    names = questions.names
    criterion = request.GET.get("criterion", names[0] if names else "")
    if criterion and criterion not in names:
        raise Http404("The study has no such question with answers.")
    asked = request.GET.get("model", DEFAULT)
    return criterion, next((model for model in MODELS if model == asked), DEFAULT)


def _shown(request: HttpRequest, estimate: EstimatedClasses) -> dict[str, Any]:
    items, raters = item_classes(estimate), rater_rows(estimate)
    fitted = [row for row in items if not row.reason]
    return {
        "fit": estimate.found,
        "labels": estimate.labels,
        "classes": [
            {"value": value, "share": float(share)}
            for value, share in zip(estimate.classes, estimate.found.prevalence, strict=True)
        ],
        "n_fitted": len(fitted),
        "n_left_out": len(items) - len(fitted),
        "n_differ": sum(row.differs for row in fitted),
        "n_tied": sum(row.is_tied for row in fitted),
        "n_worse": sum(row["worse_than_chance"] for row in raters),
        "items": shown_page(request, items),
        "raters": shown_page(request, raters, "raters", size=RATERS_PER_PAGE),
    }


def _items(estimate: EstimatedClasses) -> Table:
    shares = [f"p_{value}" for value in estimate.classes]
    rows = (
        {**row.to_row(), **{f"p_{value}": share for value, share in row.probabilities.items()}}
        for row in item_classes(estimate)
    )
    return [*ITEM_COLUMNS, *shares, "reason"], rows


def _raters(estimate: EstimatedClasses) -> Table:
    return RATER_COLUMNS, iter(rater_rows(estimate))


def _confusion(estimate: EstimatedClasses) -> Table:
    return CONFUSION_COLUMNS, confusion_rows(estimate)


TABLES = {"items": _items, "raters": _raters, "confusion": _confusion}
