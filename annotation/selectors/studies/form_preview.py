"""The preview of the rating page of a form that is not stored."""

from __future__ import annotations

from typing import Any

from annotation.domain.questions.tuple_marking import marking_in
from annotation.models import Assignment, Criterion, Form, FormVersion, Item, Rater, ScalePoint, Study
from annotation.protocols.template import CriterionTemplate, FormTemplate
from annotation.selectors.rating.rating_page import Given, page_blocks, shown_criteria, source_of


def preview_of(study: Study, template: FormTemplate, no_text: str) -> dict[str, Any]:
    """Blocks and criteria of the rating page of the study's first item, for the page's template.

    `no_text` is shown if the study has no items and the form lists no texts.
    """
    version = FormVersion(form=Form(study=study), blocks=list(template.blocks))
    first = Item.objects.filter(study=study).order_by("position").first()
    item = first or _stand_in(study, template, no_text)
    page = Assignment(item=item, version=version, form=version.form, rater=Rater(study=study))
    unsaved = [_criterion(one, number) for number, one in enumerate(template.criteria, start=1)]
    criteria = [{**one, "lang": study.language} for one in shown_criteria(unsaved, page, Given())]
    return {
        "criteria": criteria,
        "blocks": page_blocks(version, item),
        "marking": marking_in(criteria),
        "source": source_of(item),
        "written_in": study.language,
        "can_pass": template.cannot_rate,
    }


def _stand_in(study: Study, template: FormTemplate, no_text: str) -> Item:
    fields = {block["field"]: block.get("label") or block["field"] for block in template.blocks}
    return Item(study=study, fields=fields or {"text": no_text})


def _criterion(template: CriterionTemplate, number: int) -> Criterion:
    """An unsaved criterion with prefetched points; its key is negative, so no row has it."""
    criterion = Criterion(pk=-number, position=number, **template.stored())
    points = [ScalePoint(criterion=criterion, **fields) for fields in template.stored_points()]
    vars(criterion)["_prefetched_objects_cache"] = {"points": points}
    return criterion
