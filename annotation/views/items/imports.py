"""`/studies/<study>/settings/import/`: import of items and ratings, complete or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import FileProblem, FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.states import IN_BATCHES, TAKING_ANSWERS, StudyState
from annotation.domain.items.drawn_sets import USUAL_FACTOR
from annotation.domain.questions.kinds.kind import Yields
from annotation.forms.items import ImportForm
from annotation.forms.new_study import TABLE_FILES
from annotation.models import RaterKind, Study, Upload
from annotation.permissions import Access, Act
from annotation.selectors.items.of_study import slots_per_item, waiting_item_files
from annotation.selectors.items.probing_table import probing_criterion
from annotation.selectors.questions.errors.tables import yields_in_texts
from annotation.selectors.questions.shown_options import compares_pairs, texts_in_order
from annotation.services.base.uploads.receiving import outcome_of
from annotation.services.items.removal import remove_items
from annotation.services.items.tuple_files import EARLIER
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, study_page
from annotation.views.base.uploads import (
    items_added,
    receive_on_page,
    report_encoding,
    sent_upload,
    still_reading,
)

ACTS = ("items", "columns", "ratings", "tuples", "errors", "probing", "pairs", "sets")
MOST_SHOWN = 20


@study_page(get=Act.EDIT, post=Act.EDIT, files=True)
def import_file(request: HttpRequest, access: Access) -> HttpResponse:
    form, refusal, status = ImportForm(), None, 200
    upload = sent_upload(request, *ACTS)
    if request.method == "POST":
        form, status = ImportForm(request.POST, request.FILES), 422
    if upload is not None or (form.is_bound and form.is_valid()):
        try:
            upload = upload or _receive(request, form, access)
            return still_reading(request, upload) or _stored(request, upload, access)
        except GroundworkError as found:
            refusal, status = found, 422 if isinstance(found, InvalidContent) else 409
    marked = yields_in_texts(access.study)
    context = {
        **page(access, "items"),
        "form": form,
        "refusal": refusal,
        "problems": refusal.problems if isinstance(refusal, FileRefused) else [],
        "waiting_files": waiting_item_files(access.study),
        "endings": TABLE_FILES,
        "has_tuples": Yields.SPANS in marked,
        "has_errors": Yields.ERRORS in marked,
        "probing": probing_criterion(access.study) is not None,
        "pairs": compares_pairs(access.study),
        "set_size": texts_in_order(access.study),
        "usual_factor": USUAL_FACTOR,
        **_takes(access),
    }
    return render(request, "annotation/items/import.html", context, status=status)


@study_page(post=Act.EDIT)
def remove_all(request: HttpRequest, access: Access) -> HttpResponse:
    """Remove all items of a draft."""
    with refusal_shown(request):
        count = remove_items(study=access.study, actor=access.user)
        sentence = ngettext("%(n)s item removed.", "%(n)s items removed.", count)
        messages.success(request, sentence % {"n": f"{count:,}"})
    return redirect("study-items", slug=access.slug)


def _receive(request: HttpRequest, form: ImportForm, access: Access) -> Upload:
    given = form.cleaned_data
    if given["what"] in {ImportForm.ITEMS, ImportForm.COLUMNS}:
        access.require_for_items()
    options: dict[str, dict[str, Any]] = {
        ImportForm.ITEMS: {"choose_columns": True},
        ImportForm.RATINGS: {"scale": form.scale()},
        ImportForm.TUPLES: {"rater": given["rater"] or EARLIER},
        ImportForm.PAIRS: {key: given[key] for key in ("text", "by", "lowest_first")},
        ImportForm.SETS: {
            "text": given["text"],
            "factor": given["factor"] or float(USUAL_FACTOR),
            "within_groups": given["within_groups"],
        },
    }
    return receive_on_page(
        request,
        act=given["what"],
        file=given["file"],
        study=access.study,
        options=options.get(given["what"], {}),
    )


def _stored(request: HttpRequest, upload: Upload, access: Access) -> HttpResponse:
    """Report what was stored, on the page that shows it."""
    outcome = outcome_of(upload)
    if "file" in outcome:
        if outcome["semicolons"]:
            messages.info(request, _("The file was read with semicolons between its columns."))
        report_encoding(request, outcome["encoding"])
        return redirect("study-import-file", slug=access.slug, pk=outcome["file"])
    messages.success(request, _stored_words(upload, outcome, access.study))
    _report_refused(request, [FileProblem.from_stored(one) for one in outcome.get("refused", ())])
    return redirect("study-items", slug=access.slug)


def _stored_words(upload: Upload, outcome: Mapping[str, Any], study: Study) -> str:
    if upload.act == ImportForm.TUPLES:
        return _located(upload, outcome)
    count = outcome["questions"] if upload.act == ImportForm.PROBING else outcome["stored"]
    sentences = {
        ImportForm.PROBING: ngettext(
            "%(n)s question added from %(file)s.", "%(n)s questions added from %(file)s.", count
        ),
        ImportForm.PAIRS: ngettext(
            "%(n)s pair added from %(file)s.", "%(n)s pairs added from %(file)s.", count
        ),
        ImportForm.SETS: ngettext("%(n)s set added from %(file)s.", "%(n)s sets added from %(file)s.", count),
        **dict.fromkeys(
            (ImportForm.RATINGS, ImportForm.ERRORS),
            ngettext("%(n)s rating added from %(file)s.", "%(n)s ratings added from %(file)s.", count),
        ),
    }
    if upload.act not in sentences:
        return items_added(count, upload.name, study)
    return sentences[upload.act] % {"n": f"{count:,}", "file": upload.name}


def _located(upload: Upload, outcome: Mapping[str, Any]) -> str:
    sentence = _(
        "%(items)s sentences with %(tuples)s tuples added from %(file)s. Tuples with tenor and vehicle "
        "located: "
        "%(wholly)d completely, %(partly)d partly, %(not)d not at all. “Export” has the list."
    )
    counts = {key: f"{outcome[key]:,}" for key in ("items", "tuples")}
    return sentence % {**counts, "file": upload.name, **outcome["located"]}


def _report_refused(request: HttpRequest, refused: Sequence[FileProblem]) -> None:
    """Report answers that match no option, each with its row."""
    count = len(refused)
    if count:
        message = ngettext("%(n)d answer rejected.", "%(n)d answers rejected.", count) % {"n": count}
        rows = "; ".join(str(translated(problem.sentence)) for problem in refused[:MOST_SHOWN])
        messages.warning(request, f"{message} {rows}")


def _takes(access: Access) -> dict[str, Any]:
    """Why no items or no ratings can be imported now, empty if they can; and what new items would bring."""
    study = access.study
    rated = study.raters.exclude(kind=RaterKind.TRIAL).exists()
    draft = study.state == StudyState.DRAFT
    running = study.state in TAKING_ANSWERS and not study.source
    no_items = "" if draft else _("You can only add items while the study is a draft, open or paused.")
    if running:
        no_items = "" if access.may_manage else _("Only an admin or owner can add items to an open study.")
    return {
        "no_items": no_items,
        "slots_per_item": slots_per_item(study) if running else 0,
        "in_batches": running and study.design in IN_BATCHES,
        "no_drafts": "" if draft else _("You can only add items while the study is a draft."),
        "no_ratings": _("You can only import ratings into a study without raters.") if rated else "",
    }
