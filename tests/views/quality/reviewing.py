"""Raters who follow the items or do not read them, and members who review them."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from tests.support.people import Cast


def rate(rater: Rater, kind: str) -> None:
    for _ in range(12):
        page = next_assignment(rater=rater)
        seconds = 1 if kind == "line" else 20
        Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now() - timedelta(seconds=seconds))
        page.refresh_from_db()
        number = int(page.item.key[1:])
        value = 3 if kind == "line" else 1 + number % 5
        answers = {"quality": str(value), "creativity": str(value)}
        submit(
            assignment=page,
            version=page.version,
            submission=Submission(page_key=uuid.uuid4(), answers=answers),
        )


def raters(cast: Cast) -> list[Rater]:
    return list(cast.study.raters.filter(user=None).order_by("code"))


def client(cast: Cast, who: str) -> Client:
    found = Client()
    found.force_login(cast.users[who])
    return found
