"""`/studies/<study>/settings/consent/`: the versions of the consent form, and publishing a new one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import TAKING_ANSWERS
from annotation.forms.people import ConsentTextForm
from annotation.permissions import Access, Act
from annotation.selectors.people.consent import versions_of
from annotation.services.people.consent import change_text
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, shown_page, study_page


@study_page(get=Act.VIEW, post=Act.MANAGE)
def consent(request: HttpRequest, access: Access) -> HttpResponse:
    sent = request.method == "POST"
    study = access.study
    form = ConsentTextForm(study, request.POST if sent else None)
    status = 200
    if sent and form.is_valid():
        try:
            version = change_text(
                study=study,
                actor=access.user,
                text=form.cleaned_data["text"],
                translations=form.translations(),
            )
        except GroundworkError as refused:
            form.add_error("text", translated(refused.message))
            status = 409
        else:
            messages.success(
                request, _("Version %(number)s of the consent form published.") % {"number": version.number}
            )
            return redirect("study-consent", slug=access.slug)
    context = {
        **page(access, "consent"),
        "versions": shown_page(request, versions_of(study)),
        "form": form,
        "may_change": access.may_manage and study.state in TAKING_ANSWERS,
    }
    return render(
        request,
        "annotation/people/consent.html",
        context,
        status=422 if form.errors and status == 200 else status,
    )
