"""A study's definition: written out, read back and made into the same study; refused by path."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.quality.checks import CheckKind
from annotation.io.base.strict_documents import FORMATS, write_document
from annotation.io.studies.definitions import read_definition
from annotation.models import Item, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.studies.definition import definition_of
from annotation.services.quality.checks import create_check
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.studies.definitions import copy_study, create_from_definition
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import create_from_template
from tests.services.studies.any_definition import definitions

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def again(definition: Any, owner: User, file_format: str) -> Study:
    text = write_document(definition, file_format=file_format)
    read = read_definition(text.encode(), name="study")
    assert read == definition
    made = create_from_definition(definition=read, slug=f"again-{file_format}", owner=owner)
    assert made.left_out == ()
    return made.study


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("key", TEMPLATES)
def test_every_built_in_study_is_made_again_from_its_own_definition(key, file_format, owner):
    made = create_demo_study(template=TEMPLATES[key], slug="first", title="First", owner=owner)
    definition = definition_of(made, with_pay=True)
    assert definition_of(again(definition, owner, file_format), with_pay=True) == definition


@given(definition=definitions(), file_format=st.sampled_from(FORMATS))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_definition_is_that_of_the_study_made_from_it(definition, file_format):
    with transaction.atomic():
        owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
        assert definition_of(again(definition, owner, file_format), with_pay=True) == definition
        transaction.set_rollback(True)


def hauser(owner: User) -> dict[str, Any]:
    made = create_from_template(template=TEMPLATES["hauser"], slug="hauser", title="Similes", owner=owner)
    return definition_of(made, with_pay=True)


def changed(definition: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    found = copy.deepcopy(definition)
    place: Any = found
    *before, last = [int(part) if part.isdecimal() else part for part in path.split("/")]
    for part in before:
        place = place[part]
    place[last] = value
    return found


EXAMPLE = {"criterion": "quality", "text": "like a log", "answer": 1, "reason": "Stock."}
PRACTICE = {"field": "literal", "text": "He slept well."}


@pytest.mark.parametrize(
    ("path", "value", "named", "advice"),
    [
        ("study/title", "", "study.title", "This is empty. Enter a text."),
        ("study/langage", "en", "study.langage", "Known settings are: title"),
        ("study/seat_minutes", "soon", "study.seat_minutes", "a whole number"),
        ("study/interface_language", "tlh", "study.interface_language", "or none: en, ja, zh-hans"),
        ("study/least_seconds", 3600, "study", "page"),
        ("forms/0/criteria/1/kind", "stars", "forms[0].criteria[1].kind", "likert"),
        ("forms/0/criteria/1/key", "quality", "forms[0].criteria[1].key", "Rename"),
        ("forms/0/criteria/0/points/2/value", "three", "forms[0].criteria[0].points[2].value", "whole"),
        ("forms/0/criteria/0/points/1/keyboard", "1", "forms[0].criteria[0].points[1].keyboard", "Another"),
        ("forms/0/criteria/0/asked_after", "creativity", "forms[0].criteria[0].asked_after", "earlier"),
        ("forms/0/criteria/0/minimum", 9, "forms[0].criteria[0].minimum", "lower one first"),
        ("forms/0/title", "half \ud83d", "forms[0].title", "invalid character"),
        ("demographics", [{"key": "age", "text": "Age?", "kind": "choice"}], "demographics.age", "options"),
        (
            "checks/planted",
            [{"key": "a", "kind": "gold", "form": "x"}],
            "checks.planted[0].form",
            "no form “x”",
        ),
        ("pay", {"currency": "EUR", "amount": "cheap"}, "pay.amount", "at most four decimals"),
        ("forms/0/examples", [{**EXAMPLE, "answer": 9}], "forms[0].examples[0].answer", "not a point"),
        ("forms/0/examples", [{**EXAMPLE, "criterion": "x"}], "forms[0].examples[0].criterion", "Choose one"),
        ("forms/0/practice", [PRACTICE], "forms[0].practice", "Add these texts to the practice item: simile"),
        ("forms/0/practice", [PRACTICE, PRACTICE], "forms[0].practice[1].field", "Remove one"),
        ("version", 2, "version", "must be 1"),
    ],
)
def test_what_is_wrong_is_named_by_its_path_with_what_to_do_and_nothing_is_stored(
    owner, path, value, named, advice
):
    definition = changed(hauser(owner), path, value)
    with pytest.raises(InvalidContent) as refusal:
        create_from_definition(definition=definition, slug="wrong", owner=owner)
    assert refusal.value.code == "invalid_definition"
    assert advice in refusal.value.fields[named], refusal.value.fields
    assert not Study.objects.filter(slug="wrong").exists()


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (b"\xff\xfe\x00", "wrong_encoding"),
        (b"a: [1", "damaged_document"),
        (b'{"a": 1, "a": 2}', "damaged_document"),
        (b"a: 1\na: 2\n", "damaged_document"),
        (b"a: &x [1]\nb: [*x, *x]\n", "damaged_document"),
        (b"!!python/object/apply:os.system [ls]", "damaged_document"),
        (b"a: !!bool maybe", "damaged_document"),
        (b"a: !!timestamp x", "damaged_document"),
        (b'a: !!int ""', "damaged_document"),
        (b"a: !!map [1]", "damaged_document"),
        (b'{"a":' * 5000, "too_deeply_nested"),
        (b"[" * 5000, "too_deeply_nested"),
        (b"1: 2", "invalid_definition"),
        (b"", "invalid_definition"),
        (b"a: .nan", "invalid_definition"),
        (b"x" * (512 * 1024 + 1), "too_large"),
    ],
)
def test_a_file_that_is_no_definition_is_refused(document, code):
    with pytest.raises(InvalidContent) as refusal:
        read_definition(document, name="study.yaml")
    assert refusal.value.code == code


def test_settings_may_be_left_out_and_values_written_as_numbers(owner):
    short = (
        b"format: groundwork-study\nversion: 1\nstudy: {title: Short}\nforms:\n"
        b"- {key: f, title: F, criteria: [{key: q, name: Q, points: [{value: 1}, {value: 2, label: no}]}]}\n"
    )
    made = create_from_definition(definition=read_definition(short, name="short"), slug="short", owner=owner)
    criterion = made.study.forms.get().versions.get().criteria.get()
    assert (criterion.minimum, criterion.maximum) == (1, 2)
    assert [(one.value, one.label, one.keyboard) for one in criterion.points.all()] == [
        ("1", "", "1"),
        ("2", "no", "2"),
    ]


def test_a_copy_with_items_has_twins_and_picked_items_one_without_says_what_is_left_out(owner):
    study = create_demo_study(template=TEMPLATES["hauser"], slug="first", title="First", owner=owner)
    form, (item, picked) = study.forms.get(), study.items.all()[:2]
    create_check(
        study=study, actor=owner, key="twin", kind=CheckKind.TWIN, form=form, original=item,
        settings={"criteria": ["quality"]}, texts=item.fields,
    )  # fmt: skip
    rule = set_qualification(study=study, actor=owner, kind=RuleKind.HAND)
    add_calibration_item(qualification=rule, actor=owner, form=form, reference={"quality": 3}, picked=picked)
    definition = definition_of(study, with_pay=True)
    whole = copy_study(study=study, slug="whole", title="First", owner=owner, with_items=True, with_pay=True)
    assert whole.left_out == ()
    assert definition_of(whole.study, with_pay=True) == definition
    assert set(whole.study.items.values_list("key")) == set(study.items.values_list("key"))
    bare = copy_study(study=study, slug="bare", title="First", owner=owner, with_items=False, with_pay=True)
    assert [one.split(" ")[0] for one in bare.left_out] == ["checks.planted[0]", "qualification.items[0]"]
    assert not Item.everything.filter(study=bare.study, planted=False).exists()
