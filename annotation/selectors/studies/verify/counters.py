"""Checks of stored counts and states against a recount."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, F, IntegerField, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from annotation.domain.adjudication.differences import CaseState
from annotation.models import (
    Agreement,
    Case,
    Comment,
    ConsentText,
    Dispute,
    FinalAnswer,
    PlatformIdentity,
    Rater,
    Study,
    Verdict,
)
from annotation.selectors.studies.verify.breach import Breach, Rule

CONSENT_NUMBER = Rule(
    "consent_miscounted",
    "Its consent_number differs from that of its newest consent form.",
    "Set consent_number to the highest number of its consent forms.",
)
AGREED_NUMBER = Rule(
    "agreement_miscounted",
    "Its consent_number differs from that of the newest consent form that the rater accepted.",
    "Set consent_number to the highest number of the consent forms that the rater accepted.",
)
CASE_STATE = Rule(
    "case_state_wrong",
    "Its state does not match its final answers and comments.",
    "Open the case and decide it again, or set state: 'decided' with a final answer, else 'discussed' or "
    "'open'.",
)
CASE_PLACE = Rule(
    "case_misplaced", "Its position differs from that of its item.", "Set position to that of its item."
)
OTHER_STUDY = Rule(
    "identity_elsewhere", "Its study differs from that of its rater.", "Set study_id to that of the rater."
)


def find_wrong_counters() -> Iterator[Breach]:
    """Yield rows whose stored number or state differs from a recount."""
    texts = ConsentText.objects.filter(study=OuterRef("pk")).order_by().values("study")
    studies = Study.objects.annotate(newest=_highest(texts, "number"))
    yield from CONSENT_NUMBER.breaches(studies.exclude(consent_number=F("newest")))
    agreed = Agreement.objects.filter(rater=OuterRef("pk")).order_by().values("rater")
    raters = Rater.objects.annotate(newest=_highest(agreed, "text__number"))
    yield from AGREED_NUMBER.breaches(raters.exclude(consent_number=F("newest")))
    yield from OTHER_STUDY.breaches(PlatformIdentity.objects.exclude(study=F("rater__study")))


def find_wrong_cases() -> Iterator[Breach]:
    """Yield adjudication cases with a wrong state or position."""
    decided = Exists(Verdict.objects.filter(case=OuterRef("pk"), current=True))
    commented = Exists(Comment.objects.filter(case=OuterRef("pk")))
    # A criterion disputed after the decision reopens the case.
    answers = FinalAnswer.objects.filter(verdict__case=OuterRef("case"), verdict__current=True)
    answered = answers.filter(criterion__key=OuterRef("criterion"))
    opened_again = Exists(Dispute.objects.filter(~Exists(answered), case=OuterRef("pk")))
    wrong = (
        (Q(state=CaseState.DECIDED) & ~Q(decided))
        | (~Q(state=CaseState.DECIDED) & Q(decided) & ~Q(opened_again))
        | (Q(state=CaseState.OPEN) & Q(commented))
    )
    yield from CASE_STATE.breaches(Case.objects.filter(wrong))
    yield from CASE_PLACE.breaches(Case.objects.exclude(position=F("item__position")))


def _highest(rows: object, name: str) -> Coalesce:
    highest = rows.annotate(highest=Max(name)).values("highest")  # type: ignore[attr-defined]
    return Coalesce(Subquery(highest, output_field=IntegerField()), 0)
