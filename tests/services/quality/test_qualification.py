"""Raters qualify before any seat is taken; calibration answers are judged by the rule and count nowhere."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import Purpose, RaterState, SeatState, StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Item, Rater, Seat, Study
from annotation.selectors.quality.calibration_tables import qualification_table
from annotation.selectors.quality.rater_profile import profile_of
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.selectors.studies.exports import items_table
from annotation.selectors.studies.progress import rater_rows, totals
from annotation.services.base.jobs import claim
from annotation.services.quality.approval import decide, start_all, waiting_attempts
from annotation.services.quality.qualification_progress import read_page, start_attempt
from annotation.services.quality.qualification_setup import (
    add_calibration_item,
    delete_calibration_item,
    remove_qualification,
    set_qualification,
    write_page,
)
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.deletion import delete_draft
from annotation.services.studies.lifecycle import change_state
from scoring.selectors.data.staleness import is_stale
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import Cast, add_form, make_cast
from tests.support.studies.qualification_study import REFERENCES, answer, attempt, qualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2, opened=False)


def code_of(rater: Rater) -> str:
    with pytest.raises(NotAllowedNow) as refused:
        next_assignment(rater=rater)
    return refused.value.code


def test_background_pages_come_first_and_are_read_in_order(cast):
    qualify(cast, pages=2)
    rater = consent(invitation=cast.invitation)
    read_page(rater=rater, number=2)
    assert code_of(rater) == "background_unread"
    read_page(rater=rater, number=1)
    assert code_of(rater) == "background_unread"
    read_page(rater=rater, number=2)
    assert next_assignment(rater=rater).purpose == Purpose.QUALIFICATION


def test_no_seat_is_taken_before_the_calibration_items_are_passed(cast):
    qualify(cast)
    rater = consent(invitation=cast.invitation)
    for value in REFERENCES:
        assert not Seat.objects.exclude(state=SeatState.FREE).exists()
        assert answer(rater, value).assignment.seat is None
    rater.refresh_from_db()
    assert rater.state == RaterState.QUALIFIED
    first = next_assignment(rater=rater)
    assert (first.purpose, first.position) == ("main", 1)
    assert Seat.objects.get(rater=rater).state == SeatState.RESERVED
    answer(rater, 3)
    rater.refresh_from_db()
    assert rater.state == RaterState.ACTIVE


def test_the_items_come_in_one_order_and_asking_again_gives_the_same(cast):
    qualify(cast)
    for rater in (consent(invitation=cast.invitation), consent(invitation=cast.invitation)):
        seen = []
        for value in REFERENCES:
            page = next_assignment(rater=rater)
            assert next_assignment(rater=rater) == page
            seen.append((page.position, page.item.fields["simile"]))
            answer(rater, value)
        assert seen == [(place, f"The lamp was a {value}.") for place, value in enumerate(REFERENCES, 1)]


def test_a_share_within_the_tolerance_decides_and_a_further_attempt_is_begun_by_the_rater(cast):
    qualify(cast, attempts=2)
    rater = consent(invitation=cast.invitation)
    failed = attempt(rater, (3, 3, 3, 2))
    assert (failed.passed, failed.reason, failed.figure) == (False, "too_few_within", 0.25)
    assert (failed.detail["n"], failed.detail["n_within"]) == (4, 1)
    assert code_of(rater) == "attempt_failed"
    start_attempt(rater=rater)
    with pytest.raises(NotAllowedNow):
        start_attempt(rater=rater)
    passed = attempt(rater, (4, 2, 3, 1))
    assert (passed.number, passed.passed, passed.figure) == (2, True, 0.75)
    assert next_assignment(rater=rater).purpose == Purpose.MAIN


def test_who_has_no_attempt_left_is_out_and_takes_nothing(cast):
    qualify(cast, attempts=1)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    attempt(rater, (1, 5, 5, 1))
    assert (rater.state, code_of(rater)) == (RaterState.FAILED, "rater_failed")
    with pytest.raises(NotAllowedNow):
        start_attempt(rater=rater)
    late = Submission(page_key=uuid.uuid4(), answers={"quality": "5", "creativity": "3"})
    with pytest.raises(NotAllowedNow) as refused:
        submit(assignment=page, version=page.version, submission=late)
    assert refused.value.code == "rater_failed"
    assert not Seat.objects.exclude(state=SeatState.FREE).exists()


def test_the_answers_of_an_attempt_that_is_over_stay_as_they_are(cast):
    qualify(cast)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    assert attempt(rater, (1, 1, 3, 4)).passed is True
    late = Submission(page_key=uuid.uuid4(), answers={"quality": "5", "creativity": "3"})
    with pytest.raises(NotAllowedNow) as refused:
        submit(assignment=page, version=page.version, submission=late)
    assert (refused.value.code, page.responses.count()) == ("attempt_over", 1)


@pytest.mark.parametrize(
    ("values", "passed"), [((4, 1, 2, 3), True), ((1, 5, 3, 2), False), ((3,) * 4, False)]
)
def test_a_rank_correlation_with_the_reference_decides(cast, values, passed):
    qualify(cast, RuleKind.RANK, least=0.9)
    made = attempt(consent(invitation=cast.invitation), values)
    assert made.passed is passed
    assert (made.figure is None) == (values == (3,) * 4)


def test_a_criterion_whose_reference_never_differs_does_not_spoil_the_correlation(cast):
    made = qualify(cast, RuleKind.RANK, least=0.9, opened=False)
    for one in made.items.all():
        one.reference = {**one.reference, "creativity": 3}
        one.save()
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert attempt(consent(invitation=cast.invitation)).passed is True


@pytest.mark.parametrize(("feedback", "passed"), [(True, False), (False, True)])
def test_the_first_answer_counts_where_the_reference_was_shown_after_it_else_the_last(cast, feedback, passed):
    qualify(cast, share=1, tolerance=0, feedback=feedback)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    answer(rater, 1)
    corrected = Submission(page_key=uuid.uuid4(), answers={"quality": "5", "creativity": "3"})
    assert submit(assignment=page, version=page.version, submission=corrected).response.revision == 2
    assert attempt(rater, REFERENCES[1:]).passed is passed


def test_what_cannot_be_rated_is_not_within(cast):
    qualify(cast, share=1)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    submit(
        assignment=page,
        version=page.version,
        submission=Submission(page_key=uuid.uuid4(), cannot_rate="lacks_context"),
    )
    made = attempt(rater, REFERENCES[1:])
    assert (made.passed, made.detail["n_within"]) == (False, 3)


def test_by_hand_a_rater_waits_until_a_researcher_decides_once(cast):
    qualify(cast, RuleKind.HAND, attempts=2)
    admin = cast.users["admin"]
    rater = consent(invitation=cast.invitation)
    made = attempt(rater)
    assert (made.passed, code_of(rater)) == (None, "waiting_for_approval")
    with pytest.raises(InvalidContent):
        decide(attempt=made, approved=False, reason=" ", actor=admin)
    decide(attempt=made, approved=False, reason="Read the rubric again.", actor=admin)
    assert code_of(rater) == "attempt_failed"
    start_attempt(rater=rater)
    second = attempt(rater)
    decide(attempt=second, approved=True, reason="", actor=admin)
    with pytest.raises(NotAllowedNow):
        decide(attempt=second, approved=False, reason="Changed my mind.", actor=admin)
    assert next_assignment(rater=rater).purpose == Purpose.MAIN
    acts = AuditEntry.objects.filter(act__endswith="e_qualification").order_by("pk")
    assert [(entry.act, entry.detail["attempt"]) for entry in acts] == [
        ("decline_qualification", 1),
        ("approve_qualification", 2),
    ]


def test_a_group_starts_together_without_those_who_have_left(cast):
    qualify(cast, RuleKind.HAND)
    raters = [consent(invitation=cast.invitation) for _ in range(3)]
    for rater in raters:
        attempt(rater)
    withdraw(rater=raters[2])
    assert start_all(study=cast.study, actor=cast.users["owner"], reason="Discussed.") == 2
    states = list(Rater.objects.filter(study=cast.study).order_by("code").values_list("state", flat=True))
    assert states == ["qualified", "qualified", "withdrawn"]
    assert not waiting_attempts(cast.study).exists()
    with pytest.raises(NotAllowedNow):
        start_all(study=cast.study, actor=cast.users["owner"], reason="")


def test_calibration_answers_enter_no_export_no_figure_no_count_and_no_profile(cast):
    qualify(cast, attempts=None)
    rater, other = consent(invitation=cast.invitation), consent(invitation=cast.invitation)
    attempt(rater)
    for value in (1, 2, 3):
        answer(rater, value)

    def seen():
        study = Study.objects.get(pk=cast.study.pk)
        frame = ratings_frame(study).to_dict("records")
        rows = [(row["done"], row["seconds"] is None) for row in rater_rows(study)]
        return list(long_ratings(study, all_revisions=True)), frame, totals(study), rows

    before = seen()
    attempt(other, (1, 1, 1, 1))
    assert seen() == before
    assert (len(before[0]), before[2].saved) == (6, 3)
    assert profile_of(other).n_pages == 0
    assert "calibration:" not in str(before[0]) + str(list(items_table(cast.study)[1]))
    assert rater.target == 3


def test_a_report_is_neither_changed_nor_out_of_date_by_calibration_answers(cast):
    qualify(cast)
    rater, other, late = (consent(invitation=cast.invitation) for _ in range(3))
    for one in (rater, other):
        attempt(one)
        for value in (1, 2, 3):
            answer(one, value)

    def report():
        job = request_report(study=cast.study, actor=None, replicates=20, announce=False)
        lease = claim(job_id=job.pk)
        assert lease is not None
        return compute_report(lease=lease)

    before = report()
    attempt(late, (1, 1, 1, 1))
    assert not is_stale(cast.study, before)
    after = report()
    assert (after.fingerprint, after.data) == (before.fingerprint, before.data)
    assert before.data["n_ratings"] == 12


def test_erasing_takes_the_calibration_answers_and_their_figures_too(cast):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase")
    qualify(cast)
    rater = consent(invitation=cast.invitation)
    attempt(rater)
    withdraw(rater=rater)
    made = rater.attempts.get()
    assert (made.figure, made.detail, rater.assignments.filter(responses__isnull=False).count()) == (
        None,
        {},
        0,
    )
    assert list(qualification_table(cast.study)[1]) == []


def test_a_picked_item_leaves_the_items_that_are_rated_and_comes_back(cast):
    made = qualify(cast, opened=False)
    item = cast.study.items.get(key="L01")
    owner, form = cast.users["owner"], cast.study.forms.get()
    picked = add_calibration_item(
        qualification=made, actor=owner, form=form, picked=item, reference={"quality": 2}
    )
    assert sorted(cast.study.items.values_list("key", flat=True)) == ["L00", "L02"]
    delete_calibration_item(calibration=picked, actor=owner)
    assert sorted(cast.study.items.values_list("key", flat=True)) == ["L00", "L01", "L02"]
    remove_qualification(qualification=made, actor=owner)
    assert Item.everything.filter(study=cast.study).count() == 3


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ({"reference": {"quality": 9}}, "invalid_reference"),
        ({"reference": {"wit": 3}}, "invalid_reference"),
        ({"reference": {"quality": ""}}, "invalid_reference"),
        ({"texts": {"simile": " "}}, "no_text"),
    ],
)
def test_an_item_that_cannot_work_is_refused_and_nothing_is_stored(cast, rest, code):
    made = set_qualification(study=cast.study, actor=cast.users["owner"], kind=RuleKind.HAND)
    given = {"reference": {"quality": 3}, "texts": {"simile": "A lamp."}, **rest}
    with pytest.raises(InvalidContent) as refused:
        add_calibration_item(
            qualification=made, actor=cast.users["owner"], form=cast.study.forms.get(), **given
        )
    assert refused.value.code == code
    assert not made.items.exists()
    assert not Item.everything.filter(planted=True).exists()


@pytest.mark.parametrize(
    "rule",
    [{"kind": RuleKind.NEAR}, {"kind": RuleKind.RANK, "least": 2}, {"kind": RuleKind.HAND, "attempts": 0}],
)
def test_a_rule_that_everybody_or_no_one_passes_is_refused(cast, rule):
    with pytest.raises(InvalidContent) as refused:
        set_qualification(study=cast.study, actor=cast.users["owner"], **rule)
    assert refused.value.code == "invalid_qualification"


def test_a_study_does_not_open_with_a_qualification_that_no_one_can_pass(cast):
    owner = cast.users["owner"]
    made = set_qualification(study=cast.study, actor=owner, kind=RuleKind.RANK, least=0.5)
    form = cast.study.forms.get()
    for value in (None, 3, 3):
        if value:
            add_calibration_item(
                qualification=made,
                actor=owner,
                form=form,
                texts={"simile": "A lamp."},
                reference={"quality": value},
            )
        with pytest.raises(NotAllowedNow) as refused:
            change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
        assert refused.value.code == "qualification_incomplete"


def test_an_open_study_keeps_its_qualification(cast):
    made = qualify(cast)
    owner = cast.users["owner"]
    with pytest.raises(NotAllowedNow):
        set_qualification(study=cast.study, actor=owner, kind=RuleKind.HAND)
    with pytest.raises(NotAllowedNow):
        write_page(qualification=made, actor=owner, title="Late", text="Too late.")
    with pytest.raises(NotAllowedNow):
        delete_calibration_item(calibration=made.items.all()[0], actor=owner)


def test_a_draft_with_a_qualification_can_be_deleted(cast):
    qualify(cast, pages=1, opened=False)
    delete_draft(study=cast.study, actor=cast.users["owner"])
    assert not Item.everything.exists()


def test_each_panel_has_its_own_calibration_items(cast):
    other = add_form(cast.study, overlap=1, key="poems").form
    Study.objects.filter(pk=cast.study.pk).update(design="panels")
    made = set_qualification(
        study=cast.study, actor=cast.users["owner"], kind=RuleKind.NEAR, tolerance=0, share=1
    )
    for form in (cast.study.forms.get(key="similes"), other):
        with pytest.raises(NotAllowedNow):
            change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
        add_calibration_item(
            qualification=made,
            actor=cast.users["owner"],
            form=form,
            texts={"simile": form.title},
            reference={"quality": 3},
        )
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    cast.invitation.panel = other
    cast.invitation.save()
    rater = consent(invitation=cast.invitation)
    assert next_assignment(rater=rater).form == other
    assert attempt(rater, (3,)).passed is True


def test_positions_of_the_main_work_begin_at_one_in_batches_too(cast):
    Study.objects.filter(pk=cast.study.pk).update(design="batches", batch_size=2)
    qualify(cast)
    rater = consent(invitation=cast.invitation)
    attempt(rater)
    assert next_assignment(rater=rater).position == 1
