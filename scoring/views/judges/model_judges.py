"""`/studies/<study>/judges/`: judges that answer by a model are added, allowed, run and watched."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as site
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.permissions import Access, Act
from annotation.views.base.page import refusal_shown, study_page
from scoring.backends.checkpoints import checkpoint_in_store, stored_checkpoints
from scoring.models import Judge
from scoring.selectors.judges.endpoint_key import key_state
from scoring.selectors.judges.run_state import run_state
from scoring.services.judges.running.adding import add_chat_judge, add_model_judge, chat_settings
from scoring.services.judges.running.asking import WAYS_THAT_RUN
from scoring.services.judges.running.changing import change_model
from scoring.services.judges.running.permission import allow_texts, forbid_texts, may_send_texts
from scoring.services.judges.running.planning import has_answers
from scoring.services.judges.running.runs import request_run
from scoring.services.judges.running.settings import CHAT, LocalSettings
from scoring.services.judges.running.shown import shown_prompts
from scoring.views.base.page import page
from scoring.views.judges.model_forms import ChatForm, JudgeForm, LocalForm


@study_page(get=Act.EDIT, post=Act.EDIT)
def add_local(request: HttpRequest, access: Access) -> HttpResponse:
    """The form for a judge that is a model in the folder of models."""
    form = LocalForm(access.study, _sent(request))
    refusal = ""
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            checkpoint = checkpoint_in_store(given["checkpoint"], site.MODEL_FOLDER)
            judge = add_model_judge(
                study=access.study,
                notes=form.notes,
                criteria=given["criteria"],
                asked=LocalSettings(checkpoint, given["kind"], given["reading"], given["labels"]),
                actor=access.user,
            )
        except GroundworkError as problem:
            refusal = problem.message
        else:
            return redirect("study-judge", slug=access.slug, pk=judge.pk)
    models = stored_checkpoints(site.MODEL_FOLDER)
    return _form_page(request, access, form, refusal, way="model", models=models)


@study_page(get=Act.OWN, post=Act.OWN)
def add_chat(request: HttpRequest, access: Access) -> HttpResponse:
    """The form for a judge that asks the chat endpoint of this installation; nothing is sent yet."""
    form = ChatForm(access.study, _sent(request))
    refusal = ""
    if request.method == "POST" and form.is_valid():
        try:
            judge = add_chat_judge(
                study=access.study,
                notes=form.notes,
                criteria=form.cleaned_data["criteria"],
                asked=chat_settings(form.cleaned_data["model"], **form.changes),
                actor=access.user,
            )
        except GroundworkError as problem:
            refusal = problem.message
        else:
            return redirect("study-judge", slug=access.slug, pk=judge.pk)
    shown = {"available": bool(site.JUDGE_ADDRESS), "key_state": key_state(access.study)}
    return _form_page(request, access, form, refusal, way=CHAT, **shown)


@study_page(get=Act.VIEW)
def judge(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What a judge is asked, what may leave, and how far its runs have come."""
    found = _judge(access, pk)
    item = access.study.items.order_by("position", "pk").first()
    prompts, refusal = [], ""
    try:
        prompts = shown_prompts(found, item) if item else []
    except GroundworkError as problem:
        refusal = problem.message
    context: dict[str, Any] = {
        **page(access, "judges"),
        "judge": found,
        "state": (state := run_state(found)),
        "job": state.job,
        "item": item,
        "prompts": prompts,
        "refusal": refusal,
        "is_chat": found.way == CHAT,
        "allowed": True,
        **(_of_chat(found) if found.way == CHAT else _of_model(access, found)),
    }
    return render(request, "scoring/judges/run/judge.html", context)


@study_page(post=Act.EDIT)
def run(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Start or continue a judge; an owner allows a chat judge in the same step."""
    found = _judge(access, pk)
    with refusal_shown(request):
        if found.way == CHAT and not may_send_texts(found) and request.POST.get("texts"):
            names_it = bool(request.POST.get("consent"))
            found = allow_texts(judge=found, actor=access.user, consent_names_it=names_it)
        request_run(judge=found, actor=access.user)
    return redirect("study-judge", slug=access.slug, pk=pk)


@study_page(post=Act.EDIT)
def model(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let another local model (`checkpoint`) answer for a judge without answers."""
    found = _judge(access, pk)
    with refusal_shown(request):
        name = request.POST.get("checkpoint", "").strip()
        checkpoint = checkpoint_in_store(name, site.MODEL_FOLDER)
        change_model(judge=found, checkpoint=checkpoint, actor=access.user)
        messages.success(request, _("Model changed."))
    return redirect("study-judge", slug=access.slug, pk=pk)


@study_page(post=Act.OWN)
def forbid(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Withdraw the permission to send texts to a chat judge."""
    forbid_texts(judge=_judge(access, pk), actor=access.user)
    messages.success(request, _("Permission withdrawn. No more texts are sent to this judge."))
    return redirect("study-judge", slug=access.slug, pk=pk)


def _of_chat(found: Judge) -> dict[str, Any]:
    address = found.settings[CHAT]["address"]
    return {
        "allowed": may_send_texts(found),
        "connected": address == site.JUDGE_ADDRESS,
        "host": urlsplit(address).netloc,
        "key_state": key_state(found.study),
    }


def _of_model(access: Access, found: Judge) -> dict[str, Any]:
    may_change = access.may_edit and not has_answers(found)
    return {
        "may_change_model": may_change,
        "models": stored_checkpoints(site.MODEL_FOLDER) if may_change else (),
    }


def _judge(access: Access, pk: int) -> Judge:
    judges = Judge.objects.filter(study=access.study, way__in=WAYS_THAT_RUN).select_related("study")
    return get_object_or_404(judges, pk=pk)


def _sent(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _form_page(
    request: HttpRequest, access: Access, form: JudgeForm, refusal: str, **more: Any
) -> HttpResponse:
    context = {**page(access, "judges"), "form": form, "refusal": refusal, **more}
    failed = request.method == "POST"
    return render(request, "scoring/judges/add/add_model.html", context, status=422 if failed else 200)
