"""How a rater's part ends decides what the platform is sent: no rater is reported as finished by mistake."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.platforms import Outcome, check_codes
from annotation.domain.base.states import RaterState
from annotation.domain.people.outcome import decide_outcome

states = st.sampled_from(RaterState)
counts = st.integers(0, 5)
limits = st.none() | st.integers(1, 5)


facts_of_raters = st.fixed_dictionaries(
    {
        "is_excluded": st.booleans(),
        "has_answered": st.booleans(),
        "failed_checks": counts,
        "failed_from": limits,
    }
)


def has_passed(facts: dict[str, Any]) -> bool:
    return facts["failed_from"] is None or facts["failed_checks"] < facts["failed_from"]


@given(states, facts_of_raters)
def test_only_finished_work_that_counts_with_the_checks_passed_is_finished(state, facts):
    counts_as_work = facts["has_answered"] and not facts["is_excluded"] and has_passed(facts)
    outcome = decide_outcome(state, **facts)
    assert (outcome is Outcome.FINISHED) == (state is RaterState.FINISHED and counts_as_work)


@given(facts_of_raters)
def test_a_leaver_does_not_agree_and_a_rater_who_does_not_qualify_is_screened_out(facts):
    assert decide_outcome(RaterState.WITHDRAWN, **facts) is Outcome.NO_CONSENT
    assert decide_outcome(RaterState.FAILED, **facts) is Outcome.SCREENED_OUT


@given(st.sampled_from([RaterState.CONSENTED, RaterState.QUALIFYING, RaterState.ACTIVE]), counts, limits)
def test_nothing_is_decided_while_a_rater_is_at_work(state, failed, limit):
    facts: dict[str, Any] = {"has_answered": True, "failed_checks": failed, "failed_from": limit}
    assert decide_outcome(state, is_excluded=False, **facts) is None


@given(st.sampled_from([RaterState.CONSENTED, RaterState.ACTIVE, RaterState.FINISHED]), facts_of_raters)
def test_an_excluded_rater_is_screened_out_or_has_failed_the_checks(state, facts):
    outcome = decide_outcome(state, **facts | {"is_excluded": True})
    assert outcome is (Outcome.SCREENED_OUT if has_passed(facts) else Outcome.FAILED_CHECKS)


@given(st.lists(st.text(st.characters(max_codepoint=126), max_size=3), min_size=4, max_size=4))
def test_two_outcomes_never_share_a_code(codes):
    given_codes = dict(zip(Outcome, codes, strict=True))
    plain = [code.strip().casefold() for code in codes if code.strip()]
    if len(plain) == len(set(plain)):
        check_codes(given_codes)
        return
    with pytest.raises(InvalidContent) as caught:
        check_codes(given_codes)
    assert caught.value.code == "duplicate_code"


@pytest.mark.parametrize("other", ["ＤＯＮＥ", "done\u200b", "\u2060Done ", "do\u00adne", "DONE\ufeff"])
def test_codes_that_look_the_same_are_the_same(other):
    with pytest.raises(InvalidContent) as caught:
        check_codes({Outcome.FINISHED: "DONE", Outcome.SCREENED_OUT: other})
    assert (caught.value.code, list(caught.value.fields)) == ("duplicate_code", ["screenout_code"])
