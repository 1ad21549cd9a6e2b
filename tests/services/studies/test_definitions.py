"""A study's definition: written out, read back and made into the same study; refused by path."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.text_validation import is_one_line
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.kinds.registry import KINDS
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


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)
TEXT = WORDS.map(str.strip).filter(bool)
TITLE = TEXT.filter(is_one_line)
KEY = st.from_regex(r"[A-Za-z0-9_-]{1,12}", fullmatch=True)


def named(draw: st.DrawFn, most: int, least: int = 0) -> list[str]:
    return draw(st.lists(KEY, min_size=least, max_size=most, unique=True))


@st.composite
def points(draw: st.DrawFn, values: list[str]) -> list[dict[str, str]]:
    keys = draw(st.permutations(list("123456789abc")))
    return [
        {
            "value": value,
            "label": draw(TEXT | st.just("")),
            "description": draw(TEXT | st.just("")),
            "keyboard": draw(st.sampled_from(["", keys[place]])),
        }
        for place, value in enumerate(values)
    ]


@st.composite
def criteria(draw: st.DrawFn, key: str, earlier: list[dict[str, Any]]) -> dict[str, Any]:
    kind = draw(st.sampled_from(["likert", "choice", "multiple", "text", "tuples"]))
    low = draw(st.integers(-9, 3))
    high = low + draw(st.integers(1, 7))
    values = [str(number) for number in range(low, high + 1)] if kind == "likert" else named(draw, 5, 2)
    governing = draw(st.sampled_from([None, *(one for one in earlier if one["points"])]))
    return {
        "key": key,
        "name": draw(TEXT),
        "question": draw(TEXT | st.just("")),
        "kind": kind,
        "minimum": low if kind == "likert" else None,
        "maximum": high if kind == "likert" else None,
        "required": draw(st.booleans()),
        "asked_after": governing["key"] if governing else "",
        "asked_when": draw(st.sampled_from(governing["points"]))["value"] if governing else "",
        "points": [] if kind == "text" else draw(points(values)),
        "settings": {
            **draw(option_settings(values if kind in {"choice", "multiple"} else [])),
            "tuples": draw(tuple_settings(values if kind == "tuples" else [])),
            "slider": {"step": 1},
        },
    }


@st.composite
def option_settings(draw: st.DrawFn, values: list[str]) -> dict[str, Any]:
    return {
        "shuffled": draw(st.booleans()),
        "unsure": draw(st.sampled_from(["", *values])),
        "answer_key": draw(TEXT | st.just("")) if values else "",
    }


@st.composite
def tuple_settings(draw: st.DrawFn, parts: list[str]) -> dict[str, Any]:
    """One text is marked for one criterion of a form, so none is here."""
    nouns = draw(st.lists(TEXT, unique=True, max_size=4)) if parts else []
    two = draw(st.lists(st.sampled_from(parts), unique=True)) if parts else []
    return {
        "marked": [],
        "optional": draw(st.lists(st.sampled_from(parts), unique=True, max_size=len(parts) - 1))
        if parts
        else [],
        "adjective_noun": two,
        "nouns": nouns[:2] if two else [],
        "general_nouns": nouns[2:] if two else [],
        "refuse_general": draw(st.booleans()) if parts else False,
        "units": draw(st.sampled_from(["", "characters", "words"])) if parts else "",
    }


@st.composite
def forms(draw: st.DrawFn, key: str) -> dict[str, Any]:
    asked: list[dict[str, Any]] = []
    for name in named(draw, 4, 1):
        asked.append(draw(criteria(name, asked)))
    blocks = [
        {
            "field": field,
            "label": draw(TEXT | st.just("")),
            "role": draw(st.sampled_from(["literal", "figure", "text"])),
            "mark": draw(st.lists(st.sampled_from(["topic", "vehicle"]), unique=True)),
            "lang": draw(st.sampled_from(["", "zh"])),
            "optional": draw(st.booleans()),
            "of": "",
            "value": "",
            "blank": draw(st.booleans()),
        }
        for field in named(draw, 3)
    ]
    return {
        "key": key,
        "title": draw(TEXT),
        "overlap": draw(st.integers(1, 100)),
        "per_rater": draw(st.none() | st.integers(1, 1000)),
        "question": draw(TEXT | st.just("")),
        "cannot_rate": draw(st.booleans()),
        "blocks": blocks,
        "criteria": asked,
        "fed_by": None,
    }


@st.composite
def stages(draw: st.DrawFn, design: str) -> list[dict[str, Any]]:
    """Forms, of which a later one may be fed by an earlier one."""
    made: list[dict[str, Any]] = []
    for key in named(draw, 3):
        form, source = draw(forms(key)), draw(st.sampled_from([None, *made]))
        deciding = [one for one in source["criteria"] if KINDS[one["kind"]].decides] if source else []
        if deciding and design in {"pool", "panels"}:
            criterion = draw(st.sampled_from(deciding))
            form["fed_by"] = {
                "form": source["key"],
                "criterion": criterion["key"],
                "value": draw(st.sampled_from(criterion["points"]))["value"],
                "rule": draw(st.sampled_from(["any", "majority", "all"])),
                "people": draw(st.sampled_from(["anybody", "others_for_item", "others"])),
                "suggestions": draw(st.booleans()),
                "matches": {},
            }
        made.append(form)
    return made


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    every = draw(st.none() | st.integers(2, 50))
    design = draw(st.sampled_from(["pool", "batches", "all", "panels"]))
    return {
        "format": "groundwork-study",
        "version": 1,
        "study": {
            "title": draw(TITLE),
            **{
                name: draw(TEXT | st.just(""))
                for name in ("description", "content_warning", "consent", "instructions")
            },
            "language": draw(st.sampled_from(["en", "zh", "pt-BR"])),
            "seat_minutes": draw(st.integers(60, 100_000)),
            "least_seconds": draw(st.none() | st.integers(1, 60)),
            "exempt_characters": draw(st.integers(0, 100)),
            "include_late": draw(st.booleans()),
            "on_withdrawal": draw(st.sampled_from(["keep", "exclude", "erase"])),
            "keep_about_days": draw(st.none() | st.integers(0, 400)),
            "keep_ids_days": draw(st.none() | st.integers(0, 400)),
            "keep_activity_days": draw(st.none() | st.integers(0, 400)),
        },
        "serving": {
            "design": design,
            "keep_groups": draw(st.sampled_from(["free", "together", "apart"])),
            "batch_size": draw(st.none() | st.integers(1, 50)),
            "batches_per_rater": draw(st.none() | st.integers(1, 50)),
            "mixed": draw(st.booleans()),
            "more_allowed": draw(st.booleans()),
        },
        "forms": draw(stages(design)),
        "demographics": [
            {"key": key, "text": draw(TEXT), "kind": kind, "options": ["a", "b"] if kind == "choice" else []}
            for key in named(draw, 3)
            for kind in [draw(st.sampled_from(["choice", "text", "number"]))]
        ],
        "checks": {
            "every": every,
            "jitter": draw(st.integers(0, ((every or 2) - 1) // 2)),
            "planted": [],
        },
        "qualification": draw(
            st.none()
            | st.fixed_dictionaries(
                {
                    "rule": st.just("near"),
                    "tolerance": st.floats(0, 3),
                    "share": st.floats(0.1, 1),
                    "least": st.none(),
                    "attempts": st.none() | st.integers(1, 5),
                    "feedback": st.booleans(),
                    "pages": st.lists(st.fixed_dictionaries({"title": TEXT, "text": TEXT}), max_size=2),
                    "items": st.just([]),
                }
            )
        ),
        "pay": draw(
            st.none()
            | st.fixed_dictionaries(
                {
                    "currency": st.sampled_from(["EUR", "JPY"]),
                    "paid_for": st.sampled_from(["page", "sitting", "rater"]),
                    "amount": st.sampled_from(["0", "0.25", "12", "1.0005"]),
                    "floor": st.none() | st.just("12.5"),
                    "page_seconds": st.none() | st.floats(1, 600),
                    "shown": st.booleans(),
                }
            )
        ),
    }


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


@pytest.mark.parametrize(
    ("path", "value", "named", "advice"),
    [
        ("study/title", "", "study.title", "at least 1"),
        ("study/langage", "en", "study.langage", "known are title"),
        ("study/seat_minutes", "soon", "study.seat_minutes", "a whole number"),
        ("study/least_seconds", 3600, "study", "page"),
        ("forms/0/criteria/1/kind", "stars", "forms[0].criteria[1].kind", "likert"),
        ("forms/0/criteria/1/key", "quality", "forms[0].criteria[1].key", "rename"),
        ("forms/0/criteria/0/points/2/value", "three", "forms[0].criteria[0].points[2].value", "whole"),
        ("forms/0/criteria/0/points/1/keyboard", "1", "forms[0].criteria[0].points[1].keyboard", "another"),
        ("forms/0/criteria/0/asked_after", "creativity", "forms[0].criteria[0].asked_after", "earlier"),
        ("forms/0/criteria/0/minimum", 9, "forms[0].criteria[0].minimum", "lower one first"),
        ("forms/0/title", "half \ud83d", "forms[0].title", "no text"),
        ("demographics", [{"key": "age", "text": "Age?", "kind": "choice"}], "demographics.age", "options"),
        ("checks/planted", [{"key": "a", "kind": "gold", "form": "x"}], "checks.planted[0].form", "called"),
        ("pay", {"currency": "EUR", "amount": "cheap"}, "pay.amount", "look like"),
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
    assert [one.split(":")[0] for one in bare.left_out] == ["checks.planted[0]", "qualification.items[0]"]
    assert not Item.everything.filter(study=bare.study, planted=False).exists()
