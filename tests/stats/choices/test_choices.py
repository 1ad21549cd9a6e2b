"""Shares, answers against a key, preferences and Bradley–Terry strengths, against definitions written out."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from scoring.stats.base.proportions import answer_units, share_of, wilson
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.accuracy import accuracy_rows
from scoring.stats.choices.bradley_terry import NOT_CONNECTED, strength_rows
from scoring.stats.choices.nominal import ChoiceQuestion, choice_agreement
from scoring.stats.choices.preference import win_rates, wins_by_percent

HOW = Resampling(replicates=200, seed=5)


@given(st.integers(1, 400), st.data())
def test_wilsons_interval_is_that_of_scipy(n, data):
    hits = data.draw(st.integers(0, n))
    expected = binomtest(hits, n).proportion_ci(0.95, method="wilson")
    found = wilson(hits, n)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_answers_of_the_same_item_widen_the_interval():
    hits = np.repeat([1.0, 0.0], 20)
    separate = share_of(hits, np.arange(40), 0.95)
    together = share_of(hits, np.repeat(np.arange(8), 5), 0.95)
    assert (separate.interval.method, together.interval.method) == ("wilson", "wilson:items")
    assert together.interval.high - together.interval.low > 1.4 * (
        separate.interval.high - separate.interval.low
    )


def test_one_more_answer_does_not_make_a_share_certain():
    five = share_of(np.ones(5), np.arange(5), 0.95).interval
    more = share_of(np.ones(6), np.array([0, 1, 2, 3, 4, 4]), 0.95).interval
    assert (more.low, more.high) == pytest.approx((five.low, five.high))


def test_intervals_of_shares_of_items_with_unequal_numbers_of_answers_hold_what_they_promise():
    draw = np.random.default_rng(2)
    held = 0
    for _ in range(400):
        units = np.repeat(np.arange(20), draw.integers(1, 6, 20))
        chance = draw.beta(3.2, 0.8, 20)
        found = share_of((draw.random(len(units)) < chance[units]).astype(float), units, 0.95).interval
        held += found.low <= 0.8 <= found.high
    assert held / 400 > 0.92


def test_answers_of_items_of_a_group_share_a_unit():
    frame = pd.DataFrame({"item": list("aabbcd"), "group": ["g", "g", "g", "g", "", "h"]})
    units, unit = answer_units(frame)
    assert unit == "groups"
    assert len(set(units[:4])) == 1
    assert len(set(units)) == 3
    assert answer_units(frame[["item"]])[1] == "items"


cells = st.sampled_from(["0", "1", "2", "unsure", ""])


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from(["R1", "R2", "R3"])), cells, min_size=1
    ),
    st.data(),
)
def test_counts_against_the_key_are_those_of_counting(answers, data):
    keys = {item: data.draw(st.sampled_from("012"), label=item) for item, _ in answers}
    frame = pd.DataFrame(
        [(item, rater, value, keys[item]) for (item, rater), value in answers.items()],
        columns=["item", "rater", "value", "key"],
    )
    rows = accuracy_rows(frame, criterion="q", unsure="unsure", resampling=Resampling(20))
    together = next(row for row in rows if row["who"] == "answers")
    right = sum(value == keys[item] for (item, _), value in answers.items())
    assert (together["right"], together["n"]) == (right, len(answers))
    assert together["share"] == right / len(answers)
    names = ("right", "wrong", "unsure", "cannot_rate", "tie")
    for row in rows:
        assert sum(row[name] for name in names) == row["n"]
    assert sum(row["right"] for row in rows if row["who"] == "rater") == right
    answered = frame[frame["value"] != ""].groupby("item")
    expected = Counter(_majority(part, keys[item]) for item, part in answered if len(part) > 1)
    found = [{name: row[name] for name in names} for row in rows if row["who"] == "majority"]
    assert found == ([{name: expected[name] for name in names}] if expected else [])


def _majority(part: pd.DataFrame, key: str) -> str:
    counts = Counter(value for value in part["value"] if value)
    most = [value for value, n in counts.items() if n == max(counts.values())]
    if len(most) > 1:
        return "tie"
    return "unsure" if most[0] == "unsure" else "right" if most[0] == key else "wrong"


def test_answers_are_broken_down_by_what_has_several_values():
    frame = pd.DataFrame(
        {
            "item": ["a", "b", "c", "c"],
            "rater": ["R1", "R1", "R1", "R2"],
            "value": ["0", "1", "1", "1"],
            "key": ["0", "0", "1", "1"],
            "system": ["Quizzes", "Quizzes", "Corpus", "Corpus"],
            "category": ["same"] * 4,
        }
    )
    rows = accuracy_rows(frame, criterion="q", unsure="", resampling=HOW, by=["system", "category"])
    found = {(row["who"], row["by"], row["category"]): (row["right"], row["n"]) for row in rows}
    assert found["answers", "system", "Quizzes"] == (1, 2)
    assert found["majority", "", ""] == (1, 1)
    assert ("majority", "system", "Quizzes") not in found
    assert not any(by == "category" for _, by, _ in found)


def test_several_options_are_right_in_any_order():
    frame = pd.DataFrame({"item": ["a"], "rater": ["R1"], "value": ["sense|time"], "key": ["time|sense"]})
    (row, *_) = accuracy_rows(frame, criterion="q", unsure="", resampling=HOW)
    assert row["right"] == 1


def test_agreement_on_a_choice_takes_no_order_of_its_options_into_account():
    frame = pd.DataFrame(
        [
            (item, rater, value, "")
            for item, values in enumerate(["xx", "xy", "zz", "zz", "yx"])
            for rater, value in zip(("R1", "R2"), values, strict=True)
        ],
        columns=["item", "rater", "value", "group"],
    ).assign(item=lambda table: table["item"].astype(str))
    found = [
        {
            figure.coefficient: figure.estimate
            for figure in choice_agreement(frame, ChoiceQuestion("q", order), identified=True, resampling=HOW)
        }
        for order in ("xyz", "zxy")
    ]
    assert found[0] == pytest.approx(found[1])
    assert found[0]["exact"] == pytest.approx(3 / 5)
    shares = np.array([4, 2, 4]) / 10
    assert found[0]["fleiss"] == pytest.approx((0.6 - (shares**2).sum()) / (1 - (shares**2).sum()))


def compared(*rows: tuple[str, str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["a", "b", "outcome"])
    return frame.assign(item=[f"P{number}" for number in range(len(frame))])


def test_win_rates_count_a_tie_as_half_a_win_whatever_the_side():
    frame = compared(("x", "y", "a"), ("y", "x", "b"), ("x", "y", "tie"), ("y", "x", "a"))
    rates = {row["competitor"]: row for row in win_rates(frame, criterion="q", resampling=HOW)}
    assert (rates["x"]["wins"], rates["x"]["ties"], rates["x"]["losses"]) == (2, 1, 1)
    assert rates["x"]["share"] == 2.5 / 4
    assert rates["y"]["share"] == 1.5 / 4


def test_a_comparison_with_itself_or_without_a_name_is_nobodys_win():
    frame = compared(("x", "y", "a"), ("x", "x", "a"), ("", "y", "b"), ("x", "", "tie"))
    rates = win_rates(frame, criterion="q", resampling=HOW)
    assert {row["competitor"]: (row["n"], row["wins"]) for row in rates} == {"x": (1, 1), "y": (1, 0)}
    assert {row["competitor"] for row in strength_rows(frame, criterion="q", resampling=HOW)} == {"x", "y"}


def test_wins_by_percent_are_those_of_the_printed_table():
    """Miyazawa and Miyao, Table 6 and section 5.3: 8, 6, 6, 6 and 7 of ten pairs."""
    wins = {10: 8, 20: 6, 30: 6, 40: 6, 50: 7}
    rows = [
        {
            "item": f"{percent}-{number}",
            "percent": float(percent),
            "high": "ab"[number % 2],
            "outcome": "ab"[(number % 2) ^ (number >= won)],
        }
        for percent, won in wins.items()
        for number in range(10)
    ]
    found = wins_by_percent(pd.DataFrame(rows), criterion="q", resampling=HOW)
    assert {row["percent"]: row["wins"] for row in found} == wins
    assert all(row["n"] == 10 for row in found)


def test_strengths_of_two_are_the_log_odds_of_their_wins():
    frame = compared(*[("x", "y", "a")] * 6, *[("y", "x", "a")] * 2)
    strengths = {
        row["competitor"]: row["strength"] for row in strength_rows(frame, criterion="q", resampling=HOW)
    }
    assert strengths["x"] - strengths["y"] == pytest.approx(math.log(3))
    assert sum(strengths.values()) == pytest.approx(0)


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 6), st.integers(0, 2**16))
def test_strengths_solve_the_likelihood_equations(n, seed):
    """At the maximum everybody won as often as the model expects (Hunter 2004, eq. 3)."""
    draw = np.random.default_rng(seed)
    pairs = [tuple(draw.permutation(n)[:2]) for _ in range(25 * n)]
    frame = compared(*((f"C{a}", f"C{b}", str(draw.choice(["a", "b", "tie"]))) for a, b in pairs))
    rows = strength_rows(frame, criterion="q", resampling=Resampling(2, seed=1))
    strength = {row["competitor"]: row["strength"] for row in rows}
    if rows[0]["reason"]:
        return
    won, expected = dict.fromkeys(strength, 0.0), dict.fromkeys(strength, 0.0)
    worth = {"a": 1.0, "b": 0.0, "tie": 0.5}
    for a, b, outcome in frame[["a", "b", "outcome"]].to_numpy():
        chance = 1 / (1 + math.exp(strength[b] - strength[a]))
        won[a] += worth[outcome]
        won[b] += 1 - worth[outcome]
        expected[a] += chance
        expected[b] += 1 - chance
    assert won == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "rows",
    [
        [("x", "y", "a"), ("x", "y", "a")],
        [("x", "y", "tie"), ("u", "v", "tie")],
    ],
    ids=["somebody won everything", "parts that never meet"],
)
def test_no_strengths_are_made_up_where_none_exist(rows):
    found = strength_rows(compared(*rows), criterion="q", resampling=HOW)
    assert {row["reason"] for row in found} == {NOT_CONNECTED}
    assert all(row["strength"] is None and row["low"] is None for row in found)


def test_strengths_of_pairs_in_groups_are_bounded_by_drawing_groups():
    outcomes = ["a", "b", "a", "a", "b", "tie"]
    rows = [("x", "y", outcomes[group]) for group in range(6) for _ in range(8)]
    frame = compared(*rows)
    widths = {}
    for named, groups in {"pairs": "", "groups": [f"g{place // 8}" for place in range(48)]}.items():
        row = strength_rows(frame.assign(group=groups), criterion="q", resampling=HOW)[0]
        assert row["interval_method"] == f"percentile-bootstrap:{named}"
        widths[named] = row["high"] - row["low"]
    assert widths["groups"] > 1.5 * widths["pairs"]


def test_strengths_that_take_many_steps_are_found_and_stop_no_report():
    """A ring in which each beat the next once, and the first everybody five times more."""
    n = 20
    ring = [(f"C{one:02}", f"C{(one + 1) % n:02}", "a") for one in range(n)]
    first = [("C00", f"C{one:02}", "a") for one in range(1, n) for _ in range(5)]
    rows = strength_rows(compared(*ring, *first), criterion="q", resampling=Resampling(20, seed=1))
    assert rows[0]["competitor"] == "C00"
    assert rows[0]["strength"] > rows[1]["strength"]
    # C05 won one and lost six: as many as expected at the maximum.
    strength = {row["competitor"]: row["strength"] for row in rows}
    expected = sum(
        number / (1 + math.exp(strength[other] - strength["C05"]))
        for other, number in (("C04", 1), ("C06", 1), ("C00", 5))
    )
    assert expected == pytest.approx(1, abs=1e-3)


def _own_options(seed: int) -> pd.DataFrame:
    """Answers of three raters who choose the right one of four options three times in four."""
    draw = np.random.default_rng(seed)
    rows = [
        (f"I{item}", f"R{rater}", str(0 if draw.random() < 0.75 else draw.integers(1, 4)))
        for item in range(30)
        for rater in range(3)
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "value"])


def _permuted(frame: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The same answers in a file that has every item's options in another order."""
    draw = np.random.default_rng(seed)
    order = {item: draw.permutation(4) for item in frame["item"].unique()}
    permuted = [
        str(order[item][int(value)]) for item, value in zip(frame["item"], frame["value"], strict=True)
    ]
    return frame.assign(value=permuted)


@pytest.mark.parametrize("several", [False, True])
def test_where_options_differ_by_item_no_figure_depends_on_their_order_in_the_file(several):
    frame = _own_options(3)
    question = ChoiceQuestion("q", "0123", several=several, differs=True)
    found = [
        choice_agreement(one, question, identified=True, resampling=HOW)
        for one in (frame, _permuted(frame, 1), _permuted(frame, 2))
    ]
    expected = {figure.coefficient: (figure.estimate, figure.low, figure.high) for figure in found[0]}
    for other in found[1:]:
        for figure in other:
            if not figure.reason:
                assert (figure.estimate, figure.low, figure.high) == pytest.approx(
                    expected[figure.coefficient]
                )
    refusals = {figure.coefficient for figure in found[0] if figure.reason == "options_differ"}
    assert refusals == ({"alpha"} if several else {"alpha", "fleiss", "ac1"})
    if not several:
        assert expected["brennan_prediger"][0] == pytest.approx((expected["exact"][0] - 1 / 4) / (3 / 4))
        assert (
            expected["brennan_prediger"][1]
            < expected["brennan_prediger"][0]
            < expected["brennan_prediger"][2]
        )


@pytest.mark.parametrize("several", [False, True])
def test_anonymous_slots_are_not_counted_as_raters(several):
    frame = _own_options(4)
    question = ChoiceQuestion("q", "0123", several=several)
    figures = choice_agreement(frame, question, identified=False, resampling=HOW)
    assert {figure.n_raters for figure in figures} == {None}
    assert any(not figure.reason for figure in figures)
