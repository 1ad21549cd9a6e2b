"""`/studies/<study>/scores/`: the metrics of a study, and the scores as a file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.permissions import Access, Act
from annotation.views.base.page import refusal_shown, shown_page, study_page
from scoring.selectors.data.scores import metric_summaries
from scoring.services.metrics.directions import declare_directions
from scoring.views.base.page import page

DIRECTION = "direction-"
DIRECTIONS = {
    "higher": gettext_lazy("Higher values are better"),
    "lower": gettext_lazy("Lower values are better"),
    "unsigned": gettext_lazy("No direction"),
}


@study_page(get=Act.READ)
def scores(request: HttpRequest, access: Access) -> HttpResponse:
    metrics = metric_summaries(access.study)
    context = {
        **page(access, "scores"),
        "metrics": shown_page(request, metrics),
        "runs": list(dict.fromkeys(row["run"] for row in metrics)),
        "directions": list(DIRECTIONS.items()),
    }
    return render(request, "scoring/metrics/scores.html", context)


@study_page(post=Act.EDIT)
def directions(request: HttpRequest, access: Access) -> HttpResponse:
    """Set the directions of the metrics."""
    directions_sent = {
        name.removeprefix(DIRECTION): value
        for name, value in request.POST.items()
        if name.startswith(DIRECTION) and isinstance(value, str) and value
    }
    with refusal_shown(request):
        declare_directions(study=access.study, directions=directions_sent, actor=access.user)
        messages.success(request, _("Directions saved. Earlier results are now out of date."))
    return redirect("study-scores", slug=access.slug)
