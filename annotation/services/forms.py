"""Forms: making one from a template."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Criterion, Form, FormVersion, ScalePoint, Study
from annotation.protocols.template import CriterionTemplate, FormTemplate

KEYS = "123456789"


def create_form(*, study: Study, template: FormTemplate, overlap: int = 3) -> Form:
    """Make a form with its first version, criteria and rubric.

    Parameters
    ----------
    study : Study
        A draft.
    template : FormTemplate
        What is asked and shown.
    overlap : int
        How many raters each item needs.
    """
    with transaction.atomic():
        form = Form.objects.create(
            study=study,
            key=template.key,
            title=template.title,
            overlap=overlap,
            position=study.forms.count(),
        )
        version = FormVersion.objects.create(
            form=form, number=1, question=template.question, blocks=list(template.blocks)
        )
        for position, criterion in enumerate(template.criteria):
            _create_criterion(version, criterion, position)
    return form


def _create_criterion(version: FormVersion, template: CriterionTemplate, position: int) -> None:
    minimum, maximum = template.ends
    criterion = Criterion.objects.create(
        version=version,
        key=template.key,
        name=template.name,
        question=template.question,
        kind=template.kind.value,
        minimum=minimum,
        maximum=maximum,
        position=position,
    )
    ScalePoint.objects.bulk_create(
        ScalePoint(
            criterion=criterion,
            value=point.value,
            label=point.label,
            description=point.description,
            keyboard=KEYS[place] if place < len(KEYS) else "",
            position=place,
        )
        for place, point in enumerate(template.points)
    )
