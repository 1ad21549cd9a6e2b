"""`/replications/`: published tables, printed and computed."""

from __future__ import annotations

import csv
import io
import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import TEAM
from annotation.models import Membership
from annotation.templatetags.rater_words import translated
from scoring.io.latex import latex_table
from scoring.models import ReplicationRun
from scoring.replication.definitions import DEFINITIONS
from scoring.replication.registry import REPLICATIONS, Replication
from scoring.selectors.reports import replications
from scoring.services.reports.replications import request_replication
from scoring.views.base.downloads import attachment

COLUMNS = ("id", "source", "row", "col", "published", "computed", "status", "definition", "note")
LATEX_COLUMNS = (
    ("source", "Table"),
    ("row", "Row"),
    ("col", "Column"),
    ("printed", "Printed"),
    ("computed", "Computed"),
    ("status", "Status"),
)


@login_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    context = {"studies": replications.overview(), "may_start": _may_start(request)}
    return render(request, "scoring/reports/replications.html", context)


@login_required
@require_safe
def replication(request: HttpRequest, name: str) -> HttpResponse:
    study = _study(name)
    run = replications.latest_run(name)
    source = request.GET.get("table", "")
    shown = replications.tables(run, source) if run else []
    used = {cell["definition"] for table in shown for cell in table["cells"]}
    context = {
        "study": study,
        "run": run,
        "job": replications.latest_job(name),
        "counts": replications.status_counts(run) if run else [],
        "tables": shown,
        "source": source,
        "definitions": [(key, DEFINITIONS[key]) for key in sorted(used)],
        "may_start": _may_start(request),
    }
    return render(request, "scoring/reports/replication.html", context)


@login_required
@require_POST
def start(request: HttpRequest, name: str) -> HttpResponse:
    study, user = _study(name), request.user
    if not user.is_authenticated or not _may_start(request):
        raise PermissionDenied
    try:
        job = request_replication(name=study.name, actor=user)
    except GroundworkError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect("replication", name=name)
    if job is None:
        messages.info(request, _("The results for these files are already up to date."))
    return redirect("replication", name=name)


@login_required
@require_safe
def download(request: HttpRequest, name: str, file_format: str) -> HttpResponse:
    run = replications.latest_run(_study(name).name)
    if run is None:
        raise Http404("This replication has not been computed yet.")
    if file_format == "json":
        text = json.dumps(_whole(run), ensure_ascii=False, indent=1)
        return attachment(text, "application/json", f"replication-{name}.json")
    if file_format == "csv":
        return attachment(_csv(run), "text/csv; charset=utf-8", f"replication-{name}.csv")
    if file_format == "tex":
        printed = [cell for cell in run.cells if cell["published"] is not None]
        text = latex_table(
            LATEX_COLUMNS, printed, f"{_study(name).title}: printed and computed values.", decimals=4
        )
        return attachment(text, "application/x-tex", f"replication-{name}.tex")
    raise Http404("This format does not exist.")


def _study(name: str) -> Replication:
    if name not in REPLICATIONS:
        raise Http404("This replication does not exist.")
    return REPLICATIONS[name]


def _may_start(request: HttpRequest) -> bool:
    user = request.user
    if not user.is_authenticated:
        return False
    return user.is_site_administrator or Membership.objects.filter(user=user, role__in=TEAM).exists()


def _whole(run: ReplicationRun) -> dict[str, object]:
    return {
        "dataset": run.name,
        "counts": run.counts,
        "fingerprint": run.fingerprint,
        "software": run.software,
        "definitions": {key: DEFINITIONS[key] for key in sorted({c["definition"] for c in run.cells})},
        "cells": [{key: cell[key] for key in COLUMNS} for cell in run.cells],
    }


def _csv(run: ReplicationRun) -> str:
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, COLUMNS, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(run.cells)
    return target.getvalue()
