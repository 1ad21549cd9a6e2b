"""`/studies/<study>/settings/forms/<form>/stage/`: which items a form receives."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import StudyState
from annotation.forms.stages import StageForm
from annotation.models import Form
from annotation.permissions import Access, Act
from annotation.services.studies.stage_setup import set_feed
from annotation.views.base.page import page, study_page


@study_page(get=Act.EDIT, post=Act.EDIT)
def stage(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    fed = get_object_or_404(Form.objects.select_related("study"), study=access.study, key=key)
    form, refusal = StageForm(fed, request.POST if request.method == "POST" else None), ""
    if form.is_bound and form.is_valid():
        try:
            set_feed(form=fed, feed=form.feed(), actor=access.user)
        except GroundworkError as refused:
            refusal = refused.message
        else:
            messages.success(request, _("Stage saved."))
            return redirect("study-forms", slug=access.slug)
    context = {
        **page(access, "forms"),
        "form": form,
        "fed": fed,
        "refusal": refusal,
        "is_draft": access.study.state == StudyState.DRAFT,
    }
    status = 409 if refusal else 422 if form.errors else 200
    return render(request, "annotation/studies/stage.html", context, status=status)
