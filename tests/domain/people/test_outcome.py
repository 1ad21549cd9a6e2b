"""How a rater's part ends decides what the platform is told: nobody is reported as finished by mistake."""

from __future__ import annotations

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


@given(states, st.booleans(), counts, limits)
def test_only_finished_work_with_the_checks_passed_is_finished(state, has_answered, failed, limit):
    outcome = decide_outcome(state, has_answered=has_answered, failed_checks=failed, failed_from=limit)
    passed = limit is None or failed < limit
    assert (outcome is Outcome.FINISHED) == (state is RaterState.FINISHED and has_answered and passed)


@given(has_answered=st.booleans(), failed=counts, limit=limits)
def test_a_leaver_does_not_agree_and_whoever_does_not_qualify_is_screened_out(has_answered, failed, limit):
    facts = {"has_answered": has_answered, "failed_checks": failed, "failed_from": limit}
    assert decide_outcome(RaterState.WITHDRAWN, **facts) is Outcome.NO_CONSENT
    assert decide_outcome(RaterState.FAILED, **facts) is Outcome.SCREENED_OUT


@given(st.sampled_from([RaterState.CONSENTED, RaterState.QUALIFYING, RaterState.ACTIVE]), counts, limits)
def test_nothing_is_decided_while_a_rater_is_at_work(state, failed, limit):
    assert decide_outcome(state, has_answered=True, failed_checks=failed, failed_from=limit) is None


@given(st.lists(st.text(max_size=3), min_size=4, max_size=4))
def test_two_outcomes_never_share_a_code(codes):
    given_codes = dict(zip(Outcome, codes, strict=True))
    plain = [code.strip().casefold() for code in codes if code.strip()]
    if len(plain) == len(set(plain)):
        check_codes(given_codes)
        return
    with pytest.raises(InvalidContent) as caught:
        check_codes(given_codes)
    assert caught.value.code == "duplicate_code"
