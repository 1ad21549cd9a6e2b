"""Addresses of new studies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from rest_framework.exceptions import ValidationError


@contextmanager
def new_address() -> Iterator[None]:
    """Create a study in one transaction; refused where another has its address."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as taken:
        raise ValidationError({"slug": ["This address is taken: choose another."]}) from taken
