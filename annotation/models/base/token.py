"""Tokens for programmes, with what they may do."""

from __future__ import annotations

from django.db import models

from annotation.models.base.accounts import User


class ApiToken(models.Model):
    """A token that may do less than its owner; only its digest is stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=120)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["user_id", "pk"]

    def __str__(self) -> str:
        return self.name
