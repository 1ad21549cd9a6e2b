"""The preview of the rating page of a form that is not stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.questions.tuple_marking import marking_in
from annotation.models import Assignment, Criterion, Form, FormVersion, Item, Rater, ScalePoint, Study
from annotation.protocols.template import CriterionTemplate, FormTemplate
from annotation.selectors.rating.rating_page import Given, page_blocks, shown_criteria, source_of

UNANSWERED = Given()
# Translated by the views that show it.
NO_TEXT = message("The text of an item appears here.")


def preview_of(study: Study, template: FormTemplate, no_text: str) -> dict[str, Any]:
    """Blocks and criteria of the rating page of the study's first item, for the page's template.

    `no_text` is shown if the study has no items and the form lists no texts.
    """
    return shown_page(study, template, first_or_placeholder_item(study, template, no_text))


def first_or_placeholder_item(study: Study, template: FormTemplate, no_text: str) -> Item:
    """The first item of a study; without items, one whose texts are their headings, as in `preview_of`."""
    first = Item.objects.filter(study=study).order_by("position").first()
    if first is not None:
        return first
    fields = {block["field"]: block.get("label") or block["field"] for block in template.blocks}
    return Item(study=study, fields=fields or {"text": no_text})


def shown_page(
    study: Study,
    template: FormTemplate,
    item: Item,
    given: Given = UNANSWERED,
    errors: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Blocks and criteria of the page of an item, with answers to show; none of it needs to be stored."""
    version = FormVersion(form=Form(study=study), blocks=list(template.blocks))
    page = Assignment(item=item, version=version, form=version.form, rater=Rater(study=study))
    shown = shown_criteria(unsaved_criteria(template), page, given, errors)
    criteria = [{**one, "lang": study.language} for one in shown]
    return {
        "criteria": criteria,
        "blocks": page_blocks(version, item),
        "marking": marking_in(criteria),
        "source": source_of(item),
        "written_in": study.language,
        "can_pass": template.cannot_rate,
    }


def unsaved_criteria(template: FormTemplate) -> list[Criterion]:
    """The criteria of a form that is not stored, with their points."""
    return [_criterion(one, number) for number, one in enumerate(template.criteria, start=1)]


def _criterion(template: CriterionTemplate, number: int) -> Criterion:
    """An unsaved criterion with prefetched points; its key is negative, so no row has it."""
    criterion = Criterion(pk=-number, position=number, **template.stored())
    points = [ScalePoint(criterion=criterion, **fields) for fields in template.stored_points()]
    vars(criterion)["_prefetched_objects_cache"] = {"points": points}
    return criterion
