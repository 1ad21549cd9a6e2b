"""`/studies/<study>/settings/questions/`: the demographic questions of a study."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import StudyState
from annotation.forms.people import QuestionForm
from annotation.permissions import Access, Act
from annotation.selectors.people.demographics import questions_of
from annotation.services.people.demographics import set_questions
from annotation.views.base.page import page, refusal_shown, study_page


@study_page(get=Act.EDIT, post=Act.EDIT)
def questions(request: HttpRequest, access: Access) -> HttpResponse:
    asked = questions_of(access.study)
    form, refusal = QuestionForm(request.POST if request.method == "POST" else None), ""
    if form.is_bound and form.is_valid():
        try:
            set_questions(study=access.study, actor=access.user, questions=[*asked, form.asked()])
        except GroundworkError as refused:
            refusal = refused.message
        else:
            messages.success(request, _("Question added."))
            return redirect("study-questions", slug=access.slug)
    context = {
        **page(access, "questions"),
        "questions": asked,
        "form": form,
        "refusal": refusal,
        "is_draft": access.study.state == StudyState.DRAFT,
    }
    status = 422 if refusal or form.errors else 200
    return render(request, "annotation/people/questions.html", context, status=status)


@study_page(post=Act.EDIT)
def delete(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    asked = questions_of(access.study)
    rest = [one for one in asked if one.key != key]
    if len(rest) == len(asked):
        raise Http404("There is no such question.")
    with refusal_shown(request):
        set_questions(study=access.study, actor=access.user, questions=rest)
        messages.success(request, _("Question removed."))
    return redirect("study-questions", slug=access.slug)
