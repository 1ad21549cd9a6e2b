"""A person's data: the download of the rater, and the download and erasure by an owner who is asked."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Rater, RaterKind
from annotation.permissions import Access, Act
from annotation.selectors.people.erasures import copies_taken, erasures_of
from annotation.selectors.rating.personal_data import personal_data, shows_review
from annotation.services.base import audit
from annotation.services.rating.erasure import erase_rater
from annotation.views.base.downloads import as_file
from annotation.views.base.page import page, refusal_shown, shown_page, study_page
from annotation.views.rating.rater_session import rater_for


@require_safe
@never_cache
def own_data(request: HttpRequest, slug: str) -> HttpResponse:
    """What the study holds of the rater behind this browser, also after they have withdrawn."""
    rater = rater_for(request, slug)
    if rater.kind == RaterKind.TRIAL:
        raise Http404("A preview has no personal data.")
    return _document(rater, with_review=shows_review(rater))


@study_page(get=Act.OWN)
def rater_data(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """What is held of one person, and the way to hand it over or to erase it."""
    rater = _person(access, code)
    erased = next((one for one in erasures_of(access.study) if one.rater == rater.code), None)
    context = {
        **page(access, "raters"),
        "rater": rater,
        "erased": erased,
        "copies": shown_page(request, copies_taken(access.study, before=erased.at) if erased else ()),
    }
    return render(request, "annotation/people/rater_data.html", context)


@study_page(get=Act.OWN)
def rater_file(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """The data of one person as a file, with what was concluded of their work; written to the audit log."""
    rater = _person(access, code)
    audit.record(study=access.study, actor=access.user, act="export_personal_data", rater=rater.code)
    return _document(rater, with_review=True)


@study_page(post=Act.OWN)
def erase(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Erase a person's data, once the owner has typed the rater's code."""
    rater = _person(access, code)
    if request.POST.get("confirmed", "").strip() != rater.code:
        messages.error(request, _("Nothing was erased. To confirm, type %(code)s.") % {"code": rater.code})
    else:
        with refusal_shown(request):
            erase_rater(rater=rater, actor=access.user)
    return redirect("study-rater-data", slug=access.slug, code=rater.code)


def _person(access: Access, code: str) -> Rater:
    people = Rater.objects.select_related("study", "user").exclude(kind=RaterKind.TRIAL)
    return get_object_or_404(people, study=access.study, code=code)


def _document(rater: Rater, *, with_review: bool) -> JsonResponse:
    response = JsonResponse(
        personal_data(rater, with_review=with_review), json_dumps_params={"ensure_ascii": False, "indent": 2}
    )
    return as_file(response, f"{rater.study.slug}-{slugify(rater.code)}.json")
