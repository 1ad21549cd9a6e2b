"""Stages are set up without code: in a draft, in definitions, in copies; what cannot be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import StageFeed, User
from annotation.protocols.cmdag import CMDAG_STAGES
from annotation.protocols.template import FeedTemplate
from annotation.selectors.seats.stages import feeds_of
from annotation.selectors.studies.definition import definition_of
from annotation.services.studies.definitions import copy_study, create_from_definition
from annotation.services.studies.form_editing import change_form, move_form, remove_form
from annotation.services.studies.lifecycle import change_state, create_from_template
from annotation.services.studies.stage_setup import set_feed
from tests.support.studies.staged_study import FIRST, SECOND, staged_cast

pytestmark = pytest.mark.django_db

GOOD: dict[str, Any] = {"form": FIRST, "criterion": "metaphor", "value": "yes"}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"form": "nowhere"}, "form"),
        ({"form": SECOND}, "form"),
        ({"criterion": "nothing"}, "criterion"),
        ({"value": "perhaps"}, "value"),
        ({"criterion": "quality", "value": "6"}, "value"),
        ({"matches": {"quality": "metaphor"}}, "matches"),
        ({"matches": {"nothing": "quality"}}, "matches"),
    ],
)
def test_a_feed_that_cannot_be_is_refused_and_changes_nothing(wrong: dict[str, Any], field: str) -> None:
    cast = staged_cast(opened=False)
    form = cast.study.forms.get(key=SECOND)
    before = StageFeed.objects.get()
    with pytest.raises(InvalidContent) as refusal:
        set_feed(form=form, feed=FeedTemplate(**{**GOOD, **wrong}), actor=cast.users["owner"])
    assert refusal.value.code == "stage_impossible"
    assert field in refusal.value.fields
    assert StageFeed.objects.get() == before


def test_a_feed_is_changed_and_removed_in_a_draft_only() -> None:
    cast = staged_cast(opened=False)
    owner, form = cast.users["owner"], cast.study.forms.get(key=SECOND)
    feed = FeedTemplate(
        **GOOD, rule=StageRule.ANY, people=StagePeople.ANYBODY, matches={"quality": "quality"}
    )
    set_feed(form=form, feed=feed, actor=owner)
    stored = StageFeed.objects.get()
    assert (stored.rule, stored.people, stored.matches) == ("any", "anybody", {"quality": "quality"})
    set_feed(form=form, feed=None, actor=owner)
    assert not StageFeed.objects.exists()
    set_feed(form=form, feed=feed, actor=owner)
    change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
    with pytest.raises(NotAllowedNow):
        set_feed(form=form, feed=None, actor=owner)


@pytest.mark.parametrize("design", ["batches", "all"])
def test_designs_that_hand_out_fixed_sets_are_refused_when_the_study_opens(design: str) -> None:
    cast = staged_cast(opened=False)
    cast.study.design, cast.study.batch_size = design, 2
    cast.study.save()
    with pytest.raises(InvalidContent, match="“pool” or “panels”"):
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])


def test_forms_keep_what_a_stage_needs_of_them() -> None:
    cast = staged_cast()
    owner, source = cast.users["owner"], cast.study.forms.get(key=FIRST)
    document = definition_of(cast.study, with_pay=False)["forms"][0]
    document["criteria"][0]["points"] = [{"value": "ja"}, {"value": "nein"}]
    with pytest.raises(InvalidContent) as refusal:
        change_form(form=source, document=document, actor=owner)
    assert refusal.value.code == "stage_impossible"
    draft = staged_cast(opened=False, slug="draft")
    with pytest.raises(InvalidContent):
        move_form(form=draft.study.forms.get(key=SECOND), earlier=True, actor=draft.users["owner"])
    with pytest.raises(NotAllowedNow, match="receives its items from this form"):
        remove_form(form=draft.study.forms.get(key=FIRST), actor=draft.users["owner"])


def test_a_change_of_the_fed_form_keeps_its_feed() -> None:
    cast = staged_cast()
    form = cast.study.forms.get(key=SECOND)
    document = {
        **definition_of(cast.study, with_pay=False)["forms"][1],
        "question": "How good?",
        "fed_by": None,
    }
    assert change_form(form=form, document=document, actor=cast.users["owner"]).number == 2
    assert StageFeed.objects.get().target == form


def test_a_definition_round_trips_and_a_copy_has_the_same_stages() -> None:
    cast = staged_cast(rule=StageRule.MAJORITY, matches={"creativity": "quality"}, suggestions=True)
    owner, definition = cast.users["owner"], definition_of(cast.study, with_pay=False)
    assert definition["forms"][1]["fed_by"] == {
        **GOOD,
        "rule": "majority",
        "people": "others",
        "suggestions": True,
        "matches": {"creativity": "quality"},
    }
    made = create_from_definition(definition=definition, slug="again", owner=owner).study
    assert definition_of(made, with_pay=False) == definition
    copied = copy_study(
        study=cast.study, slug="copy", title="Copy", owner=owner, with_items=True, with_pay=False
    ).study
    assert [(feed.source.key, feed.target.key) for feed in feeds_of(copied)] == [(FIRST, SECOND)]


def test_a_definition_names_the_place_of_a_stage_that_cannot_be() -> None:
    cast = staged_cast(opened=False)
    definition = definition_of(cast.study, with_pay=False)
    definition["forms"][1]["fed_by"]["value"] = "perhaps"
    definition["serving"]["design"] = "all"
    with pytest.raises(InvalidContent) as refusal:
        create_from_definition(definition=definition, slug="again", owner=cast.users["owner"])
    assert {"forms[1].fed_by", "forms[1].fed_by.value"} <= refusal.value.fields.keys()


def test_the_protocol_of_cmdag_has_two_annotators_then_three_others() -> None:
    owner = User.objects.create_user("owner@example.org")
    study = create_from_template(template=CMDAG_STAGES, slug="sentences", title="Sentences", owner=owner)
    (feed,) = feeds_of(study)
    assert (feed.source.overlap, feed.target.overlap) == (2, 3)
    assert (feed.rule, feed.people, feed.suggestions) == ("all", "others", True)
