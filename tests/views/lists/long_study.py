"""A study in which every list is long: 120 items, raters and whatever else a page lists."""

from __future__ import annotations

import uuid

from django.utils import timezone

from annotation.domain.base.states import JobState, RaterState, Role, StudyState
from annotation.domain.pay.wages import PayFor
from annotation.models import (
    Assignment,
    AuditEntry,
    Bonus,
    CalibrationItem,
    Case,
    Check,
    ConsentText,
    Exclusion,
    ExclusionRule,
    FormVersion,
    Invitation,
    Item,
    Job,
    Membership,
    Pay,
    Payment,
    PaymentEntry,
    PaymentList,
    ProblemReport,
    Qualification,
    QualificationAttempt,
    Rater,
    Study,
    User,
)
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.lifecycle import create_study
from scoring.models import Report, Score, ScoreRun
from tests.support.people import PASSWORD, add_form
from tests.support.studies.disagreement_study import figures_of

ROWS = 120
SLUG = "long"


def long_study() -> User:
    """Create the study `SLUG`; returns its owner."""
    owner = User.objects.create_superuser("owner-long@example.org", PASSWORD)
    study = create_study(slug=SLUG, title="Long", owner=owner, consent="", instructions="")
    version = add_form(study, overlap=3)
    _responses(study, version)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, opened_at=timezone.now())
    figures_of(study)
    _people(study, owner)
    _quality(study, version, owner)
    _computed(study)
    return owner


def _responses(study: Study, version: FormVersion) -> None:
    """Every rater rates the first item, and the first rater every item."""
    quality, now = version.criteria.get(key="quality"), timezone.now()
    items = Item.objects.bulk_create(
        Item(study=study, key=f"I-{n:03d}", group=f"G-{n:03d}", fields={"simile": f"Moon {n}."}, position=n)
        for n in range(ROWS)
    )
    raters = Rater.objects.bulk_create(
        Rater(study=study, code=f"R-{n:03d}", state=RaterState.ACTIVE) for n in range(ROWS)
    )
    pairs = [(items[0], rater) for rater in raters] + [(item, raters[0]) for item in items[1:]]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item, rater=rater, version=version, values={quality: 1 + n % 5}, submitted_at=now
            )
            for n, (item, rater) in enumerate(pairs)
        ]
    )
    rated = Assignment.objects.get(item=items[0], rater=raters[0])
    ProblemReport.objects.bulk_create(
        ProblemReport(assignment=rated, report_key=uuid.uuid4(), reason="comment", text=f"Comment {n:03d}.")
        for n in range(ROWS)
    )
    Case.objects.bulk_create(
        Case(study=study, item=item, form=version.form, position=item.position) for item in items
    )


def _people(study: Study, owner: User) -> None:
    accounts = User.objects.bulk_create(User(email=f"member-{n:03d}@example.org") for n in range(ROWS - 1))
    Membership.objects.bulk_create(
        Membership(study=study, user=user, role=Role.RESEARCHER) for user in accounts
    )
    Invitation.objects.bulk_create(
        Invitation(study=study, label=f"link {n:03d}", token_digest=f"{n:064d}") for n in range(ROWS)
    )
    ConsentText.objects.bulk_create(
        ConsentText(study=study, number=n + 1, text=f"Consent {n:03d}.") for n in range(ROWS)
    )
    AuditEntry.objects.bulk_create(
        AuditEntry(study=study, actor=owner, act="erase_rater", detail={"rater": f"R-{n:03d}"})
        for n in range(ROWS)
    )
    AuditEntry.objects.bulk_create(
        AuditEntry(actor=owner, act="add_account", detail={"account": f"site {n:03d}"}) for n in range(ROWS)
    )
    Pay.objects.create(study=study, currency="EUR", paid_for=PayFor.PAGE, amount="0.1")
    Bonus.objects.bulk_create(Bonus(rater=rater, amount="1.00") for rater in study.raters.all())
    lists = PaymentList.objects.bulk_create(PaymentList(study=study, number=n + 1) for n in range(ROWS))
    owed = {"kind": "bonus", "number": 1, "amount": 100, "currency": "EUR"}
    payments = Payment.objects.bulk_create(
        Payment(study=study, rater=rater, payment_list=lists[0], **owed) for rater in study.raters.all()
    )
    PaymentEntry.objects.bulk_create(PaymentEntry(payment=one, number=1, state="due") for one in payments)
    studies = Study.objects.bulk_create(
        Study(slug=f"other-{n:03d}", title=f"Other {n:03d}", seed=n) for n in range(ROWS - 1)
    )
    Membership.objects.bulk_create(Membership(study=one, user=owner, role=Role.OWNER) for one in studies)


def _quality(study: Study, version: FormVersion, owner: User) -> None:
    raters = list(study.raters.order_by("code"))
    Exclusion.objects.bulk_create(
        Exclusion(study=study, rater=rater, reason=f"reason {n:03d}") for n, rater in enumerate(raters)
    )
    ExclusionRule.objects.bulk_create(
        ExclusionRule(study=study, key=f"rule-{n:03d}", name=f"Rule {n:03d}", reason="Why.", author=owner)
        for n in range(ROWS)
    )
    planted = Item.everything.bulk_create(
        Item(study=study, key=f"P-{n:03d}", fields={"simile": "Sun."}, position=n, planted=True)
        for n in range(2 * ROWS)
    )
    Check.objects.bulk_create(
        Check(
            study=study,
            key=f"check-{n:03d}",
            kind="instructed",
            form=version.form,
            item=item,
            settings={"told": {}},
        )
        for n, item in enumerate(planted[:ROWS])
    )
    qualification = Qualification.objects.create(study=study, rule="hand")
    CalibrationItem.objects.bulk_create(
        CalibrationItem(qualification=qualification, item=item, form=version.form) for item in planted[ROWS:]
    )
    QualificationAttempt.objects.bulk_create(
        QualificationAttempt(rater=raters[0], number=n + 1, finished_at=timezone.now()) for n in range(ROWS)
    )


def _computed(study: Study) -> None:
    missing = range(ROWS - study.jobs.count())
    Job.objects.bulk_create(
        Job(study=study, kind="reliability", state=JobState.DONE, params={"n": n}) for n in missing
    )
    runs = ScoreRun.objects.bulk_create(
        ScoreRun(study=study, name=f"run {n:03d}", key=f"key {n:03d}") for n in range(ROWS)
    )
    items = list(study.items.all())
    named = [(item, f"metric {n:03d}") for n, item in enumerate(items)]
    Score.objects.bulk_create(
        Score(run=runs[-1], item=item, metric=metric, value=1.0)
        for item, metric in [*named, *((item, "metric 000") for item in items[1:])]
    )
    held_out = {"criterion": "quality", "coefficient": "held_out_pearson", "estimate": 0.5, "n_items": 9}
    figures = [
        {**held_out, "variant": f"rater:R-{n:03d}", "reason": "", "interval_method": "", "low": None}
        for n in range(ROWS)
    ]
    Report.objects.create(
        study=study,
        job=study.jobs.latest("pk"),
        kind="reliability",
        fingerprint="0",
        software="groundwork 0",
        figures=figures,
    )
