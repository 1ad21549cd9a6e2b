"""API tokens with their permissions."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

from annotation.models.base.accounts import User

# How long before its end the owner of a token is warned.
WARNED_FOR = timedelta(days=14)


class ApiToken(models.Model):
    """A token for a program, of which only the digest is stored.

    It may do what its `scopes` say, or, where it came of signing in by the API (`signs_in`), whatever its
    owner may. `prefix` is how the token begins, so that its owner can tell one from another.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=120)
    digest = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12, blank=True)
    scopes = models.JSONField(default=list)
    signs_in = models.BooleanField(default=False)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["user_id", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def ends_soon(self) -> bool:
        return not self.is_expired and self.expires_at <= timezone.now() + WARNED_FOR
