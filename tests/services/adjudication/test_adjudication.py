"""Items on which raters differ are found by rules, decided once, and no rating is touched."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from annotation.domain.adjudication.differences import in_seeded_order, letter
from annotation.domain.base.errors import AnsweredElsewhere, GroundworkError, InvalidAnswer, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.domain.questions.wording.version_numbers import place_of
from annotation.models import (
    AuditEntry,
    Criterion,
    Exclusion,
    Form,
    FormVersion,
    Rating,
    Response,
    ScalePoint,
    Study,
    Verdict,
    Withdrawal,
)
from annotation.selectors.rating.annotations import annotations_of
from annotation.selectors.studies.waiting_work import work_in
from annotation.services.adjudication.case_selection import read_search, send_items
from annotation.services.adjudication.decisions import choose, comment, show_names, write
from annotation.services.rating.withdrawal import withdraw
from tests.support.studies.adjudication_study import (
    cases_of,
    look_for,
    make_case_study,
    owner_of,
    sent,
    tuples,
)

RULES = [
    ("all_differ", "quality", {}, {"I-0"}),
    ("no_majority", "quality", {}, {"I-0"}),
    ("spread", "quality", {"bound": "4"}, {"I-0", "I-3"}),
    ("all_differ", "genuine", {}, {"I-0"}),
    ("all_differ", "kinds", {}, {"I-0"}),
    ("all_differ", "better", {}, {"I-0"}),
    # Case, articles and punctuation make no other answer.
    ("all_differ", "paraphrase", {}, {"I-0"}),
    ("no_majority", "tuples", {}, set()),
    ("overlap", "tuples", {"bound": "0.6", "part": "vehicle"}, {"I-0"}),
    ("overlap", "tuples", {"bound": "0.4", "part": "vehicle"}, set()),
    ("overlap", "tuples", {"bound": "0.99", "part": "tenor"}, set()),
]


@pytest.fixture
def study(db: None) -> Study:
    return make_case_study()


@pytest.mark.parametrize(("rule", "criterion", "more", "caught"), RULES)
def test_a_rule_brings_up_exactly_what_it_says(
    study: Study, rule: str, criterion: str, more: dict[str, str], caught: set[str]
) -> None:
    assert look_for(study, rule, criterion, **more) == len(caught)
    assert cases_of(study).keys() == caught
    assert look_for(study, rule, criterion, **more) == 0, "what was found before is not found anew"


def test_an_even_split_has_no_majority(study: Study) -> None:
    Exclusion.objects.create(study=study, rater=study.raters.get(code="R-003"), reason="a bot")
    look_for(study, "no_majority", "genuine")
    assert cases_of(study).keys() == {"I-0"}, "an excluded rater has no voice"


@pytest.mark.parametrize(
    "raw",
    [
        {"rule": "spread", "form": "all", "criterion": "genuine", "bound": "1"},
        {"rule": "overlap", "form": "all", "criterion": "quality", "bound": "0.5"},
        {"rule": "spread", "form": "all", "criterion": "quality", "bound": "nan"},
        {"rule": "overlap", "form": "all", "criterion": "tuples", "bound": "0"},
        {"rule": "overlap", "form": "all", "criterion": "tuples", "bound": "0.5", "part": "event"},
        {"rule": "hand_picked", "form": "all", "criterion": "quality"},
        {"rule": "all_differ", "form": "all", "criterion": "beauty"},
    ],
)
def test_a_rule_that_goes_with_nothing_is_refused(study: Study, raw: dict[str, str]) -> None:
    with pytest.raises(InvalidContent) as refusal:
        read_search(study, raw)
    assert refusal.value.code == "bad_search"


def test_items_are_picked_by_hand_once(study: Study) -> None:
    owner = owner_of(study)
    first = send_items(study=study, keys=["I-1", "I-2"], actor=owner, criterion="quality")
    again = send_items(study=study, keys=["I-2", "I-3"], actor=owner)
    assert (first.new, again.new, again.there) == (2, 1, 1)
    assert set(cases_of(study)["I-1"].disputes.values_list("criterion", flat=True)) == {"quality"}
    with pytest.raises(InvalidContent):
        send_items(study=study, keys=["I-1", "nowhere"], actor=owner)


def test_a_chosen_annotation_is_the_final_answer_without_changes(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case, second = cases_of(study)["I-0"], _of(study, "I-0", "R-002")
    made = choose(case=case, annotation=second.pk, sent=sent(note="The middle."), actor=owner_of(study))
    final = {one.criterion.key: one for one in made.verdict.answers.all()}
    assert {key: str(one) for key, one in final.items()} == {
        rating.criterion.key: str(rating) for rating in second.ratings.all()
    }
    assert {one.chosen_from.code for one in final.values() if one.chosen_from} == {"R-002"}
    case.refresh_from_db()
    assert (case.state, made.verdict.note, made.verdict.revision) == ("decided", "The middle.", 1)
    assert AuditEntry.objects.get(act="adjudicate").detail == {"item": "I-0", "form": "all", "revision": 1}


def test_only_what_is_in_dispute_must_be_written(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case, owner = cases_of(study)["I-0"], owner_of(study)
    version = case.form.versions.get()
    with pytest.raises(InvalidAnswer) as refusal:
        write(case=case, version=version, sent=sent({"genuine": "yes"}), actor=owner)
    assert refusal.value.fields.keys() == {"quality"}
    assert not Verdict.objects.exists()
    made = write(case=case, version=version, sent=sent({"quality": "2"}), actor=owner)
    assert [(str(one), one.chosen) for one in made.verdict.answers.all()] == [("2", False)]


def test_what_stays_as_in_an_annotation_is_chosen_from_it(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case, first = cases_of(study)["I-0"], _of(study, "I-0", "R-001")
    answers = {"quality": "1", "genuine": "no", "kinds": ["b", "a"]}
    version = case.form.versions.get()
    made = write(
        case=case, version=version, sent=sent(answers), actor=owner_of(study), based_on=first.pk
    ).verdict
    assert {one.criterion.key: one.chosen for one in made.answers.all()} == {
        "quality": True,
        "genuine": False,
        "kinds": True,
    }


def test_tuples_that_are_marked_again_keep_their_places_within_the_text(study: Study) -> None:
    marked = TupleSettings(marked=("tenor", "vehicle")).stored()
    Criterion.objects.filter(key="tuples").update(settings=marked)
    look_for(study, "all_differ", "quality")
    case, owner = cases_of(study)["I-0"], owner_of(study)
    version = case.form.versions.get()
    located = tuples((0, 6), (20, 24))
    beyond = located.replace('"end": 24', '"end": 240')
    assert beyond != located
    with pytest.raises(InvalidAnswer) as refusal:
        write(case=case, version=version, sent=sent({"quality": "2", "tuples": beyond}), actor=owner)
    assert refusal.value.fields.keys() == {"tuples"}
    made = write(case=case, version=version, sent=sent({"quality": "2", "tuples": located}), actor=owner)
    assert made.verdict.answers.get(criterion__key="tuples").content == json.loads(located)


def test_an_annotation_of_another_kind_of_question_is_stored_as_the_newer_form_asks(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case = cases_of(study)["I-0"]
    first = annotations_of(study, case.item, case.form_id)[0]
    before = {one.criterion.key: str(one) for one in first.ratings.select_related("criterion")}
    version = newer_version(case.form, {"genuine": "multiple", "kinds": "choice", "quality": "choice"})
    answers = {"quality": "1", "genuine": before["genuine"], "kinds": "b"}
    made = write(
        case=case, version=version, sent=sent(answers), actor=owner_of(study), based_on=first.pk
    ).verdict
    finals = {one.criterion.key: one for one in made.answers.select_related("criterion")}
    assert {key: str(one) for key, one in finals.items()} == answers
    assert finals["genuine"].content == [before["genuine"]]
    assert (finals["kinds"].answer, finals["quality"].answer) == ("b", "1")


def newer_version(form: Form, kinds: Mapping[str, str]) -> FormVersion:
    """The form again, some of its questions of another kind."""
    version = form.versions.get()
    criteria = list(version.criteria.prefetch_related("points").order_by("position"))
    version.pk, version.number, version.pool = None, 2, place_of(2, 0)
    version.save()
    for criterion in criteria:
        points = list(criterion.points.all())
        if criterion.key in kinds:
            criterion.kind, criterion.minimum, criterion.maximum = kinds[criterion.key], None, None
        copy = Criterion.objects.create(
            version=version,
            **{
                name: getattr(criterion, name)
                for name in ("key", "name", "kind", "position", "minimum", "maximum", "settings", "required")
            },
        )
        for point in points or [ScalePoint(value=str(value), position=value) for value in range(1, 6)]:
            point.pk, point.criterion = None, copy
            point.save()
    return version


def test_a_changed_decision_is_a_new_row_and_the_same_one_is_none(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case, owner = cases_of(study)["I-0"], owner_of(study)
    version = case.form.versions.get()
    first = write(case=case, version=version, sent=sent({"quality": "2"}), actor=owner)
    same = write(case=case, version=version, sent=sent({"quality": "2"}, seen=1), actor=owner)
    other = write(case=case, version=version, sent=sent({"quality": "3"}, seen=1), actor=owner)
    assert (first.stored, same.stored, other.stored) == (True, False, True)
    assert list(case.verdicts.values_list("revision", "current")) == [(1, False), (2, True)]


def test_a_page_that_has_not_seen_the_decision_changes_nothing(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case, owner = cases_of(study)["I-0"], owner_of(study)
    version = case.form.versions.get()
    write(case=case, version=version, sent=sent({"quality": "2"}), actor=owner)
    with pytest.raises(AnsweredElsewhere) as refusal:
        write(case=case, version=version, sent=sent({"quality": "5"}), actor=owner)
    assert refusal.value.code == "decided_elsewhere"
    assert [str(one) for one in case.verdicts.get().answers.all()] == ["2"]


def test_a_corrected_annotation_is_not_chosen_unseen(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    second = _of(study, "I-0", "R-002")
    Response.objects.filter(pk=second.pk).update(current=False)
    with pytest.raises(AnsweredElsewhere) as refusal:
        choose(case=cases_of(study)["I-0"], annotation=second.pk, sent=sent(), actor=owner_of(study))
    assert refusal.value.code == "annotation_gone"


def test_another_items_annotation_cannot_be_chosen(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    with pytest.raises(AnsweredElsewhere):
        choose(
            case=cases_of(study)["I-0"],
            annotation=_of(study, "I-1", "R-002").pk,
            sent=sent(),
            actor=owner_of(study),
        )


def test_a_comment_makes_an_open_case_discussed_and_a_decided_one_stays(study: Study) -> None:
    look_for(study, "spread", "quality", bound="4")
    owner, cases = owner_of(study), cases_of(study)
    comment(case=cases["I-0"], text=" Is it literal? ", actor=owner)
    choose(case=cases["I-3"], annotation=_of(study, "I-3", "R-001").pk, sent=sent(), actor=owner)
    comment(case=cases["I-3"], text="Fine.", actor=owner)
    states = {key: case.state for key, case in cases_of(study).items()}
    assert states == {"I-0": "discussed", "I-3": "decided"}
    assert work_in(study).cases == 1, "a discussed case is still to be decided"
    assert cases["I-0"].comments.get().text == "Is it literal?"
    with pytest.raises(InvalidContent):
        comment(case=cases["I-0"], text="  ", actor=owner)


def test_a_new_dispute_about_what_was_left_open_opens_the_case_again(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case = cases_of(study)["I-0"]
    write(case=case, version=case.form.versions.get(), sent=sent({"quality": "2"}), actor=owner_of(study))
    look_for(study, "no_majority", "quality")
    assert cases_of(study)["I-0"].state == "decided", "that was decided"
    look_for(study, "all_differ", "genuine")
    assert cases_of(study)["I-0"].state == "open"


@pytest.mark.parametrize("state", [StudyState.OPEN, StudyState.PAUSED, StudyState.CLOSED])
def test_it_works_while_the_study_runs_and_after(db: None, state: StudyState) -> None:
    study = make_case_study(state=state)
    look_for(study, "all_differ", "quality")
    case = cases_of(study)["I-0"]
    assert choose(
        case=case, annotation=_of(study, "I-0", "R-001").pk, sent=sent(), actor=owner_of(study)
    ).stored


def test_a_draft_has_nothing_to_adjudicate(db: None) -> None:
    study = make_case_study(state=StudyState.DRAFT)
    with pytest.raises(GroundworkError) as refusal:
        send_items(study=study, keys=["I-0"], actor=owner_of(study))
    assert refusal.value.code == "study_draft"


def test_no_rating_is_touched(study: Study) -> None:
    before = list(Rating.objects.order_by("pk").values())
    look_for(study, "spread", "quality", bound="1")
    for key, case in cases_of(study).items():
        choose(case=case, annotation=_of(study, key, "R-001").pk, sent=sent(), actor=owner_of(study))
    assert list(Rating.objects.order_by("pk").values()) == before


def test_an_erased_rater_is_not_named_as_chosen_from(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    Study.objects.filter(pk=study.pk).update(on_withdrawal=Withdrawal.ERASE)
    case = cases_of(study)["I-0"]
    made = choose(case=case, annotation=_of(study, "I-0", "R-002").pk, sent=sent(), actor=owner_of(study))
    withdraw(rater=study.raters.get(code="R-002"))
    assert {(one.chosen, one.chosen_from) for one in made.verdict.answers.all()} == {(True, None)}
    assert not any("R-002" in str(one.detail) for one in AuditEntry.objects.exclude(act="withdraw"))


def test_names_are_shown_only_where_that_was_decided(study: Study) -> None:
    assert show_names(study=study, named=False, actor=owner_of(study)).named is False
    assert show_names(study=study, named=True, actor=owner_of(study)).named is True
    assert AuditEntry.objects.filter(act="set_adjudication").count() == 1


def test_letters_follow_an_order_that_the_raters_do_not() -> None:
    orders = {tuple(in_seeded_order("xyz", "", seed=1, place=str(item))) for item in range(40)}
    assert len(orders) == 6
    assert in_seeded_order("xyz", "", seed=1, place="7") == in_seeded_order("xyz", "", seed=1, place="7")


def test_a_letter_once_drawn_stays_when_others_answer_later() -> None:
    before = in_seeded_order("xyz", "", seed=1, place="7")
    assert in_seeded_order("xyz", "ab", seed=1, place="7") == [*before, "a", "b"]


def test_no_annotator_has_a_letter_that_is_a_key_of_the_page() -> None:
    letters = [letter(number) for number in range(24)]
    assert (letters[0], letters[4], letters[-2], letters[-1]) == ("A", "F", "Z", "A2")
    assert not {"E", "N", "P"} & set(letters)


def _of(study: Study, item: str, rater: str) -> Response:
    return Response.objects.get(
        assignment__item__study=study, assignment__item__key=item, assignment__rater__code=rater
    )
