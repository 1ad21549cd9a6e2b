"""The profile shows raters who do not read, says nothing where it cannot, and leaves careful ones alone."""

from __future__ import annotations

import json
import random
import statistics
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.quality.careless_responding import CheckResult, Limits, Page, flags, profile
from annotation.domain.quality.reading_speed import Least
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.typed.magnitude import LEAST, MAGNITUDE
from annotation.domain.questions.kinds.typed.reading import MOST

CRITERIA = ("relevance", "coherence", "empathy", "surprise")
QUESTIONS = tuple(Question(key=key, name=key, kind=LIKERT, minimum=1, maximum=5) for key in CRITERIA)
KEYS = (
    *("too_fast", "under_minimum", "long_string", "flat_pages", "spread"),
    *("correlation", "checks", "pasted", "tab_away"),
)
PAGES = st.lists(
    st.builds(
        Page,
        values=st.dictionaries(st.sampled_from(CRITERIA), st.integers(1, 5)),
        seconds=st.none() | st.floats(0, 100),
        least=st.none() | st.builds(Least, st.none() | st.floats(0, 60), st.none() | st.just(30.0)),
        others=st.dictionaries(st.sampled_from(CRITERIA), st.floats(1, 5)),
        pasted=st.none() | st.integers(0, 3),
        tab_away=st.none() | st.integers(0, 3),
    ),
    max_size=25,
)
CHECKS = st.lists(st.builds(CheckResult, st.none() | st.booleans(), st.fractions(0, 1)), max_size=8)


def careful_page(rng: random.Random) -> Page:
    """A rater, and the mean of two others, who each see the item's quality with some error."""
    values, others = {}, {}
    for key in CRITERIA:
        quality = rng.gauss(3, 1)
        seen = [min(5, max(1, round(quality + rng.gauss(0, 0.7)))) for _ in range(3)]
        values[key], others[key] = seen[0], statistics.fmean(seen[1:])
    return Page(values, seconds=rng.uniform(20, 90), least=Least(10, None), others=others)


def random_page(rng: random.Random) -> Page:
    page = careful_page(rng)
    return replace(page, values={key: rng.randint(1, 5) for key in CRITERIA})


def flagged(pages, checks=(), limits=None) -> set[str]:
    return {one.key for one in flags(profile(pages, QUESTIONS, checks, limits))}


def crowd(page, *, raters: int = 100, pages: int = 40):
    rng = random.Random(11)
    return [[page(rng) for _ in range(pages)] for _ in range(raters)]


@given(PAGES, CHECKS)
def test_every_indicator_is_there_and_open_ones_say_why(pages, checks):
    made = profile(pages, QUESTIONS, checks)
    assert tuple(one.key for one in made.indicators) == KEYS
    assert made.n_pages == len(pages)
    for one in made.indicators:
        assert (one.flagged is None) == bool(one.reason)
        assert json.loads(json.dumps(one.detail)) == one.detail


@given(PAGES)
def test_shares_are_of_the_pages_that_can_be_judged(pages):
    made = profile(pages, QUESTIONS, limits=Limits(fewest_timed=1))["too_fast"]
    timed = [page for page in pages if page.seconds is not None and page.least and page.least.floor]
    fast = [page for page in timed if page.seconds < page.least.floor]
    zero = [p for p in pages if p.seconds is not None and p.least and p.least.floor == 0.0]
    if timed or zero:
        assert made.value == pytest.approx(len(fast) / (len(timed) + len(zero)))
    else:
        assert made.reason == "not_timed"


def test_careful_raters_are_left_alone():
    wrong = [flagged(pages) for pages in crowd(careful_page)]
    assert sum(map(bool, wrong)) <= 3


def test_random_raters_do_not_agree_with_the_others():
    found = [flagged(pages) for pages in crowd(random_page)]
    assert sum("correlation" in keys for keys in found) >= 80
    assert not any("spread" in keys or "long_string" in keys for keys in found)


def test_one_value_throughout_shows_in_the_spread_not_in_the_run():
    pages = [replace(page, values=dict.fromkeys(CRITERIA, 3)) for page in crowd(careful_page)[0]]
    made = profile(pages, QUESTIONS)
    assert flagged(pages) == {"flat_pages", "spread"}
    assert (made["long_string"].value, made["long_string"].reason) == (40, "constant_answers")
    assert made["correlation"].reason == "constant_answers"


def test_one_value_a_criterion_shows_in_the_spread():
    row = dict(zip(CRITERIA, (3, 4, 2, 3), strict=True))
    pages = [replace(page, values=row) for page in crowd(careful_page)[0]]
    assert flagged(pages) == {"spread"}


def test_giving_up_half_way_shows_in_the_run():
    pages = crowd(careful_page, raters=1, pages=60)[0]
    tired = pages[:30] + [replace(page, values={**page.values, "empathy": 3}) for page in pages[30:]]
    made = profile(tired, QUESTIONS)["long_string"]
    assert made.flagged
    assert made.detail["criterion"] == "empathy"
    assert made.value is not None
    assert made.value >= 30
    expected = [made.detail["expected"], made.detail["expected_apart"]]
    assert all(isinstance(length, float) and length < 20 for length in expected)
    reordered = profile(random.Random(3).sample(tired, len(tired)), QUESTIONS)["long_string"]
    assert not reordered.flagged


def test_a_line_down_every_page_shows_in_the_pages():
    rng = random.Random(5)
    pages = [
        replace(page, values=dict.fromkeys(CRITERIA, rng.randint(1, 5))) for page in crowd(careful_page)[0]
    ]
    made = profile(pages, QUESTIONS)["flat_pages"]
    assert made.flagged
    assert made.value == 1
    drawn = Counter(page.values["empathy"] for page in pages)
    assert made.detail["expected"] == pytest.approx(sum((n / 40) ** 4 for n in drawn.values()))


def test_fast_raters_are_measured_against_what_reading_takes():
    pages = [replace(page, seconds=4) for page in crowd(careful_page)[0]]
    assert flagged(pages) == {"too_fast"}
    assert profile(pages, QUESTIONS)["under_minimum"].reason == "no_minimum"
    under = [replace(page, seconds=12, least=Least(10, 30)) for page in pages]
    assert flagged(under) == {"under_minimum"}
    assert profile(pages[:4], QUESTIONS)["too_fast"].reason == "too_few_answers"


def test_two_criteria_do_not_make_a_flat_page():
    pages = [Page({"relevance": 3, "coherence": 3}) for _ in range(20)]
    assert profile(pages, QUESTIONS[:2])["flat_pages"].reason == "too_few_criteria"


def test_no_other_rater_to_correlate_with():
    pages = [replace(page, others={}) for page in crowd(careful_page)[0]]
    assert profile(pages, QUESTIONS)["correlation"].reason == "no_other_raters"


def test_checks_count_against_what_chance_passes():
    def results(passed: int, failed: int) -> list[CheckResult]:
        return [CheckResult(number < passed, Fraction(1, 5)) for number in range(passed + failed)]

    assert flagged([], results(1, 4)) == {"checks"}
    assert flagged([], results(4, 1)) == set()
    made = profile([], QUESTIONS, [*results(3, 2), CheckResult(None, 0.2)])["checks"]
    assert made.detail["undecided"] == 1
    assert made.detail["p"] == pytest.approx(10 * 0.2**3 * 0.8**2 + 5 * 0.2**4 * 0.8 + 0.2**5)
    assert made.threshold == pytest.approx(4 / 5)
    assert profile([], QUESTIONS, results(1, 0))["checks"].reason == "too_few_checks"
    assert profile([], QUESTIONS)["checks"].reason == "no_checks"


def test_pastes_and_tab_switches_are_counted_and_flagged_only_by_a_limit():
    pages = [Page({}, pasted=2, tab_away=5), Page({}, pasted=1)]
    made = profile(pages, QUESTIONS)
    assert (made["pasted"].value, made["pasted"].flagged, made["tab_away"].value) == (3, None, 5)
    assert flagged(pages, limits=Limits(pasted=2, tab_away=5)) == {"pasted"}


def test_where_no_browser_counted_nothing_is_reported_of_pastes():
    made = profile([Page({}), Page({})], QUESTIONS)["pasted"]
    assert (made.value, made.flagged, made.reason) == (None, None, "not_counted")


def test_the_spread_is_not_reported_of_magnitude_estimates_which_have_no_ends():
    apt = Question(key="apt", name="apt", kind=MAGNITUDE, minimum=LEAST, maximum=MOST)
    pages = [Page({"apt": float(n % 7), "relevance": 3.0}) for n in range(30)]
    made = profile(pages, [apt])["spread"]
    assert (made.value, made.flagged, made.reason) == (None, None, "no_ends")
    assert profile(pages, [apt, QUESTIONS[0]])["spread"].detail == {"criteria": {"relevance": 0.0}}
