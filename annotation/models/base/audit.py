"""The audit log, whose entries are written once and never changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from annotation.domain.base.addresses import names_address, other_addresses
from annotation.models.base.study import Study

# The details of entries that hold the address of an account.
NAMING_AN_ACCOUNT = ("account", "member", "contact", "adjudicator")

# Details of entries with the code of a rater: free text of members, and flags.
ABOUT_A_RATER = ("reason", "note", "flags", "figures")


class WrittenOnceError(TypeError):
    """An attempt to change or delete an entry of the audit log."""

    def __init__(self) -> None:
        super().__init__("Entries of the audit log cannot be changed. Add another entry.")


class WrittenOnce(models.QuerySet["AuditEntry"]):
    """Entries that are only added and read. They are deleted only with a deleted draft.

    Personal data in them are deleted with the account or the rater.
    """

    def update(self, **_: Any) -> NoReturn:
        raise WrittenOnceError

    def delete(self) -> NoReturn:
        raise WrittenOnceError

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        raise WrittenOnceError

    def pseudonymise(self, address: str, instead: str) -> None:
        """Replace the address of a deleted account in all entries; other addresses remain."""
        for name in NAMING_AN_ACCOUNT:
            for entry in self.filter(**{f"detail__{name}__icontains": address}):
                named = str(entry.detail[name])
                if names_address(named, address):
                    rest = ", ".join([*other_addresses(named, address), instead])
                    self._correct(entry, {name: rest})

    def erase_words(self, study: Study, rater: str, responses: Collection[int]) -> None:
        """Delete the notes of members about a rater whose data are deleted: reasons, and notes of bonuses."""
        about = [*self.filter(study=study, detail__rater=rater)]
        lifts = self.filter(study=study, act="lift_exclusion")
        about += [one for one in lifts if one.detail.get("response") in responses]
        for entry in about:
            self._correct(entry, {name: "" for name in ABOUT_A_RATER if entry.detail.get(name)})

    def _correct(self, entry: AuditEntry, instead: dict[str, str]) -> None:
        if instead:
            super(WrittenOnce, self.filter(pk=entry.pk)).update(detail={**entry.detail, **instead})


class AuditEntry(models.Model):
    """An act in a study, or on the whole installation if `study` is null."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, null=True, blank=True, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    act = models.CharField(max_length=60)
    detail = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = models.Manager.from_queryset(WrittenOnce)()

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["study", "created_at"], name="audit_time")]

    def __str__(self) -> str:
        return f"{self.act} at {self.created_at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only what is new."""
        if not self._state.adding:
            raise WrittenOnceError
        super().save(*args, **kwargs)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        raise WrittenOnceError
