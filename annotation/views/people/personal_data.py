"""`/studies/<study>/settings/personal-data/`: the retention periods of a study."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.forms.people import RetentionForm
from annotation.permissions import Access, Act
from annotation.selectors.people.erasures import erasures_of
from annotation.selectors.people.retention import PERIODS
from annotation.services.people.retention import set_retention
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, shown_page, study_page


@study_page(get=Act.VIEW, post=Act.MANAGE)
def personal_data(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    sent = request.method == "POST"
    initial = {name: getattr(study, name) for name in PERIODS}
    form = RetentionForm(request.POST if sent else None, initial=initial)
    if sent and form.is_valid():
        try:
            set_retention(study=study, actor=access.user, periods=form.cleaned_data)
        except (InvalidContent, NotAllowedNow) as refused:
            for name, problem in refused.fields.items():
                form.add_error(name, translated(problem))
        else:
            return redirect("study-personal-data", slug=access.slug)
    context = {
        **page(access, "personal-data"),
        "form": form,
        "erasures": shown_page(request, erasures_of(study)),
        "periods": [form[name] for name in PERIODS],
    }
    status = 422 if form.errors else 200
    return render(request, "annotation/people/personal_data.html", context, status=status)
