"""`/studies/<study>/scores/corpus/`: correlations of scores and ratings by size of the corpus."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.base.states import JobState
from annotation.models import Job
from annotation.permissions import Access, Act
from annotation.views.base.downloads import file_response
from annotation.views.base.page import refusal_shown, study_page
from scoring.hauser.knowledge.file_format import About
from scoring.io.charts.canvas import FORMATS
from scoring.io.charts.size_curves import size_curves
from scoring.models import Report, ScoreRun
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.similes import corpus_pages
from scoring.selectors.similes.score_pages import chosen_run
from scoring.services.similes.corpus_curves import KIND, request_corpus
from scoring.services.similes.knowledge_bases import known_bases
from scoring.views.base.downloads import figure_file, figures_file
from scoring.views.base.page import page

SAMPLES = (3, 5, 10, 20)
USUAL = 5
COLUMNS = (
    "metric",
    "criterion",
    "coefficient",
    "size",
    "estimate",
    "least",
    "greatest",
    "sd",
    "samples",
    "undefined",
    "n_items",
    "reason",
)


@study_page(get=Act.VIEW, post=Act.VIEW)
def corpus(request: HttpRequest, access: Access) -> HttpResponse:
    """The newest curve of a run; a POST requests a new one."""
    asked = request.POST if request.method == "POST" else request.GET
    run = chosen_run(access.study, asked.get("run", ""))
    if request.method == "POST":
        return _start(request, access, run)
    context: dict[str, Any] = {**page(access, "scores"), "run": run}
    if run is not None:
        context |= _shown(request, access, run)
    return render(request, "scoring/similes/corpus.html", context)


def _start(request: HttpRequest, access: Access, run: ScoreRun | None) -> HttpResponse:
    samples = request.POST.get("samples", str(USUAL))
    if run is None:
        messages.error(request, _("No scoring runs yet. Score the study first."))
        return redirect("study-score-corpus", slug=access.slug)
    with refusal_shown(request):
        request_corpus(
            run=run,
            actor=access.user,
            base=request.POST.get("base", ""),
            samples=int(samples) if samples.isdecimal() and len(samples) < 9 else 0,
        )
    return redirect(f"{reverse('study-score-corpus', args=[access.slug])}?run={run.pk}")


def _shown(request: HttpRequest, access: Access, run: ScoreRun) -> dict[str, Any]:
    report = corpus_pages.latest_curve(run)
    job = Job.objects.filter(study=access.study, kind=KIND, params__run=run.pk).order_by("-pk").first()
    bases = [(name, about) for name, about in known_bases().items() if isinstance(about, About)]
    context: dict[str, Any] = {
        "report": report,
        "job": job if job and job.state != JobState.DONE else None,
        "bases": bases,
        "base": job.params["base"] if job else run.made_with["base"],
        "samples": SAMPLES,
        "chosen_samples": job.params["samples"] if job else USUAL,
    }
    if report is not None:
        coefficient = _coefficient(request)
        context |= {
            "stale": is_stale(access.study, report),
            "coefficient": coefficient,
            "coefficient_name": corpus_pages.COEFFICIENTS[coefficient],
            "coefficients": corpus_pages.COEFFICIENTS.items(),
            "chart": corpus_pages.chart_of(report, coefficient),
            "rows": corpus_pages.table_of(report, coefficient),
            "metrics": corpus_pages.METRICS,
        }
    return context


def _coefficient(request: HttpRequest) -> str:
    wanted = request.GET.get("coefficient", "")
    return wanted if wanted in corpus_pages.COEFFICIENTS else "pearson"


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, pk: int, file_format: str) -> HttpResponseBase:
    """A curve as a table, or as a drawing."""
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    name, caution = f"{access.slug}-corpus-{pk}", str(report.data["caution"])
    if file_format == "json":
        return figures_file(report, name)
    if file_format == "csv":
        run_columns = {
            "run": report.data["run_name"],
            "knowledge_base": report.data["knowledge_base"]["name"],
            "caution": caution,
        }
        return file_response(
            ((*COLUMNS, *run_columns), [row | run_columns for row in report.figures]), "csv", name
        )
    if file_format in {"figure", *FORMATS}:
        coefficient = _coefficient(request)
        rows = [row for row in report.figures if row["coefficient"] == coefficient]
        draw = partial(size_curves, rows, corpus_pages.COEFFICIENTS[coefficient], note=caution)
        return figure_file(request, name, file_format, draw)
    raise Http404("There is no such format.")
