"""`/studies/<study>/settings/import/`: items and ratings from a file, all of it or nothing."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.forms.items import ImportForm
from annotation.forms.new_study import TABLE_FILES
from annotation.io.base.text_tables import has_semicolons
from annotation.io.base.uploads import on_disk
from annotation.models import ImportFile, RaterKind, Study
from annotation.permissions import Access, Act
from annotation.selectors.items.probing_table import probing_criterion
from annotation.selectors.questions.shown_options import compares_pairs
from annotation.selectors.questions.tuple_tables import has_tuples
from annotation.services.items.drawn_pairs import import_drawn_pairs
from annotation.services.items.item_files import store_item_upload
from annotation.services.items.probing_files import LoadedQuestions, import_probing
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.items.tuple_files import EARLIER, LoadedTuples, import_tuples
from annotation.views.base.page import page, study_page

MOST_TOLD = 20


@study_page(get=Act.EDIT, post=Act.EDIT)
def import_file(request: HttpRequest, access: Access) -> HttpResponse:
    form, refusal, status = ImportForm(), None, 200
    if request.method == "POST":
        form, status = ImportForm(request.POST, request.FILES), 422
        if form.is_valid():
            try:
                if form.cleaned_data["what"] == ImportForm.COLUMNS:
                    return redirect("study-import-file", slug=access.slug, pk=_keep(request, form, access).pk)
                messages.success(request, _load(request, form, access))
                return redirect("study-items", slug=access.slug)
            except GroundworkError as found:
                refusal, status = found, 422 if isinstance(found, InvalidContent) else 409
    context = {
        **page(access, "settings"),
        "form": form,
        "refusal": refusal,
        "problems": refusal.problems if isinstance(refusal, FileRefused) else [],
        "endings": TABLE_FILES,
        "has_tuples": has_tuples(access.study),
        "probing": probing_criterion(access.study) is not None,
        "pairs": compares_pairs(access.study),
        **_takes(access.study),
    }
    return render(request, "annotation/items/import.html", context, status=status)


def _keep(request: HttpRequest, form: ImportForm, access: Access) -> ImportFile:
    with on_disk(form.cleaned_data["file"]) as (path, name):
        file = store_item_upload(study=access.study, actor=access.user, path=path, name=name)
        if path.suffix.lower() == ".csv" and has_semicolons(path):
            messages.info(request, _("The columns of this file are separated by semicolons, and read so."))
        return file


def _load(request: HttpRequest, form: ImportForm, access: Access) -> str:
    """Store the file; returns what to tell about it."""
    study, actor, given = access.study, access.user, form.cleaned_data
    with on_disk(given["file"]) as (path, name):
        if given["what"] == ImportForm.TUPLES:
            code = given["rater"] or EARLIER
            return _located(import_tuples(study=study, path=path, name=name, rater=code, actor=actor))
        if given["what"] == ImportForm.ITEMS:
            count = import_items(study=study, path=path, name=name, actor=actor)
            message = ngettext("%(n)d item was added.", "%(n)d items were added.", count)
        elif given["what"] == ImportForm.PROBING:
            loaded = import_probing(study=study, paths=[(path, name)], actor=actor)
            _tell_refused(request, loaded)
            count = loaded.questions
            message = ngettext("%(n)d question was added.", "%(n)d questions were added.", count)
        elif given["what"] == ImportForm.PAIRS:
            count = import_drawn_pairs(
                study=study,
                path=path,
                name=name,
                text=given["text"],
                by=given["by"],
                lowest_first=given["lowest_first"],
                actor=actor,
            )
            message = ngettext("%(n)d pair was added.", "%(n)d pairs were added.", count)
        else:
            count = import_ratings(study=study, path=path, name=name, scale=form.scale(), actor=actor)
            message = ngettext("%(n)d rating was stored.", "%(n)d ratings were stored.", count)
    return message % {"n": count}


def _located(loaded: LoadedTuples) -> str:
    message = _(
        "%(items)d sentences with %(tuples)d tuples; tenor and vehicle located: %(wholly)d wholly, "
        "%(partly)d partly, %(not)d not. The list is among the exports."
    )
    return message % {"items": loaded.items, "tuples": loaded.tuples, **loaded.located}


def _tell_refused(request: HttpRequest, loaded: LoadedQuestions) -> None:
    """The answers that are none of the options, each with its row."""
    count = len(loaded.refused)
    if count:
        message = ngettext("%(n)d answer was refused.", "%(n)d answers were refused.", count) % {"n": count}
        rows = "; ".join(str(problem) for problem in loaded.refused[:MOST_TOLD])
        messages.warning(request, f"{message} {rows}")


def _takes(study: Study) -> dict[str, str]:
    """Why the study takes no items or no ratings now; empty where it does."""
    rated = study.raters.exclude(kind=RaterKind.TRIAL).exists()
    draft = study.state == StudyState.DRAFT
    return {
        "no_items": "" if draft else _("Items are added to a draft only."),
        "no_ratings": _("Ratings are imported into a study without raters only.") if rated else "",
    }
