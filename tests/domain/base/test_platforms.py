"""Who comes from a platform is read from the address, and the way back is its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.platforms import (
    MTURK_PREVIEW,
    PARAMETERS,
    Entry,
    Outcome,
    Parameters,
    Platform,
    check_addresses,
    completion_address,
    read_entry,
    submit_address,
)

TURK = frozenset({"https://www.mturk.com"})
WORK = {
    "workerId": "A1",
    "hitId": "H1",
    "assignmentId": "S1",
    "turkSubmitTo": "https://www.mturk.com",
}


def read(platform: Platform, parameters: dict[str, str]) -> Entry:
    return read_entry(platform, parameters, PARAMETERS[platform], submit_hosts=TURK)


def test_prolific_says_person_study_and_session():
    found = read(Platform.PROLIFIC, {"PROLIFIC_PID": "p1", "STUDY_ID": "s1", "SESSION_ID": "x1"})
    assert (found.person, found.task, found.session) == ("p1", "s1", "x1")


@pytest.mark.parametrize(
    "person", ["", "  ", "two words", "x" * 121, "ключ", "{{%PROLIFIC_PID%}}", "${workerId}", "[ID]"]
)
def test_without_a_usable_id_no_one_comes(person):
    with pytest.raises(GroundworkError) as caught:
        read(Platform.PROLIFIC, {"PROLIFIC_PID": person})
    assert caught.value.code == "not_from_platform"
    assert "PROLIFIC_PID" in caught.value.message


def test_a_task_that_was_not_accepted_is_a_preview_without_a_person():
    assert read(Platform.MTURK, {**WORK, "assignmentId": MTURK_PREVIEW}) == Entry(
        Platform.MTURK, preview=True
    )


def test_finished_work_goes_to_the_platform_and_nowhere_else():
    assert submit_address(read(Platform.MTURK, WORK)) == "https://www.mturk.com/mturk/externalSubmit"
    for elsewhere in ("https://www.mturk.com.example.org", "http://www.mturk.com", "javascript:alert(1)", ""):
        with pytest.raises(GroundworkError):
            read(Platform.MTURK, {**WORK, "turkSubmitTo": elsewhere})


def test_any_other_platform_names_its_own_parameters():
    names = Parameters("worker", "job", "visit")
    given_ = {"worker": "w", "job": "j", "visit": "v"}
    found = read_entry(Platform.OTHER, given_, names, submit_hosts=frozenset())
    template = "https://example.org/done?w={person}&j={task}&v={session}&c={code}&x={other}"
    assert (
        completion_address(template, found, "A&B") == "https://example.org/done?w=w&j=j&v=v&c=A%26B&x={other}"
    )


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30))
def test_an_id_cannot_break_out_of_its_place_in_the_address(person: str) -> None:
    entry = Entry(Platform.OTHER, person=person)
    address = completion_address("https://example.org/?w={person}&end=1", entry, "")
    assert address.startswith("https://example.org/?w=")
    assert address.endswith("&end=1")
    assert not set("&=#/? ") & set(address[len("https://example.org/?w=") : -len("&end=1")])


def refusal_of(**addresses: str) -> InvalidContent:
    with pytest.raises(InvalidContent) as refused:
        check_addresses({Outcome(outcome): address for outcome, address in addresses.items()})
    assert refused.value.code == "bad_return_address"
    return refused.value


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "example.org", "ftp://example.org", "https://", "https://[{person}]/"]
)
def test_a_return_address_is_a_web_address(address):
    refused = refusal_of(screened_out=address)
    assert list(refused.fields) == ["screenout_url"]
    assert "“screened out”" in refused.message


@pytest.mark.parametrize("host", ["{person}.example", "a.org{code}", "{session}@a.org", "a.org:{task}"])
def test_no_rater_is_sent_to_a_host_that_an_id_makes_up(host):
    assert repr(host) in refusal_of(finished=f"https://{host}/end").message


def test_no_return_address_is_fine():
    check_addresses(dict.fromkeys(Outcome, ""))
    check_addresses({Outcome.FINISHED: "https://example.org/{code}"})


@pytest.mark.parametrize("other", ["https://a.org/?c=1", " https://a.org/?c=1"])
def test_equal_return_addresses_need_the_code(other):
    refused = refusal_of(finished="https://a.org/?c=1", screened_out=other)
    assert list(refused.fields) == ["screenout_url"]
    assert "“finished”" in refused.message
    check_addresses(dict.fromkeys(Outcome, "https://a.org/?c={code}"))
    check_addresses({Outcome.FINISHED: "https://a.org/?c=1", Outcome.SCREENED_OUT: "https://a.org/?c=2"})


@pytest.mark.parametrize(
    ("address", "named"), [("https://a.org/?z={zzz}", "{zzz}"), ("https://a.org/{code}?{perso", "{perso")]
)
def test_a_place_that_nothing_fills_in_is_refused_with_those_that_are_known(address, named):
    refused = refusal_of(finished=address)
    assert named in refused.message
    assert "{person}, {task}, {session} and {code}" in refused.message
