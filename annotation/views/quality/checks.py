"""`/studies/<study>/settings/checks/`: the attention checks of a study."""

from __future__ import annotations

import random
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.forms.checks import CheckForm, has_more_settings
from annotation.models import Check, Form, FormVersion, Study
from annotation.permissions import Access, Act
from annotation.selectors.quality.checks.criterion_names import criterion_names
from annotation.selectors.quality.checks.results import (
    check_results,
    failed_check_keys,
    raters_by_failed_checks,
    results_by_check,
)
from annotation.services.quality.check_changes import change_check
from annotation.services.quality.check_places import set_items_between
from annotation.services.quality.checks import create_check, create_check_form, delete_check
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

# More checks than these have no columns of their own in the table of raters.
MOST_COLUMNS = 6
ASKED = {CheckKind.COMPREHENSION, CheckKind.KNOWLEDGE}


@study_page(get=Act.EDIT, post=Act.EDIT)
def checks(request: HttpRequest, access: Access) -> HttpResponse:
    return _checks_page(request, access, None)


@study_page(get=Act.EDIT, post=Act.EDIT)
def edit(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    """The same page with the fields of one check, to be changed."""
    checks = Check.objects.select_related("item", "original", "form")
    found = get_object_or_404(checks, study=access.study, key=key)
    if has_more_settings(found, _version(access.study, found)):
        words = _(
            "“%(key)s” has settings that this page cannot show. Change it in the study definition, "
            "or delete it and add a new check."
        )
        messages.error(request, words % {"key": key})
        return redirect("study-checks", slug=access.slug)
    return _checks_page(request, access, found)


def _checks_page(request: HttpRequest, access: Access, check: Check | None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = CheckForm(access.study, _version(access.study, check), sent, check=check)
    refusal = ""
    if form.is_bound and form.is_valid():
        try:
            _save(access, form, check)
        except GroundworkError as refused:
            refusal = refused.message
        else:
            messages.success(request, _("Check saved."))
            return redirect("study-checks", slug=access.slug)
    context = {
        **page(access, "checks"),
        **_results(request, access.study),
        "form": form,
        "criterion_names": criterion_names(access.study),
        "edited": check,
        "refusal": refusal,
        "is_draft": access.study.state == StudyState.DRAFT,
    }
    status = 422 if refusal or form.errors else 200
    return render(request, "annotation/quality/checks.html", context, status=status)


def _results(request: HttpRequest, study: Study) -> dict[str, Any]:
    """The checks of one page with their results, and the raters of one page with the checks they failed."""
    checks = shown_page(request, study.checks.select_related("item", "original", "form"))
    if study.state == StudyState.DRAFT:
        return {"checks": checks, "rows": [(one, None) for one in checks]}
    results = check_results(study)
    raters = shown_page(request, raters_by_failed_checks(study), "raters")
    shown: dict[str, Any] = {
        "checks": checks,
        "rows": [(one, results.by_check.get(one.pk)) for one in checks],
        "results": results,
        "raters": raters,
    }
    if checks.paginator.count > MOST_COLUMNS:
        failed = failed_check_keys(list(raters))
        return {**shown, "rater_rows": [(rater, failed.get(rater.pk, [])) for rater in raters]}
    cells = results_by_check(list(raters), list(checks))
    rows = [(rater, list(zip(checks, cells[rater.pk], strict=True))) for rater in raters]
    return {**shown, "columns": checks, "rater_rows": rows}


def _version(study: Study, check: Check | None = None) -> FormVersion | None:
    """The version of a check’s own form if raters use that form for items, otherwise of the first form."""
    if check is not None and not check.form.planted:
        return check.form.versions.latest("number", "correction")
    return FormVersion.objects.filter(form__in=study.forms.all()).order_by("form", "-number").first()


@study_page(post=Act.EDIT)
def delete(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    found = get_object_or_404(Check, study=access.study, key=key)
    with refusal_shown(request):
        delete_check(check=found, actor=access.user)
        messages.success(request, _("Check “%(key)s” deleted.") % {"key": key})
    return redirect("study-checks", slug=access.slug)


def _save(access: Access, form: CheckForm, check: Check | None) -> None:
    given, kind = form.cleaned_data, CheckKind(form.cleaned_data["kind"])
    if form.version is None:
        raise InvalidContent(message("The study has no form yet. Add a form first."), code="no_form")
    original = access.study.items.filter(key=given["original"]).first() if given["original"] else None
    if given["original"] and original is None:
        sentence = message("The study has no item “%(key)s”.", key=given["original"])
        raise InvalidContent(sentence, code="no_such_item")
    key = check.key if check else given["key"]
    with transaction.atomic():
        content: dict[str, Any] = {
            "actor": access.user,
            "kind": kind,
            "form": _form(access, form, kind, key),
            "settings": form.settings(),
            "texts": form.texts(),
            "original": original,
        }
        if check is None:
            create_check(study=access.study, key=key, **content)
            if every := given.get("check_every"):
                set_items_between(study=access.study, items=every, actor=access.user)
        else:
            change_check(check=check, **content)


def _form(access: Access, form: CheckForm, kind: CheckKind, key: str) -> Form:
    """The study's own form, or a new one for a question, with its options in random order."""
    if kind not in ASKED or form.version is None:
        return form.version.form  # type: ignore[union-attr]
    options = form.lines() if kind is CheckKind.KNOWLEDGE else []
    random.Random(f"{access.study.seed}/{key}").shuffle(options)
    return create_check_form(study=access.study, question=form.cleaned_data["question"], options=options)
