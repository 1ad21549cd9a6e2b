"""The versions of a form as a history: what changed, how many responses saw each, what is pooled."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count

from annotation.domain.questions.wording.changes import changed_instructions, changed_texts, is_wording_only
from annotation.models import Form, FormVersion
from annotation.selectors.quality.study_texts import labelled_texts
from annotation.selectors.questions.counting import submitted
from annotation.selectors.questions.seen_instructions import instructions_under
from annotation.selectors.studies.definition import form_as_document


@dataclass(frozen=True)
class VersionStep:
    """A version of a form, and what it changed.

    Parameters
    ----------
    version
        The version.
    previous
        Number of the version before it; empty for the first one.
    texts
        The texts that differ from that version, as from `labelled_texts`, instructions of the study first.
    is_wording
        Only texts differ from that version.
    is_pooled
        It is analysed together with that version.
    responses
        Responses by raters who saw it, whether statistics use them or not.
    """

    version: FormVersion
    previous: str
    texts: list[dict[str, str]]
    is_wording: bool
    is_pooled: bool
    responses: int


def version_history(form: Form) -> list[VersionStep]:
    """The versions of a form, the newest first.

    Parameters
    ----------
    form : Form
        Of a study.

    Returns
    -------
    list of VersionStep
        In four queries.
    """
    versions = list(
        form.versions.select_related("form__fed_by__source", "form__pairing")
        .prefetch_related("criteria__points")
        .order_by("number", "correction")
    )
    given = submitted(form.study).filter(version__form=form).order_by()
    responses = dict(given.values_list("version").annotate(n=Count("pk")))
    first = versions[0]
    steps = [VersionStep(first, "", [], True, False, responses.get(first.pk, 0))]
    for earlier, version in pairwise(versions):
        before, after = form_as_document(earlier), form_as_document(version)
        old, new = (instructions_under(one, form.study) for one in (earlier, version))
        texts = [
            *changed_instructions(old, new, form.study.language),
            *changed_texts(before, after),
        ]
        steps.append(
            VersionStep(
                version=version,
                previous=earlier.label,
                texts=labelled_texts(texts, after),
                is_wording=is_wording_only(before, after),
                is_pooled=earlier.pool == version.pool,
                responses=responses.get(version.pk, 0),
            )
        )
    return steps[::-1]
