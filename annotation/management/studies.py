"""Shared parts of commands about a study."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from annotation.domain.base.errors import GroundworkError
from annotation.models import Study


def study_named(slug: str) -> Study:
    """The study with this slug; the command ends if there is none."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise CommandError(f"There is no study {slug!r}.", returncode=2)
    return study


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """End the command with the reason if something is refused and nothing was saved."""
    try:
        yield
    except GroundworkError as refusal:
        raise CommandError(f"Nothing was saved.\n{refusal.message}", returncode=2) from refusal
