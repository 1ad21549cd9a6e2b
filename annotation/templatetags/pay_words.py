"""Amounts, times and reasons of the page about pay, in words."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django import template
from django.utils.translation import gettext as _

from annotation.domain.pay.crowd import DECISION_STATES, DECISIONS, REASONS
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PAYMENT_STATES, PaymentKind
from annotation.domain.pay.wages import PayFor
from annotation.models import Payment
from annotation.selectors.pay.costs import pay_for_pages
from annotation.selectors.pay.payments import ListSummary
from annotation.templatetags.rater_words import named

register = template.Library()
register.simple_tag(pay_for_pages)
MINUTE = 60
LONG = 120


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds up to two minutes, then minutes; a dash if nothing is known."""
    if seconds is None:
        return "–"
    if 0 < seconds < 1:
        return _("less than 1 s")
    if seconds < LONG:
        return _("%(n)d s") % {"n": round(seconds)}
    return _("%(n)d min") % {"n": round(seconds / MINUTE)}


@register.filter
def pay_reason(reason: str) -> str:
    """The reason for a missing statistic."""
    reasons = {
        "nobody_yet": _("no finished session yet"),
        "no_time": _("no times stored"),
        "published": _("published ratings: collection has ended"),
        "design_impossible": _("the assignment design is not possible"),
    }
    return reasons.get(reason, reason)


@register.filter
def bonus_reason(reason: str) -> str:
    """The purpose of a line of the bonus list."""
    reasons = {
        "top_up": _("top-up"),
        "bonus": _("bonus"),
        "top_up+bonus": _("top-up and bonus"),
    }
    return reasons.get(reason, reason)


@register.filter
def payment_state(state: str) -> str:
    """The name of a state of a payment."""
    return named(PAYMENT_STATES, state)


@register.filter
def payment_kind(kind: str) -> str:
    """What a payment is for."""
    kinds = {
        PaymentKind.BASE: _("pay"),
        PaymentKind.TOP_UP: _("top-up"),
        PaymentKind.BONUS: _("bonus"),
    }
    return kinds[PaymentKind(kind)]


@register.filter
def payment_unit(paid_for: str) -> str:
    """What is paid for."""
    words = {PayFor.PAGE: _("per page"), PayFor.SITTING: _("per session"), PayFor.RATER: _("per study")}
    return words[PayFor(paid_for)]


@register.filter
def units(payment: Payment | ListSummary) -> str:
    """The amount of a payment or a list, with the digits of its currency."""
    return str(from_minor(payment.amount, payment.currency)) if payment.currency else "–"


@register.filter
def share(amount: Decimal, total: Decimal) -> str:
    """An amount as a percentage of a total, between 0 and 100, for the width of a bar."""
    return f"{min(100, max(0, 100 * amount / total)) if total else 0:.2f}"


@register.filter
def of_rater(noted: Mapping[int, str], rater: int) -> str:
    """`withdrawn`, `excluded` or nothing."""
    return noted.get(rater, "")


@register.filter
def submission_status(status: str) -> str:
    """A status of a submission in words; one that is not documented as it is."""
    words = {
        "ACTIVE": _("taking part"),
        "RESERVED": _("place reserved"),
        "AWAITING REVIEW": _("awaiting review"),
        "APPROVED": _("approved"),
        "PARTIALLY APPROVED": _("partially approved"),
        "REJECTED": _("rejected"),
        "RETURNED": _("returned"),
        "SCREENED OUT": _("screened out"),
        "TIMED-OUT": _("timed out"),
    }
    return words.get(status, status)


@register.filter
def outside_status(status: str) -> str:
    """The status of a study on a platform: those of Mechanical Turk in words, others as they are."""
    words = {
        "Assignable": _("workers can accept it"),
        "Unassignable": _("all assignments are accepted or submitted"),
        "Reviewable": _("ended: its assignments can be reviewed"),
        "Reviewing": _("being reviewed"),
        "Disposed": _("deleted"),
    }
    return words.get(status, status)


@register.filter
def submission_decision(decision: str) -> str:
    """What a member can do with a submission."""
    return named(DECISIONS, decision)


@register.filter
def decision_state(state: str) -> str:
    """How far a decision about a submission has come."""
    return named(DECISION_STATES, state)


@register.filter
def submission_reason(reason: str) -> str:
    """Why the rules propose something, or nothing."""
    return named(REASONS, reason)
