"""Every kind of question in the registry keeps the rules on which the rest of the software relies."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.kind import (
    IN_OWN_WORDS,
    OF_OPTIONS,
    QuestionKind,
    Yields,
)
from annotation.domain.questions.kinds.registry import (
    DEFAULT_KIND,
    KINDS,
    keys_yielding,
    kind_choices,
    kinds_by_yield,
)
from annotation.domain.questions.option_settings import TIE, OptionSettings
from annotation.domain.questions.tuples import tuples_text
from tests.domain.questions.any_kind import OPTIONS, TEXTS, Someone, criterion, problems, question

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(str.strip)
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def sent(kind: QuestionKind) -> st.SearchStrategy[str | list[str]]:
    """What a page may send for a question of the kind."""
    parts = [point["value"] for point in kind.first_points]
    low, high = kind.ends(None, None, parts)
    by_yield: dict[Yields, st.SearchStrategy[str | list[str]]] = {
        Yields.NUMBER: st.integers(math.ceil(low or 0), math.floor(high or 0)).map(str),
        Yields.LABELS: st.lists(st.sampled_from(OPTIONS), min_size=1, unique=True),
        Yields.WORDS: WORDS,
        Yields.ORDER: st.permutations(OPTIONS).map(">".join),
        Yields.SPANS: st.lists(
            st.fixed_dictionaries(dict.fromkeys(parts, WORDS.map("a{}".format))), min_size=1, max_size=3
        ).map(tuples_text),
        Yields.ERRORS: st.lists(
            st.fixed_dictionaries(
                {
                    "start": st.integers(0, 9),
                    "end": st.integers(12, 26),
                    "category": st.sampled_from(parts[:3]),
                    "severity": st.sampled_from(parts[3:]),
                }
            )
        ).map(json.dumps),
    }
    return by_yield.get(kind.yields, st.sampled_from(OPTIONS))


@every_kind
@given(st.data())
def test_an_answer_comes_back_from_its_cell(kind, data):
    asked = question(kind)
    answer = kind.checked(asked, data.draw(sent(kind)), TEXTS)
    cell = kind.cell(answer)
    assert kind.checked(asked, kind.values(str(cell)), TEXTS) == answer
    assert kind.of_cell(cell) == answer
    assert [answer.value is None, not answer.text, answer.content is None].count(False) == 1
    assert isinstance(cell, int) == (kind.yields is Yields.NUMBER)


@every_kind
@pytest.mark.parametrize("nothing", ["", "  ", [], ["", " "]])
def test_a_question_left_open_has_no_answer(kind, nothing):
    assert kind.checked(question(kind), nothing) is None


@every_kind
def test_several_values_are_refused_where_one_is_asked_for(kind):
    values = ["yes", "no"]
    if kind.yields is Yields.LABELS:
        assert kind.checked(question(kind), values).content == ["yes", "no"]
    else:
        with pytest.raises(ValueError, match="one answer only"):
            kind.checked(question(kind), values)


@every_kind
@pytest.mark.parametrize("raw", ["perhaps", "9" * 9])
def test_a_value_that_cannot_be_chosen_is_refused_with_a_sentence(kind, raw):
    if kind.yields is Yields.WORDS:
        assert kind.checked(question(kind), raw).text == raw
    else:
        with pytest.raises(ValueError, match=r"\.$"):
            kind.checked(question(kind), raw)


@every_kind
@pytest.mark.parametrize("truth", [0.0, 0.5, 1.0])
def test_what_a_simulated_rater_sends_is_an_answer(kind, truth):
    asked = question(kind)
    assert kind.checked(asked, kind.simulated(asked, Someone(), truth)) is not None


@every_kind
@given(st.data())
def test_an_answer_can_be_read(kind, data):
    answer = kind.checked(question(kind), data.draw(sent(kind)), TEXTS)
    assert kind.in_words(kind.values(str(kind.cell(answer))), {"yes": "Indeed"})


@every_kind
def test_options_are_read_by_their_labels(kind):
    # The sides of a pair have their texts; only a tie has words of its own.
    value = TIE if kind.yields is Yields.PREFERENCE else "yes"
    words = kind.in_words([value], {value: "Indeed"}) if kind.yields is not Yields.SPANS else ""
    assert (words == "Indeed") == (kind.yields in OF_OPTIONS)


@every_kind
def test_what_can_be_chosen_can_be_answered(kind):
    asked = question(kind)
    if kind.decides:
        assert kind.deciding(asked)
        for value in kind.deciding(asked):
            cell = kind.cell(kind.checked(asked, kind.cell_deciding(asked, value), TEXTS))
            assert Condition(Comparison.EXACTLY, value).holds(kind.decided_by(cell))


@every_kind
def test_a_reference_value_is_one_that_can_be_answered(kind):
    asked = question(kind)
    possible = kind.deciding(asked) if kind.yields is not Yields.WORDS else ()
    given = [kind.cell_deciding(asked, value) for value in possible]
    read = [kind.reference(asked, text) for text in (*given, "perhaps", "9" * 9)]
    assert any(value is not None for value in read) == kind.has_reference
    assert read[-2:] == [None, None]


@every_kind
def test_an_earlier_answer_is_suggested_only_where_it_can_be_given(kind):
    asked = question(kind)
    sent_back = kind.simulated(asked, Someone(), 0.5)
    cell = str(kind.cell(kind.checked(asked, sent_back)))
    if kind.yields in IN_OWN_WORDS:
        assert kind.suggestion(cell, asked.options) == cell
    else:
        points = asked.options if kind.yields in (Yields.ORDER, Yields.ERRORS) else [cell]
        assert kind.suggestion(cell, points) == cell
        # An answer without errors is possible whatever the categories.
        assert kind.suggestion(cell, ["other"]) == (cell if kind.yields is Yields.ERRORS else "")


@every_kind
def test_settings_of_a_kind_have_a_schema_that_its_defaults_satisfy(kind):
    Draft202012Validator.check_schema(dict(kind.settings_schema))
    for settings in (kind.complete_settings({}), kind.first_settings(), kind.posted_settings({}, [])):
        assert set(settings) == ({kind.key} if kind.settings_schema else set())
        for own in settings.values():
            Draft202012Validator(dict(kind.settings_schema)).validate(own)
            assert set(own) == set(kind.settings_schema["properties"])
    assert kind.stored_settings(kind.complete_settings({})) == {}


@every_kind
def test_settings_come_back_as_they_were_stored(kind):
    first = kind.first_settings()
    stored = kind.stored_settings(first)
    assert kind.complete_settings(json.loads(json.dumps(stored))) == first


@every_kind
def test_the_criterion_with_which_the_editor_starts_can_be_asked(kind):
    assert problems(criterion(kind)) == {}


@every_kind
def test_problems_name_a_field_and_say_a_sentence(kind):
    point = {"value": "a|b", "label": "", "description": "", "keyboard": "x"}
    wrong = [
        criterion(kind, points=[]),
        criterion(kind, points=[point, point]),
        criterion(kind, minimum=3, maximum=1),
    ]
    found = [pair for one in wrong for pair in problems(one).items()]
    assert found
    for path, sentence in found:
        field = path.removeprefix("criteria[0].").partition("[")[0].partition(".")[0]
        assert field in criterion(kind)
        assert sentence.endswith(".")


@every_kind
def test_too_few_points_are_refused(kind):
    refused = "criteria[0].points" in problems(criterion(kind, points=[], minimum=None))
    assert refused == (kind.fewest_points > 0)


@every_kind
def test_settings_of_another_kind_are_refused(kind):
    for other in KINDS.values():
        if other is not kind and other.first_settings() != other.complete_settings({}):
            settings = criterion(kind)["settings"] | other.first_settings()
            assert f"criteria[0].settings.{other.key}" in problems(criterion(kind, settings=settings))


@every_kind
def test_every_option_is_shown_once_in_an_order_that_stays(kind):
    values = ("a", "b", "tie")
    how = {"place": "item/asked", "seed": 1, "rater_seed": 2}
    for settings in (OptionSettings(), OptionSettings(shuffled=True)):
        order = kind.shown_order(values, settings, **how)
        assert sorted(order) == sorted(values)
        assert order == kind.shown_order(values, settings, **how)
        assert kind.is_shuffled(settings) or order == values


def test_the_registry_holds_each_kind_under_its_own_key():
    assert all(kind.key == key for key, kind in KINDS.items())
    assert DEFAULT_KIND in KINDS
    assert kind_choices() == [(key, key) for key in KINDS]
    assert {kind.key for kind in kinds_by_yield()} == set(KINDS)
    assert len({kind.title for kind in KINDS.values()}) == len(KINDS)
    assert all(len(key) <= 12 and key.isidentifier() for key in KINDS)


def test_every_yield_belongs_to_a_kind():
    assert sorted(keys_yielding(*Yields)) == sorted(KINDS)
    assert all(keys_yielding(one) for one in Yields)
