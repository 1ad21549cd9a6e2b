"""`/studies/<study>/judges/`: automatic judges compared with raters."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings as site
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.permissions import Access, Act
from annotation.selectors.questions.criterion_labels import criterion_labels, criterion_scales
from annotation.views.base.page import refusal_shown, study_page
from scoring.io.charts.canvas import FORMATS
from scoring.io.charts.forest_plots import forest_plot
from scoring.io.score_columns import number_of
from scoring.models import Judge, Report
from scoring.selectors.base.figures import has_these_definitions
from scoring.selectors.base.reports import latest_report, unfinished_job
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.judges import judge_pages
from scoring.selectors.judges.criteria import judges_with_counts
from scoring.selectors.judges.distribution_pages import calibrations, soft_labels
from scoring.selectors.judges.endpoint_key import key_state
from scoring.selectors.judges.judge_pages import KIND, TABLES
from scoring.selectors.judges.option_pages import biases, option_agreement
from scoring.services.judges.judge_report import request_judges
from scoring.services.judges.judge_storing import delete_judge
from scoring.stats.judges.alternative_annotator import EPSILONS
from scoring.views.base.downloads import figure_file, table_file, tables_file
from scoring.views.base.page import page

OF_OPTIONS = ("difference", "consistent", "preference", "overconfidence", "brier")
ONLY_IN_CSV = frozenset(
    {"coefficient", "confidence", "interval_method", "reason", "constant", "epsilon", "n_groups", "weight"}
    | {f"{who}_{part}" for who in ("people", "judge", "combined") for part in ("low", "high", "reason")}
    | {f"raters_first_{part}" for part in ("share", "low", "high")}
    | {f"{what}_{end}" for what in OF_OPTIONS for end in ("low", "high")}
    | {"differs", "own_family", "n_bins", "n_floored"}
)


@study_page(get=Act.READ, post=Act.VIEW)
def judges(request: HttpRequest, access: Access) -> HttpResponse:
    """The newest report and the judges of the study, and starting the computation."""
    study = access.study
    if request.method == "POST":
        with refusal_shown(request):
            epsilon = number_of(request.POST.get("epsilon", ""))
            request_judges(study=study, actor=access.user, epsilon=-1 if epsilon is None else epsilon)
        return redirect("study-judges", slug=access.slug)
    report = latest_report(study, KIND)
    context: dict[str, Any] = {
        **page(access, "judges"),
        "report": report,
        "job": unfinished_job(study, KIND),
        "judges": judges_with_counts(study),
        "margins": EPSILONS.items(),
        "key_state": key_state(study) if access.may_own and site.JUDGE_ADDRESS else None,
    }
    if report:
        context |= _shown(request, access, report)
    return render(request, "scoring/judges/judges.html", context)


@study_page(post=Act.EDIT)
def delete(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Delete a judge with its answers."""
    judge = get_object_or_404(Judge, pk=pk, study=access.study)
    delete_judge(judge=judge, actor=access.user)
    messages.success(request, _("Judge “%(name)s” deleted.") % {"name": judge.name})
    return redirect("study-judges", slug=access.slug)


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, pk: int, what: str, file_format: str) -> HttpResponseBase:
    """A table as `csv` or `tex`, the whole report as `json`, or the agreement as a chart."""
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    name = f"{access.slug}-judges-{what}-{pk}"
    if what not in TABLES:
        raise Http404("There is no such table.")
    if file_format == "json":
        return tables_file(report, name)
    if what == "agreement" and file_format in {"figure", *FORMATS}:
        return figure_file(request, name, file_format, partial(forest_plot, _panels(access, report)))
    return table_file(
        TABLES[what],
        judge_pages.file_rows(report, what),
        file_format,
        name=name,
        caption=f"{access.study.title}: automatic judges, {what}.",
        only_in_csv=ONLY_IN_CSV,
    )


def _shown(request: HttpRequest, access: Access, report: Report) -> dict[str, Any]:
    choices = judge_pages.choices(report)
    asked = request.GET.get("judge", ""), request.GET.get("criterion", "")
    chosen = asked if asked in choices else next(iter(choices), ("", ""))
    scale = criterion_scales(access.study).get(chosen[1])
    means = judge_pages.system_means(report, *chosen, scale)
    return {
        "stale": is_stale(access.study, report) or not has_these_definitions(report),
        "agreement": judge_pages.agreement(report),
        "tests": judge_pages.tests(report),
        "means": means,
        "options": option_agreement(report),
        "biases": biases(report),
        "calibrations": calibrations(report),
        "soft_labels": soft_labels(report),
        "not_compared": report.tables.get("not_compared", []),
        "chosen_judge": chosen[0],
        "chosen_criterion": chosen[1],
        "judge_names": list(dict.fromkeys(judge for judge, _ in choices)),
        "criteria": list(dict.fromkeys(criterion for _, criterion in choices)),
        "cautions": judge_pages.cautions(report),
        "facts": report.tables["judges"],
    }


def _panels(access: Access, report: Report) -> list[dict[str, Any]]:
    shown, options = judge_pages.agreement(report), option_agreement(report)
    panels = [_panel(access, options, at, 0.0) for at in range(len(options.get("criteria", [])))]
    if not shown:
        return panels
    low = float(shown["low"]["label"].replace("−", "-"))
    return [*(_panel(access, shown, at, low) for at in range(len(shown["criteria"]))), *panels]


def _panel(access: Access, shown: dict[str, Any], at: int, low: float) -> dict[str, Any]:
    criterion = shown["criteria"][at]
    return {
        "criterion": criterion_labels(access.study).get(criterion, criterion),
        "rows": [
            {**row["cells"][at], "name": row["judge"]["name"] if row["judge"] else "One person"}
            for row in shown["rows"]
            if row["cells"][at] and row["cells"][at]["estimate"] is not None
        ],
        "axis": (low, 1.0),
    }
