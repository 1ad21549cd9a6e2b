"""`/studies/<study>/systems/model/`: adjusted means of systems and severity of raters."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from annotation.permissions import Access, Act
from annotation.views.base.page import shown_page, study_page
from scoring.io.charts.canvas import FORMATS
from scoring.io.charts.forest_plots import forest_plot
from scoring.io.charts.wright_maps import wright_map
from scoring.selectors.base.reports import unfinished_job
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.metrics.mixed_models import (
    KIND,
    TABLES,
    criteria_of,
    file_rows,
    latest_models,
    mean_panel,
    model_of,
    models_of,
    publishable_text,
    shown_model,
)
from scoring.services.metrics.mixed_model import request_mixed_model
from scoring.views.base.downloads import figure_file, table_file, tables_file
from scoring.views.base.page import page

WRIGHT_MAP = "wright-map"
CHARTS = ("adjusted-means", WRIGHT_MAP)


@study_page(get=Act.READ, post=Act.VIEW)
def mixed_model(request: HttpRequest, access: Access) -> HttpResponse:
    """The model of one criterion, and starting the computation of all."""
    study = access.study
    if request.method == "POST":
        request_mixed_model(study=study, actor=access.user)
        return redirect("study-mixed-model", slug=access.slug)
    report = latest_models(study)
    context = {**page(access, "systems", "mixed-model"), "report": report, "job": unfinished_job(study, KIND)}
    if report:
        criteria = criteria_of(report)
        chosen = request.GET.get("criterion", criteria[0])
        if chosen not in criteria:
            raise Http404("The report has no such criterion.")
        model = shown_model(report, chosen)
        context |= {
            "stale": is_stale(study, report),
            "criteria": criteria,
            "chosen": chosen,
            "downloads": TABLES,
            "model": model,
            "refusal": next((one for one in report.tables["refused"] if one["criterion"] == chosen), None),
        }
        if model:
            context["publishable"] = publishable_text(report, model)
            context |= {
                part: shown_page(request, model[part], part) for part in ("systems", "differences", "raters")
            }
    return render(request, "scoring/metrics/mixed_model.html", context)


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, pk: int, what: str, file_format: str) -> HttpResponseBase:
    """A table of all criteria as `csv` or `tex`, `model` as `json`, or a chart of a criterion."""
    report = get_object_or_404(models_of(access.study), pk=pk)
    name = f"{access.slug}-{what}-{pk}"
    if (what, file_format) == ("model", "json"):
        return tables_file(report, name)
    if what in CHARTS and file_format in {"figure", *FORMATS}:
        model = model_of(report, request.GET.get("criterion", ""))
        if model is None:
            raise Http404("The report has no model of this criterion.")
        is_map = what == WRIGHT_MAP
        draw = partial(wright_map, model) if is_map else partial(forest_plot, [mean_panel(report, model)])
        return figure_file(request, name, file_format, draw)
    if what not in TABLES:
        raise Http404("There is no such table.")
    caption = f"{access.study.title}: {what.replace('-', ' ')}, cumulative logit mixed model."
    return table_file(
        TABLES[what],
        file_rows(report, what),
        file_format,
        name=name,
        caption=caption,
        only_in_csv=frozenset({"confidence", "reason"}),
    )
