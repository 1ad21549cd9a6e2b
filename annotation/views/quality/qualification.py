"""`/studies/<study>/qualification/`: setting up what raters pass before the main work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form as AnyForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.domain.base.errors import FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.forms.qualification import CalibrationFileForm, CalibrationForm, PageForm, RuleForm
from annotation.models import BackgroundPage, CalibrationItem, Qualification, Upload
from annotation.permissions import Access, Act
from annotation.selectors.quality.qualification import (
    asked_criteria,
    attempts_without_repeats,
    references_in_words,
)
from annotation.services.base.uploads.receiving import outcome_of
from annotation.services.quality.approval import waiting_attempts
from annotation.services.quality.qualification_setup import (
    add_calibration_item,
    delete_calibration_item,
    delete_page,
    item_to_pick,
    remove_qualification,
    set_qualification,
    write_page,
)
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, shown_page, study_page
from annotation.views.base.uploads import receive_on_page, sent_upload, still_reading

# The message after each act of the page.
DONE = {
    "rule": gettext_lazy("Qualification rule saved."),
    "page": gettext_lazy("Background page added."),
    "item": gettext_lazy("Calibration item added."),
    "file": gettext_lazy("Calibration items imported."),
    "off": gettext_lazy("Qualification removed."),
}
Saving = Callable[[HttpRequest, Access, Qualification, Any], None]


@study_page(get=Act.EDIT, post=Act.EDIT, files=True)
def qualification(request: HttpRequest, access: Access) -> HttpResponse:
    stored = Qualification.objects.filter(study=access.study).first()
    upload = sent_upload(request, "calibration")
    act = request.POST.get("act", "rule") if request.method == "POST" else ""
    forms, refusal = _forms(request, access, stored, act), None
    if upload is not None or (act == "file" and stored is not None and forms["file"].is_valid()):
        act = "file"
        waiting, refusal = _take_file(request, access, upload, forms["file"])
        if waiting is not None:
            return waiting
    elif act == "off" and stored is not None:
        refusal = _refusal(lambda: remove_qualification(qualification=stored, actor=access.user))
    elif act:
        refusal = _save(request, access, stored, act, forms.get(act))
    wrong = act in forms and bool(forms[act].errors)
    if act and refusal is None and not wrong:
        messages.success(request, DONE[act])
        return redirect("study-qualification", slug=access.slug)
    context = {**_context(request, access, stored), "forms": forms, "act": act, "refusal": refusal}
    context["problems"] = refusal.problems if isinstance(refusal, FileRefused) else []
    refused_now = refusal is not None and not isinstance(refusal, InvalidContent)
    status = 409 if refused_now else 422 if refusal or wrong else 200
    return render(request, "annotation/quality/qualification.html", context, status=status)


@study_page(get=Act.EDIT, post=Act.EDIT)
def background_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = get_object_or_404(
        BackgroundPage.objects.select_related("qualification__study"),
        pk=pk,
        qualification__study=access.study,
    )
    initial = {"title": found.title, "text": found.text}
    form, refusal = PageForm(request.POST if request.method == "POST" else None, initial=initial), None
    if request.POST.get("act") == "remove":
        refusal = _refusal(lambda: delete_page(page=found, actor=access.user))
    elif form.is_bound and form.is_valid():
        refusal = _refusal(
            lambda: write_page(
                qualification=found.qualification, actor=access.user, page=found, **form.cleaned_data
            )
        )
    if request.method == "POST" and refusal is None and not (form.errors and "act" not in request.POST):
        removed = request.POST.get("act") == "remove"
        words = _("Background page deleted.") if removed else _("Background page saved.")
        messages.success(request, words)
        return redirect("study-qualification", slug=access.slug)
    draft = access.study.state == StudyState.DRAFT
    context = {**page(access, "qualification"), "form": form, "refusal": refusal, "is_draft": draft}
    status = 409 if refusal else 422 if request.method == "POST" else 200
    return render(request, "annotation/quality/background_page.html", context, status=status)


@study_page(post=Act.EDIT)
def calibration_item(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Remove a calibration item from a draft."""
    found = get_object_or_404(
        CalibrationItem.objects.select_related("item", "qualification__study"),
        pk=pk,
        qualification__study=access.study,
    )
    refusal = _refusal(lambda: delete_calibration_item(calibration=found, actor=access.user))
    if refusal is None:
        messages.success(request, _("Calibration item removed."))
    else:
        messages.error(request, translated(refusal.message))
    return redirect("study-qualification", slug=access.slug)


def _forms(
    request: HttpRequest, access: Access, stored: Qualification | None, act: str
) -> dict[str, AnyForm]:
    """Every form of the page; the one that was sent holds what was sent."""
    sent = {act: request.POST}
    files = request.FILES if act == "file" else None
    return {
        "rule": RuleForm(stored, sent.get("rule")),
        "page": PageForm(sent.get("page")),
        "item": CalibrationForm(access.study, sent.get("item")),
        "file": CalibrationFileForm(access.study, sent.get("file"), files),
    }


def _save(
    request: HttpRequest, access: Access, stored: Qualification | None, act: str, form: Any
) -> GroundworkError | None:
    if form is None or (stored is None and act != "rule"):
        raise Http404("There is no such act.")
    if not form.is_valid():
        return None
    if stored is None or act == "rule":
        return _refusal(lambda: set_qualification(study=access.study, actor=access.user, **form.settings()))
    return _refusal(lambda: SAVING[act](request, access, stored, form))


def _refusal(act: Callable[[], object]) -> GroundworkError | None:
    """The error that refused an act, or None if it was carried out."""
    try:
        act()
    except GroundworkError as refused:
        return refused
    return None


def _save_page(_: HttpRequest, access: Access, stored: Qualification, form: PageForm) -> None:
    write_page(qualification=stored, actor=access.user, **form.cleaned_data)


def _save_item(_: HttpRequest, access: Access, stored: Qualification, form: CalibrationForm) -> None:
    given = form.cleaned_data
    add_calibration_item(
        qualification=stored,
        actor=access.user,
        form=given["form"],
        texts=form.texts(),
        picked=item_to_pick(stored, given["picked"]) if given["picked"] else None,
        reference=form.reference(),
        reason=given["reason"],
    )


def _receive(request: HttpRequest, access: Access, form: Any) -> Upload:
    given = form.cleaned_data
    options = {"form": given["form"].pk}
    return receive_on_page(
        request, act="calibration", file=given["file"], study=access.study, options=options
    )


def _take_file(
    request: HttpRequest, access: Access, upload: Upload | None, form: Any
) -> tuple[HttpResponse | None, GroundworkError | None]:
    """The page that waits for a file, and the error that refused it; both None if it was stored."""
    try:
        upload = upload or _receive(request, access, form)
        waiting = still_reading(request, upload)
        if waiting is None:
            _report_stored(request, upload)
    except GroundworkError as refused:
        return None, refused
    return waiting, None


def _report_stored(request: HttpRequest, upload: Upload) -> None:
    count = outcome_of(upload)["stored"]
    sentence = ngettext(
        "%(n)s calibration item imported from %(file)s.",
        "%(n)s calibration items imported from %(file)s.",
        count,
    )
    messages.success(request, sentence % {"n": f"{count:,}", "file": upload.name})


SAVING: dict[str, Saving] = {"page": _save_page, "item": _save_item}


def _context(request: HttpRequest, access: Access, stored: Qualification | None) -> dict[str, Any]:
    items = shown_page(request, stored.items.select_related("item", "form") if stored else [], "items")
    asked = asked_criteria(access.study.pk)
    return {
        **page(access, "qualification"),
        "qualification": stored,
        "pages": list(stored.pages.all()) if stored else [],
        "items": items,
        "rows": [(one, references_in_words(one, asked)) for one in items],
        "n_waiting": waiting_attempts(access.study).count(),
        "is_draft": access.study.state == StudyState.DRAFT,
        "repeats_after": _repeats_after(stored),
    }


def _repeats_after(stored: Qualification | None) -> int:
    """The number of attempts after which calibration items repeat; 0 if they never do."""
    different = 0 if stored is None else attempts_without_repeats(stored)
    allowed = None if stored is None else stored.attempts
    return different if allowed is None or allowed > different else 0
