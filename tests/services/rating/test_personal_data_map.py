"""Every column about a rater is in this table: whether the rater's file has it, and what erasing does to it.

The first test fails for a new model or column that points to a rater, directly or through others. The others
compare the table with what happens to a rater who has a row in every table.
"""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.db.models import BooleanField, Field, ForeignKey, Model, Q

from annotation.domain.questions.answers import Submission
from annotation.models import (
    Agreement,
    Assignment,
    Bonus,
    Case,
    Check,
    CheckVerdict,
    CrowdStudy,
    CrowdSubmission,
    DemographicAnswer,
    DemographicQuestion,
    EarnedBefore,
    Exclusion,
    ExclusionLift,
    FinalAnswer,
    Invitation,
    MessageDelivery,
    Payment,
    PaymentEntry,
    PilotMatch,
    PlatformIdentity,
    ProblemReport,
    QualificationAttempt,
    Rater,
    RaterFlag,
    RaterMessage,
    Rating,
    Response,
    Study,
    Suggestion,
    Verdict,
)
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from scoring.models import FigureSet, RaterFigure
from tests.services.rating.personal_data_table import AS_TEXTS, LINES, MAP, NAMED_BY
from tests.support.people import Cast, make_cast


def paths_to_raters() -> dict[type[Model], list[str]]:
    """The models that point to a rater, each with the lookups by which it does."""
    paths: dict[type[Model], list[str]] = {Rater: ["pk"]}
    while True:
        before = sum(map(len, paths.values()))
        for model in apps.get_models():
            for field in model._meta.concrete_fields:
                target = field.related_model
                if model is Rater or not isinstance(field, ForeignKey) or target not in paths:
                    continue
                further = paths[target] if target is not Rater else [""]
                for path in (f"{field.name}__{rest}".rstrip("_") for rest in further):
                    if path not in paths.setdefault(model, []):
                        paths[model].append(path)
        if sum(map(len, paths.values())) == before:
            return paths


def columns() -> dict[str, Field[Any, Any]]:
    return {
        f"{model.__name__}.{field.name}": field
        for model in paths_to_raters()
        for field in model._meta.concrete_fields
    }


@pytest.mark.pure
def test_every_column_of_every_model_that_points_to_a_rater_is_in_the_table() -> None:
    assert len(MAP) == len(LINES)
    assert set(MAP) == set(columns())


@pytest.fixture
def rater(db: None) -> Rater:
    """A rater with something in every table that no other row holds."""
    cast = make_cast(items=3, overlap=2)
    owner = cast.users["owner"]
    personal = invite(study=cast.study, actor=owner, label="Pat of 5f2c", personal=True)
    rater = consent(invitation=personal, user=cast.users["stranger"], join_key=uuid.uuid4())
    for value in ("4", "2"):
        page = next_assignment(rater=rater)
        sent = Submission(
            page_key=uuid.uuid4(), answers={"quality": value, "creativity": "3"}, remark="Mine."
        )
        submit(assignment=page, version=page.version, submission=sent)
    next_assignment(rater=rater)
    _fill_answers(cast, rater)
    _fill_person(cast, rater, personal)
    _fill_review(cast, rater)
    rater.refresh_from_db()
    return rater


def moment(day: int) -> datetime:
    return datetime(2020, 1, day, 7, 8, 9, 123456, tzinfo=UTC)


def _fill_answers(cast: Cast, rater: Rater) -> None:
    given = rater.assignments.order_by("position")
    for day, page in enumerate(given, start=1):
        Assignment.objects.filter(pk=page.pk).update(
            created_at=moment(day), opened_at=moment(day + 3), hurried_after=1.5 + day, hurried_content="ab"
        )
    given.update(held_until=moment(7))
    given.exclude(submitted_at=None).update(submitted_at=moment(8))
    Response.objects.filter(assignment__rater=rater).update(
        cannot_rate="other",
        shown_at=moment(6),
        submitted_at=moment(9),
        seconds=71.25,
        hurried_after=72.25,
        active_seconds=73.25,
        away_seconds=74.25,
        times_away=7501,
        pastes=7601,
        suggestions={"quality": "accepted-7701"},
        interface_language="qq-response",
        text_language="qq-texts",
    )
    first = Response.objects.filter(assignment__rater=rater).order_by("pk").first()
    assert first is not None
    Rating.objects.filter(response=first).update(shown=["7801", "7802"])
    other = consent(invitation=cast.invitation)
    theirs = Assignment.objects.create(
        rater=other, item=first.assignment.item, form=first.assignment.form, version=first.version
    )
    problem = ProblemReport.objects.create(
        assignment=first.assignment, report_key=uuid.uuid4(), reason="other", text="Pat saw 7901 of it."
    )
    ProblemReport.objects.filter(pk=problem.pk).update(reported_at=moment(26), resolved_at=moment(27))
    Suggestion.objects.create(assignment=theirs, response=first, place=1)


def _fill_person(cast: Cast, rater: Rater, personal: Invitation) -> None:
    Invitation.objects.filter(pk=personal.pk).update(created_at=moment(10))
    Rater.objects.filter(pk=rater.pk).update(
        pages_read=81,
        consented_at=moment(11),
        described_at=moment(12),
        finished_at=moment(13),
        last_seen_at=moment(14),
        messages_stopped_at=moment(30),
        created_at=moment(15),
    )
    Agreement.objects.filter(rater=rater).update(agreed_at=moment(16), interface_language="qq-consent")
    question = DemographicQuestion.objects.create(study=cast.study, key="age", text="How old?", kind="number")
    DemographicAnswer.objects.create(rater=rater, question=question, value="8201", answered_at=moment(17))
    PlatformIdentity.objects.create(
        rater=rater,
        study=cast.study,
        invitation=personal,
        platform="prolific",
        person="person-8301",
        task="task-8302",
        session="session-8303",
        submit_to="https://submit-8304.example",
    )
    main = Study.objects.create(slug="main-8315", title="Main", pilot=cast.study)
    PilotMatch.objects.create(rater=rater, main_rater=Rater.objects.create(study=main, code="R-8316"))
    Bonus.objects.create(rater=rater, amount=Decimal("83.05"), note="For Pat of Porto")
    Bonus.objects.filter(rater=rater).update(granted_at=moment(18))
    paid = {"kind": "bonus", "number": 1, "amount": 8306, "currency": "XQX"}
    payment = Payment.objects.create(study=cast.study, rater=rater, **paid)
    PaymentEntry.objects.create(
        payment=payment, number=1, state="confirmed", reference="transfer-8307", note="Pat moved"
    )
    sent = RaterMessage.objects.create(study=cast.study, number=1, kind="thanks", site="-")
    MessageDelivery.objects.create(
        message=sent, rater=rater, state="sent", language="qq-mail", reason="8310", tried_at=moment(29)
    )
    EarnedBefore.objects.create(rater=rater, base=8308, top_up=8309, currency="XQY")
    CrowdStudy.objects.create(
        study=cast.study,
        platform="prolific",
        invitation=personal,
        internal_name="ours",
        places=1,
        reward=1,
        made_at=moment(31),
    )
    CrowdSubmission.objects.create(
        study=cast.study,
        platform="prolific",
        rater=rater,
        number="submission-8310",
        status="STATUS-8311",
        code="code-8312",
        return_requested=True,
        read_at=moment(29),
        decision="return",
        decision_state="in_doubt",
        reason="reason-8313",
        problem="problem-8314",
        decided_at=moment(30),
    )


def _fill_review(cast: Cast, rater: Rater) -> None:
    page = rater.assignments.filter(responses__isnull=False).order_by("pk").first()
    assert page is not None
    answer = page.responses.get()
    check = Check.objects.create(study=cast.study, key="check-84", kind="repeat", form=page.form, settings={})
    Assignment.objects.filter(pk=page.pk).update(check_planted=check, purpose="check")
    CheckVerdict.objects.create(
        assignment=page, passed=False, reason="differs-85", detail={"found": "86"}, chance=0.5
    )
    attempt = QualificationAttempt.objects.create(
        rater=rater,
        number=87,
        finished_at=moment(19),
        passed=True,
        reason="enough-88",
        figure=0.8801,
        threshold=0.8802,
        detail={"mean": "89"},
        decision="Pat knows similes",
        decided_at=moment(20),
    )
    QualificationAttempt.objects.filter(pk=attempt.pk).update(started_at=moment(21))
    targets: list[dict[str, Any]] = [{"rater": rater}, {"response": answer}]
    for day, target in enumerate(targets, start=22):
        one = Exclusion.objects.create(
            study=cast.study, rule=f"rule-{day}", reason=f"Pat was drunk {day}", **target
        )
        lift = ExclusionLift.objects.create(exclusion=one, reason=f"Pat was sober {day}")
        Exclusion.objects.filter(pk=one.pk).update(created_at=moment(day))
        ExclusionLift.objects.filter(pk=lift.pk).update(created_at=moment(day + 2))
    RaterFlag.objects.create(rater=rater, indicators=["flag-89"], flagged_at=moment(28))
    case = Case.objects.create(study=cast.study, item=page.item, form=page.form, position=0)
    verdict = Verdict.objects.create(case=case, submission_key=uuid.uuid4(), version=page.version)
    criterion = page.version.criteria.get(key="quality")
    FinalAnswer.objects.create(
        verdict=verdict, criterion=criterion, value=4, minimum=1, maximum=5, chosen=True, chosen_from=rater
    )
    made = FigureSet.objects.create(study=cast.study, software="groundwork 0")
    names = [
        name.split(".")[1] for name, one in MAP.items() if one.file == "review" and "RaterFigure" in name
    ]
    RaterFigure.objects.create(
        made=made, rater=rater, **{name: 9001 + number for number, name in enumerate(names)}
    )


Rows = dict[tuple[type[Model], Any], dict[str, Any]]


def rows_of(rater: Rater) -> Rows:
    """Every row about a rater, with its columns by name."""
    found: Rows = {}
    for model, paths in paths_to_raters().items():
        about = Q(*((path, rater.pk) for path in paths), _connector=Q.OR)
        for row in model._base_manager.filter(about).distinct():
            found[model, row.pk] = {f.name: getattr(row, f.name) for f in model._meta.concrete_fields}
    return found


def written(name: str, value: Any) -> str:
    """As the file has it."""
    if name in NAMED_BY:
        value = getattr(value, NAMED_BY[name])
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def test_every_table_of_the_map_has_a_row(rater: Rater) -> None:
    assert {model for model, _ in rows_of(rater)} == set(paths_to_raters())


@pytest.mark.parametrize("with_review", [False, True])
def test_the_file_has_every_column_that_the_table_says(rater: Rater, with_review: bool) -> None:
    text = json.dumps(personal_data(rater, with_review=with_review), ensure_ascii=False)
    promised = {"always", "review"} if with_review else {"always"}
    for (model, _), row in rows_of(rater).items():
        for field, value in row.items():
            name = f"{model.__name__}.{field}"
            plain = isinstance(columns()[name], BooleanField) or value in (None, "", [], {})
            if MAP[name].file in promised and not plain and name not in AS_TEXTS:
                assert written(name, value) in text, name


def test_what_others_concluded_is_not_in_the_file_of_a_rater_at_work(rater: Rater) -> None:
    text = json.dumps(personal_data(rater, with_review=False), ensure_ascii=False)
    hidden = ("check-84", '"purpose"', "differs-85", "Pat knows", "drunk", "sober", "9001", "0.8801")
    assert [word for word in hidden if word in text] == []


def test_erasing_does_to_every_column_what_the_table_says(rater: Rater) -> None:
    before = rows_of(rater)
    erase_rater(rater=rater, actor=None)
    for (model, pk), row in before.items():
        after = model._base_manager.filter(pk=pk).first()
        for field, value in row.items():
            name = f"{model.__name__}.{field}"
            erasing, now = MAP[name].erasing, None if after is None else getattr(after, field)
            if erasing == "erased":
                assert now in (None, "", {}, []), name
            elif name == "Exclusion.rater":
                assert now == rater, name
            elif erasing == "replaced":
                assert now != value or value is None, name
            else:
                assert after is not None, name
                assert now == value, name
    left = json.dumps(personal_data(rater, with_review=True), ensure_ascii=False)
    assert [word for word in ("Pat", "8301", "drunk", "sober", "9001") if word in left] == []
