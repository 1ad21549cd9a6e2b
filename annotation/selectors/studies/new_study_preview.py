"""The rating page of a study whose items are not stored yet: with its first item, or with an example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.domain.base.errors import InvalidContent
from annotation.io.items.first_item import first_item
from annotation.models import Item, Study
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import split_by_criterion
from annotation.protocols.template import FormTemplate
from annotation.protocols.translations.tables import ENGLISH, protocol_texts
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.definition import template_of
from annotation.selectors.studies.form_preview import first_or_placeholder_item, shown_page

# Name and content of a small file of text.
Sample = tuple[str, str]


def preview_of_protocol(
    protocol: str, *, separate_criteria: bool, sample: Sample | None, language: str
) -> dict[str, Any]:
    """Describe the rating page of a protocol's first form.

    Parameters
    ----------
    protocol : str
        A key of `TEMPLATES`.
    separate_criteria : bool
        Whether each criterion has a page of its own.
    sample : tuple of str or None
        Name and content of rows with items; without a readable one, a demo item is the example.
    language : str
        The language of the study.

    Returns
    -------
    dict
        As `shown_page`, with `preview_study`, `form_title`, `n_forms` and `is_example`.
    """
    template = TEMPLATES[protocol]
    demo = template.demo.items[0]
    metadata = {"language": ENGLISH, **demo.metadata}
    example = Item(fields=dict(demo.fields), components=list(demo.components), metadata=metadata)
    texts = protocol_texts(template, own=language, offered=())
    try:
        forms = (split_by_criterion(template) if separate_criteria else template).forms
    except InvalidContent:
        forms = template.forms
    return _page(Study(language=language), [texts.of_form(form) for form in forms], example, sample)


def preview_of_copy(study: Study, *, sample: Sample | None, no_text: str) -> dict[str, Any]:
    """Describe the rating page of the first form of a study to copy; empty if it has no form.

    Parameters
    ----------
    study : Study
        Its first item is the example.
    sample : tuple of str or None
        As for `preview_of_protocol`.
    no_text : str
        Shown if the study has no items and its form lists no texts.
    """
    forms = [template_of(version) for version in form_versions(study=study)]
    if not forms:
        return {}
    return _page(study, forms, first_or_placeholder_item(study, forms[0], no_text), sample)


def preview_of_stored(study: Study, item: Item | None) -> dict[str, Any]:
    """Describe the rating page of the first form of a draft for an item that is not stored.

    Parameters
    ----------
    study : Study
        The draft.
    item : Item or None
        None for a page without anything.

    Returns
    -------
    dict
        As `shown_page`, with `n_forms` and `form_title`; only `n_forms` without a form or an item.
    """
    forms = [template_of(version) for version in form_versions(study=study)]
    if item is None or not forms:
        return {"n_forms": len(forms)}
    return {**shown_page(study, forms[0], item), "n_forms": len(forms), "form_title": forms[0].title}


def _page(
    study: Study, forms: Sequence[FormTemplate], example: Item, sample: Sample | None
) -> dict[str, Any]:
    item = _first_of(study, forms, sample)
    return {
        **shown_page(study, forms[0], item or example),
        "preview_study": study,
        "form_title": forms[0].title,
        "n_forms": len(forms),
        "is_example": item is None,
    }


def _first_of(study: Study, forms: Sequence[FormTemplate], sample: Sample | None) -> Item | None:
    if sample is None:
        return None
    blocks = [block for form in forms for block in form.blocks]
    roles = {block["field"]: block.get("role", "text") for block in reversed(blocks)}
    found = first_item(*sample, roles)
    return None if found is None else Item(study=study, **found)
