"""Every protocol opens at once with its demo items, and asks what it says."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.questions.answers import Submission
from annotation.domain.questions.kinds.text import TEXT
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import Assignment, Check, Criterion, Item, Response, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.simulation import simulate
from annotation.services.rating.submission import submit
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def make(owner: User, protocol: str) -> Study:
    return create_demo_study(template=TEMPLATES[protocol], slug="demo", title="Demo", owner=owner)


def opened(owner: User, protocol: str) -> Study:
    return change_state(study=make(owner, protocol), to=StudyState.OPEN, actor=owner)


@pytest.mark.parametrize("protocol", TEMPLATES)
def test_it_opens_as_it_is_and_is_filled(owner, protocol):
    study = opened(owner, protocol)
    template = TEMPLATES[protocol]
    assert "Demo material" in study.description
    assert study.design == template.serving.design
    wanted_raters = [form.overlap or template.overlap for form in template.forms]
    assert [form.overlap for form in study.forms.order_by("position")] == wanted_raters
    people = simulate(study=study, raters=2, mix={AnsweringPattern.RANDOM: 1}, seed=1, most=4)
    assert people
    wanted = set(Criterion.objects.filter(version__form__study=study, asked_after="").values_list("key"))
    answered = Response.objects.filter(assignment__rater__study=study, assignment__purpose=Purpose.MAIN)
    assert set(answered.values_list("ratings__criterion__key")) & wanted


@pytest.mark.parametrize("protocol", TEMPLATES)
def test_a_governing_criterion_comes_before_and_has_the_answer(protocol):
    for form in TEMPLATES[protocol].forms:
        before: dict[str, set[str]] = {}
        for criterion in form.criteria:
            if criterion.asked_after:
                assert criterion.asked_when in before[criterion.asked_after]
            before[criterion.key] = {point.value for point in criterion.points}


def test_miyazawa_crosses_nouns_with_phrases_in_tasks_of_21_questions(owner):
    study = opened(owner, "miyazawa")
    pairs = Counter((item.metadata["noun"], item.metadata["phrase"]) for item in study.items.all())
    nouns, phrases = ({pair[place] for pair in pairs} for place in (0, 1))
    assert set(pairs.values()) == {1}
    assert len(pairs) == len(nouns) * len(phrases)
    rater = consent(invitation=invite(study=study, actor=owner))
    shown = rate_everything(rater)
    assert len(shown) == 21
    assert Counter(page.purpose for page in shown) == {Purpose.MAIN: 20, Purpose.CHECK: 1}
    assert len({page.form_id for page in shown if page.purpose == Purpose.MAIN}) == 3


def rate_everything(rater) -> list[Assignment]:
    shown: list[Assignment] = []
    while rater.assignments.filter(submitted_at=None).exists() or not shown:
        page = next_assignment(rater=rater)
        answers = {one.key: first_answer(one) for one in page.version.criteria.all()}
        submission = Submission(page_key=uuid.uuid4(), answers=answers)
        submit(assignment=page, version=page.version, submission=submission)
        shown.append(page)
    return shown


def first_answer(criterion: Criterion) -> str:
    points = [point.value for point in criterion.points.all()]
    return "words" if criterion.kind == TEXT.key else points[0]


def test_hanna_shows_a_human_story_next_to_every_other_and_asks_for_a_character(owner):
    study = make(owner, "hanna")
    for group in set(study.items.values_list("group", flat=True)):
        stories = {item.system: item.fields for item in study.items.filter(group=group)}
        assert len(stories) == 4
        human = stories.pop("human")
        assert "human_story" not in human
        assert {fields["human_story"] for fields in stories.values()} == {human["story"]}
    check = Check.objects.get(study=study)
    assert check.item is not None
    assert check.settings["accepted"][0] in check.item.fields["story"]


def test_each_gap_has_four_options_and_says_which_is_right(owner):
    for item in make(owner, "simile_probing").items.all():
        options = item.fields["options"].splitlines()
        assert len(set(options)) == 4
        assert int(item.metadata["right"]) in range(4)
        assert "____" in item.fields["sentence"]
    places = Counter(Item.objects.values_list("metadata__right", flat=True))
    assert len(places) == 4


def test_a_metaphor_that_is_not_reasonable_has_no_ratings_even_with_a_cant_rate(owner):
    study = opened(owner, "cmdag")
    page = next_assignment(rater=consent(invitation=invite(study=study, actor=owner)))
    submission = Submission(
        page_key=uuid.uuid4(), answers={"reasonable": "no", "clarity": "3"}, cannot_rate="lacks_context"
    )
    submit(assignment=page, version=page.version, submission=submission)
    assert [(row["criterion"], row["value"]) for row in long_ratings(study)] == [("reasonable", "no")]
    assert ratings_frame(study).empty


def test_what_might_have_been_asked_is_left_open_by_a_cant_rate(owner):
    study = opened(owner, "cmdag")
    page = next_assignment(rater=consent(invitation=invite(study=study, actor=owner)))
    submission = Submission(page_key=uuid.uuid4(), cannot_rate="lacks_context")
    submit(assignment=page, version=page.version, submission=submission)
    rows = list(long_ratings(study))
    assert [row["criterion"] for row in rows] == [one.key for one in page.version.criteria.all()]
    assert all(row["cannot_rate"] and row["value"] is None for row in rows)
    assert len(ratings_frame(study)) == len(rows) - 1


def test_the_command_makes_a_study_and_a_link_for_its_raters(owner):
    out = StringIO()
    call_command("demo_study", "cmdag_refined", "--owner", owner.email, "--open", stdout=out)
    assert re.search(r"study demo-cmdag-refined, 6 items, open, invitation /join/\S+/", out.getvalue())
    study = Study.objects.get()
    assert (study.state, study.contact) == (StudyState.OPEN, owner.email)
    with pytest.raises(CommandError) as refusal:
        call_command("demo_study", "cmdag_refined", "--owner", owner.email)
    assert refusal.value.returncode == 2
    with pytest.raises(CommandError):
        call_command("demo_study", "hauser", "--owner", "nobody@example.org")
    assert Study.objects.count() == 1
