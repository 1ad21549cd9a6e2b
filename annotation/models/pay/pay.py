"""Pay settings of studies, and bonuses."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.domain.base.states import choices, values
from annotation.domain.pay.wages import PayFor
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study


class Pay(models.Model):
    """The pay of a study: an amount per page, session or rater, and a minimum hourly rate (`floor`).

    `page_seconds` is the expected time per page. With `shown`, raters see amount and time before they
    start. The `budget` is in the same currency.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="pay")
    currency = models.CharField(max_length=3)
    paid_for = models.CharField(max_length=8, choices=choices(PayFor), default=PayFor.PAGE.value)
    amount = models.DecimalField(max_digits=10, decimal_places=4)
    floor = models.DecimalField(max_digits=10, decimal_places=2, null=True, blank=True)
    page_seconds = models.FloatField(null=True, blank=True)
    shown = models.BooleanField(default=False)
    budget = models.DecimalField(max_digits=14, decimal_places=2, null=True, blank=True)

    class Meta:
        verbose_name_plural = "pay"
        constraints = [
            models.CheckConstraint(condition=Q(paid_for__in=values(PayFor)), name="paid_for_known"),
            models.CheckConstraint(
                condition=Q(amount__gte=0) & (Q(floor__isnull=True) | Q(floor__gt=0)), name="pay_is_no_debt"
            ),
            models.CheckConstraint(
                condition=Q(budget__isnull=True) | Q(budget__gte=0), name="budget_is_no_debt"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} for each {self.paid_for}"


class Bonus(models.Model):
    """The bonus of a rater."""

    rater = models.OneToOneField(Rater, on_delete=models.CASCADE, related_name="bonus")
    amount = models.DecimalField(max_digits=10, decimal_places=2)
    note = models.CharField(max_length=200, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    granted_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "bonuses"
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="bonus_is_something")]

    def __str__(self) -> str:
        return f"{self.amount} for rater {self.rater_id}"
