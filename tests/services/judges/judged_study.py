"""A judge with answers to every item of a study."""

from __future__ import annotations

from annotation.models import Criterion, Study
from scoring.models import Judge, Judgement


def add_judge(study: Study, name: str = "Judge A", *, value: float = 4) -> Judge:
    """A judge that gives every item the same value on every criterion."""
    judge = Judge.objects.create(study=study, name=name, way="file")
    criteria = Criterion.objects.filter(version__form__study=study)
    Judgement.objects.bulk_create(
        Judgement(
            judge=judge,
            item=item,
            criterion=criterion,
            value=value,
            minimum=criterion.minimum,
            maximum=criterion.maximum,
        )
        for item in study.items.all()
        for criterion in criteria
    )
    return judge
