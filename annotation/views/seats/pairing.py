"""`/studies/<study>/settings/forms/<form>/pairs/`: adaptive pairs, their setup and their rounds."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import StudyState
from annotation.forms.pairing import PairingForm
from annotation.models import Form
from annotation.permissions import Access, Act
from annotation.selectors.seats.pairing.progress import pair_progress
from annotation.services.seats.pairing_setup import set_pairing
from annotation.views.base.page import page, study_page


@study_page(get=Act.EDIT, post=Act.EDIT)
def pairs(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    """Show how pairs are chosen and the rounds so far; change it in a draft."""
    chosen = get_object_or_404(Form.objects.select_related("study", "pairing"), study=access.study, key=key)
    version = chosen.versions.prefetch_related("criteria__points").latest("number", "correction")
    version.form = chosen
    form, refusal = PairingForm(version, request.POST if request.method == "POST" else None), ""
    if form.is_bound and form.is_valid():
        try:
            set_pairing(form=chosen, pairing=form.pairing(), actor=access.user)
        except GroundworkError as refused:
            refusal = refused.message
        else:
            messages.success(request, _("Choice of pairs saved."))
            return redirect("study-forms", slug=access.slug)
    context = {
        **page(access, "forms"),
        "form": form,
        "chosen": chosen,
        "refusal": refusal,
        "is_draft": access.study.state == StudyState.DRAFT,
        "progress": next(iter(pair_progress(access.study, chosen.key)), None),
    }
    status = 409 if refusal else 422 if form.errors else 200
    return render(request, "annotation/seats/adaptive_pairs.html", context, status=status)
