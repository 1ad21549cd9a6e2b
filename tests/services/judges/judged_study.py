"""A judge with answers to every item of a study."""

from __future__ import annotations

from dataclasses import asdict

from annotation.models import Criterion, Study
from scoring.judging.prompt import template_name
from scoring.models import Judge, Judgement
from scoring.services.judges.running.settings import ChatSettings


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


def chat_judge(study: Study, name: str = "Judge A") -> Judge:
    """A judge at a chat endpoint that this installation does not have; it was asked nothing."""
    criteria = Criterion.objects.filter(version__form__study=study, kind="likert")
    asked = ChatSettings("judge-1", "https://models.example.org/v1")
    settings = {"chat": asdict(asked), "criteria": [one.pk for one in criteria], "template": template_name()}
    return Judge.objects.create(study=study, name=name, way="chat", settings=settings)
