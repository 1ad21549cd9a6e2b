"""What a large study has besides its ratings: slots, checks, exclusions, cases, pay, and a long audit log."""

from __future__ import annotations

import json
import uuid
from decimal import Decimal
from itertools import repeat

from django.db import connection, transaction
from django.utils import timezone

from annotation.domain.adjudication.differences import CaseState, Rule
from annotation.domain.base.states import Purpose, RaterState, SeatState, StudyState
from annotation.domain.pay.wages import PayFor
from annotation.domain.quality.checks import CheckKind
from annotation.models import (
    Assignment,
    AuditEntry,
    Case,
    Check,
    CheckVerdict,
    Criterion,
    Dispute,
    Exclusion,
    FinalAnswer,
    Item,
    Response,
    Seat,
    Study,
    User,
    Verdict,
)
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.pay.pay_settings import set_pay
from annotation.services.pay.payment_lists import make_payment_list
from benchmarks.workbench_study import AN_ITEM, BEGUN, CHUNK_SIZE, CRITERIA

# So many items need one more rating than they have.
ONE_MORE_EVERY = 10
CASE_EVERY, EXCLUDED_ITEM_EVERY, EXCLUDED_RATER_EVERY, FAILED_CHECK_EVERY = 5, 200, 50, 20
AUDIT_ENTRIES = 100_000


def open_study(study: Study) -> None:
    """A rating slot for each assignment, free ones for what else the items need; all raters are at work."""
    given = Assignment.objects.filter(rater__study=study).order_by("item_id", "pk")
    slots: dict[int, int] = {}
    rows: list[tuple[int, int, int, int, str, int | None]] = []
    for form, item, rater in given.values_list("form", "item", "rater").iterator(chunk_size=10_000):
        slots[item] = slots.get(item, 0) + 1
        rows.append((form, item, slots[item], 0, SeatState.FILLED.value, rater))
    form = study.forms.get().pk
    for place, item in enumerate(study.items.order_by("position").values_list("pk", flat=True)):
        needed = AN_ITEM + (place % ONE_MORE_EVERY == 0)
        rows += [
            (form, item, slot, 0, SeatState.FREE.value, None)
            for slot in range(slots.get(item, 0) + 1, needed + 1)
        ]
    with transaction.atomic():
        insert_rows(Seat, ("form_id", "item_id", "slot", "shuffle", "state", "rater_id"), rows)
    study.raters.update(state=RaterState.ACTIVE.value)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN.value, opened_at=timezone.now())
    analyze_tables(len(rows), Seat)


def add_history(study: Study, user: User) -> None:
    """What members did while raters worked."""
    with transaction.atomic():
        _answer_checks(study)
        _exclude(study)
    with transaction.atomic():
        _adjudicate(study, user)
    with transaction.atomic():
        _log(study, user)
    set_pay(
        study=study,
        actor=user,
        currency="EUR",
        paid_for=PayFor.PAGE,
        amount=Decimal("0.05"),
        floor=Decimal("12.00"),
    )
    make_payment_list(study=Study.objects.get(pk=study.pk), actor=user)
    tables = (Assignment, Response, CheckVerdict, Case, Dispute, Verdict, FinalAnswer, AuditEntry, Exclusion)
    analyze_tables(AUDIT_ENTRIES, *tables)


def _answer_checks(study: Study) -> None:
    """A check that every rater has answered, and every twentieth failed."""
    form = study.forms.get()
    version = form.versions.get()
    fields = {"simile": "Choose 4."}
    item = Item.everything.create(study=study, key="check:told", planted=True, fields=fields)
    kind, settings = CheckKind.INSTRUCTED.value, {"told": {CRITERIA[0]: 4}}
    check = Check.objects.create(study=study, key="told", kind=kind, form=form, item=item, settings=settings)
    pages = Assignment.objects.bulk_create(
        Assignment(
            rater=rater,
            item=item,
            form=form,
            version=version,
            purpose=Purpose.CHECK.value,
            check_planted=check,
            position=1,
            submitted_at=BEGUN,
        )
        for rater in study.raters.all()
    )
    Response.objects.bulk_create(
        Response(
            assignment=page, version=version, submission_key=uuid.uuid4(), seconds=9.0, submitted_at=BEGUN
        )
        for page in pages
    )
    CheckVerdict.objects.bulk_create(
        CheckVerdict(assignment=page, passed=bool(n % FAILED_CHECK_EVERY), chance=0.2)
        for n, page in enumerate(pages)
    )


def _exclude(study: Study) -> None:
    raters, items = list(study.raters.order_by("pk")), list(study.items.order_by("pk"))
    chosen = [{"rater": one} for one in raters[::EXCLUDED_RATER_EVERY]]
    chosen += [{"item": one} for one in items[::EXCLUDED_ITEM_EVERY]]  # type: ignore[dict-item]
    Exclusion.objects.bulk_create(Exclusion(study=study, reason="benchmark", **one) for one in chosen)


def _adjudicate(study: Study, user: User) -> None:
    """A case for every fifth item, every second of which is decided."""
    form = study.forms.get()
    version = form.versions.get()
    items = list(study.items.order_by("position"))[::CASE_EVERY]
    cases = Case.objects.bulk_create(
        (
            Case(
                study=study,
                item=item,
                form=form,
                position=item.position,
                state=(CaseState.DECIDED if n % 2 else CaseState.OPEN).value,
            )
            for n, item in enumerate(items)
        ),
        batch_size=CHUNK_SIZE,
    )
    detail = {"least": 3, "found": 4}
    Dispute.objects.bulk_create(
        (
            Dispute(case=one, criterion=CRITERIA[n % 3], rule=Rule.SPREAD.value, detail=detail, found_by=user)
            for n, one in enumerate(cases)
        ),
        batch_size=CHUNK_SIZE,
    )
    verdicts = Verdict.objects.bulk_create(
        (Verdict(case=one, submission_key=uuid.uuid4(), version=version, author=user) for one in cases[1::2]),
        batch_size=CHUNK_SIZE,
    )
    criteria = list(Criterion.objects.filter(version=version))
    FinalAnswer.objects.bulk_create(
        (
            FinalAnswer(verdict=verdict, criterion=one, value=3, minimum=1, maximum=5)
            for verdict in verdicts
            for one in criteria
        ),
        batch_size=CHUNK_SIZE,
    )


def _log(study: Study, user: User) -> None:
    """Entries of the audit log, all of one moment."""
    at = AuditEntry._meta.get_field("created_at").get_db_prep_value(timezone.now(), connection)
    detail = json.dumps({"item": "I000001", "reason": "benchmark"})
    names = ("study_id", "actor_id", "act", "detail", "created_at")
    row = (study.pk, user.pk, "describe_item", detail, at)
    insert_rows(AuditEntry, names, repeat(row, AUDIT_ENTRIES))
