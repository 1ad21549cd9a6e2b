"""The rating page shown beside the fields of a new study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.forms.new_study import LONGEST_PASTED
from annotation.io.base.readers import ending_of
from annotation.io.items.pasted_rows import file_from_pasted
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.studies.form_preview import NO_TEXT
from annotation.selectors.studies.new_study_preview import Sample, preview_of_copy, preview_of_protocol
from annotation.services.studies.new_study import COPY_OF

# Files of text, of which the page sends the first rows.
SAMPLED = (".csv", ".tsv", ".jsonl")


def rating_page(posted: Mapping[str, str], user: User) -> dict[str, Any]:
    """Describe the rating page for the fields of the page; empty if no form is chosen yet.

    Parameters
    ----------
    posted : mapping of str to str
        `protocol`, `apart`, and either `pasted` or the first rows of a file as `sample` with `sample_name`.
    user : User
        Only studies of which they are a member are shown.
    """
    chosen, sample = posted.get("protocol", ""), _sample(posted)
    if chosen in TEMPLATES:
        return preview_of_protocol(chosen, apart=bool(posted.get("apart")), sample=sample)
    slug = chosen.removeprefix(COPY_OF)
    study = Study.objects.filter(memberships__user=user, slug=slug).first() if slug != chosen else None
    return preview_of_copy(study, sample=sample, no_text=_(NO_TEXT)) if study else {}


def _sample(posted: Mapping[str, str]) -> Sample | None:
    pasted, rows, name = (posted.get(field, "") for field in ("pasted", "sample", "sample_name"))
    if pasted.strip():
        return file_from_pasted(pasted) if len(pasted) <= LONGEST_PASTED else None
    is_readable = bool(rows.strip()) and len(rows) <= LONGEST_PASTED and ending_of(name) in SAMPLED
    return (name, rows) if is_readable else None
