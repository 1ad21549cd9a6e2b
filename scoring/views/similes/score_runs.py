"""`/studies/<study>/scores/runs/`: starting, watching, pausing and cancelling scoring runs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import GroundworkError
from annotation.models import Job
from annotation.permissions import Access, Act
from annotation.selectors.questions.tuple_tables import has_tuples
from annotation.services.base.job_kinds import pause, resume
from annotation.services.base.jobs import cancel
from annotation.views.base.page import refusal_shown, shown_page, study_page
from config.command_line import command
from scoring.hauser.components.extractors import BUILT_IN
from scoring.hauser.knowledge.file_format import About
from scoring.selectors.similes.default_correlations import SETUPS, default_correlations
from scoring.selectors.similes.score_pages import computed_runs, recent_jobs
from scoring.services.base.model_profiles import configured_models
from scoring.services.similes.knowledge_bases import known_bases
from scoring.services.similes.score_runs import KIND, request_scores
from scoring.services.similes.score_settings import FROM_DATA, profiles, settings_of_members
from scoring.textmetrics.registry import METRICS
from scoring.views.base.page import page

TO_IMPROVE = ("models fetch", "models fetch --from FOLDER", "kb collect FOLDER --name public")
DEFAULTS = {"profile": "embedded", "base": "demo", "weights": "3/6, 2/6, 1/6", "extractor": BUILT_IN}


@study_page(get=Act.VIEW, post=Act.VIEW)
@never_cache
def runs(request: HttpRequest, access: Access) -> HttpResponse:
    """The runs of a study; posted, a new one."""
    if request.method != "POST":
        return _page(request, access, {**DEFAULTS, "metrics": [], "reference_set": "group"})
    sent: dict[str, Any] = {name: request.POST.get(name, "") for name in DEFAULTS}
    sent["metrics"] = request.POST.getlist("metrics")
    sent["reference_set"] = request.POST.get("reference_set", "group")
    sent["components"] = request.POST.get("components", FROM_DATA)
    try:
        request_scores(study=access.study, actor=access.user, asked=settings_of_members(**sent))
    except GroundworkError as refusal:
        return _page(request, access, sent, refusal.message)
    return redirect("study-score-runs", slug=access.slug)


@study_page(post=Act.VIEW)
def act(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Pause, cancel or resume a job of a study."""
    job = get_object_or_404(Job, study=access.study, kind=KIND, pk=pk)
    wanted = request.POST.get("act", "")
    if wanted not in {"pause", "cancel", "resume"}:
        raise Http404("There is no such action.")
    with refusal_shown(request):
        if wanted == "resume":
            resume(job=job, actor=access.user)
        else:
            (pause if wanted == "pause" else cancel)(job=job)
    return redirect("study-score-runs", slug=access.slug)


def _page(request: HttpRequest, access: Access, sent: dict[str, Any], refusal: str = "") -> HttpResponse:
    jobs = recent_jobs(access.study)
    published = configured_models("paper").states()
    context = {
        **page(access, "scores"),
        "runs": shown_page(request, computed_runs(access.study)),
        "jobs": jobs,
        "busy": any(not row["job"].ended for row in jobs),
        "given": sent,
        "refusal": refusal,
        "profiles": [(name, _describe_profile(name)) for name in profiles()],
        "bases": [(name, about) for name, about in known_bases().items() if isinstance(about, About)],
        "metrics": list(METRICS.values()),
        "correlations": default_correlations(),
        "setups": SETUPS.values(),
        "published": published,
        "commands": [command(words) for words in TO_IMPROVE],
        "missing": sum(one.refusal is not None for one in published),
        "has_items": access.study.items.exists(),
        "has_tuples": has_tuples(access.study),
    }
    return render(request, "scoring/similes/score_runs.html", context, status=422 if refusal else 200)


def _describe_profile(profile: str) -> str:
    return {
        "paper": _("published checkpoints"),
        "embedded": _("small models, for demonstration only"),
        "lexicon": _("small models, for demonstration only; sentiment by a lexicon (English)"),
        "custom": _("checkpoints set by your administrator"),
        "none": _("no models (relevance, creativity and informativeness only)"),
    }[profile]
