"""Versions of the consent form, and the agreements of raters."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.domain.base.limits import LONGEST_LANGUAGE_CODE
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study


class ConsentText(models.Model):
    """One version of a study's consent form, never changed; the highest number is current.

    `translations` has the text in further languages, by language.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="consent_texts")
    number = models.PositiveSmallIntegerField()
    text = models.TextField(blank=True)
    translations = models.JSONField(default=dict, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_number_per_consent_text"),
        ]

    def __str__(self) -> str:
        return f"consent text {self.number}"


class Agreement(models.Model):
    """The consent of a rater to a version of the consent form.

    `interface_language` is that of the page with the text, empty where it is not known.
    """

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="agreements")
    text = models.ForeignKey(ConsentText, on_delete=models.CASCADE, related_name="agreements")
    agreed_at = models.DateTimeField()
    interface_language = models.CharField(max_length=LONGEST_LANGUAGE_CODE, blank=True)

    class Meta:
        ordering = ["rater_id", "text__number"]
        constraints = [
            models.UniqueConstraint(fields=["rater", "text"], name="one_agreement_per_consent_text"),
        ]

    def __str__(self) -> str:
        return f"rater {self.rater_id} agreed at {self.agreed_at:%Y-%m-%d %H:%M}"
