"""CMDAG's records: whatever comes in goes out again, located or not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.cmdag_records import KEYS, RecordExtras, location, marks_of, records_of

CONTEXT = "我的颊像溶了的雪，我的心像热了的酒"


def record(tenor: str, vehicle: str, ground: str, sub_id: int = 0) -> dict[str, object]:
    values = (7, CONTEXT, tenor, vehicle, ground, sub_id)
    return dict(zip(KEYS, values, strict=True))


def again(records):
    marks, extras = marks_of(records)
    stored = json.loads(json.dumps([one.as_dict() for one in extras]))
    return records_of(
        marks, records[0]["metaphor_id"], records[0]["context"], [RecordExtras.of(one) for one in stored]
    )


words = st.text(alphabet="我的心酒雪、;； 像𝄞é", max_size=8)
extra = st.dictionaries(st.sampled_from(["source", "note"]), st.one_of(st.none(), st.integers(), words))
records = st.lists(
    st.tuples(st.fixed_dictionaries(dict.fromkeys(KEYS[2:5], words)), st.integers(0, 3), extra, st.booleans())
    .map(
        lambda drawn: {
            **({"sub_id": drawn[1]} if drawn[3] else {}),
            "metaphor_id": 7,
            "context": CONTEXT,
            **drawn[0],
            **drawn[2],
            **({} if drawn[3] else {"sub_id": drawn[1]}),
        }
    )
    .filter(lambda one: any(str(one[part]).strip(" ;；") for part in KEYS[2:5])),
    min_size=1,
    max_size=5,
)


@given(records)
def test_whatever_comes_in_goes_out_again_with_its_keys_in_order(records):
    found = again(records)
    assert [list(one.items()) for one in found] == [list(one.items()) for one in records]


@given(records)
def test_every_offset_cuts_its_wording_out_of_the_context(records):
    marks, _ = marks_of(records)
    for mark in marks:
        if mark["start"] is None:
            assert mark["text"] not in CONTEXT
        else:
            assert CONTEXT[mark["start"] : mark["end"]] == mark["text"]
    keys = [(mark["tuple"], mark["part"], mark["text"]) for mark in marks]
    assert len(set(keys)) == len(keys)


def test_parallel_parts_become_aligned_tuples():
    marks, extras = marks_of([record("我的脸颊;我的心", "溶了的雪;热了的酒", "温暖的感觉;炙热的感觉")])
    assert [(mark["tuple"], mark["text"]) for mark in marks if mark["part"] != "ground"] == [
        (1, "我的脸颊"),
        (1, "溶了的雪"),
        (2, "我的心"),
        (2, "热了的酒"),
    ]
    assert (extras[0].tuples, extras[0].spelled) == (2, {})


def test_parallel_parts_whose_numbers_differ_stay_one_wording():
    marks, _ = marks_of([record("我的心;我的颊;我", "雪;酒", "温暖")])
    assert {mark["tuple"] for mark in marks} == {1}


def test_grounds_are_parted_and_keep_their_order():
    marks, extras = marks_of([record("我的心", "热了的酒", "炙热的感觉、温暖的感觉")])
    assert [mark["text"] for mark in marks if mark["part"] == "ground"] == ["炙热的感觉", "温暖的感觉"]
    assert extras == [RecordExtras(0)]


def test_tuples_of_ones_own_are_numbered_from_zero():
    marks, _ = marks_of([record("我的颊", "雪", "凉", 3), record("我的心", "酒", "热", 3)])
    assert [one["sub_id"] for one in records_of(marks, 7, CONTEXT)] == [0, 1]


@pytest.mark.parametrize(
    ("tenor", "vehicle", "where"),
    [("我的心", "酒", "wholly"), ("我的脸", "酒", "partly"), ("脸", "冰", "not"), ("", "酒", "wholly")],
)
def test_location_looks_at_tenor_and_vehicle(tenor, vehicle, where):
    marks, _ = marks_of([record(tenor, vehicle, "温暖")])
    assert location(marks) == where
