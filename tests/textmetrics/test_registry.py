"""What holds for every metric of the registry, whatever it is."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.data.directions import sign
from scoring.textmetrics.bertscore import TokenVectors
from scoring.textmetrics.candidates import Candidate, Resources
from scoring.textmetrics.registry import METRICS
from scoring.textmetrics.scores import LibraryMissing, require_libraries, score, signature
from scoring.textmetrics.words import tokens
from tests.textmetrics.texts import candidates

WHOLE = Candidate("The sea was like glass.", ("The sea was like a mirror.",), "The sea was calm.", "g")
OTHER = replace(WHOLE, text="The sea lay there like a sheet of lead.")


@dataclass(frozen=True)
class Surprise:
    perplexity: float | None
    truncated: bool = False
    reason: str = ""


def by_length(texts: Sequence[str]) -> list[Surprise]:
    """A language model that is surprised at long words."""
    return [Surprise(1 + sum(map(len, tokens(text))) / max(1, len(tokens(text)))) for text in texts]


def by_letters(texts: Sequence[str]) -> list[TokenVectors]:
    """An encoder that gives equal words equal vectors."""
    return [
        TokenVectors(np.array([_vector(word) for word in tokens(text)]), np.ones(len(tokens(text)), np.bool_))
        for text in texts
    ]


def _vector(word: str) -> np.ndarray:
    return np.frombuffer(hashlib.sha256(word.encode()).digest(), np.uint8).astype(np.float32) - 128


def resources(reference_set: str = "group") -> Resources:
    return Resources(reference_set, by_letters, by_length)  # type: ignore[arg-type]


@pytest.mark.parametrize("reference_set", ["group", "run"])
@settings(max_examples=30)
@given(made=st.lists(candidates, max_size=6), seed=st.integers(0, 99))
def test_the_order_of_the_items_changes_no_score(reference_set, made, seed):
    order = list(range(len(made)))
    random.Random(seed).shuffle(order)
    straight = score(METRICS, made, resources(reference_set))
    shuffled = score(METRICS, [made[place] for place in order], resources(reference_set))
    assert shuffled == {name: [found[place] for place in order] for name, found in straight.items()}


@settings(max_examples=30)
@given(made=st.lists(candidates, min_size=1, max_size=4))
def test_equal_items_have_equal_scores_and_asking_twice_changes_nothing(made):
    found = score(METRICS, [*made, made[0]], resources())
    assert all(outcomes[0] == outcomes[-1] for outcomes in found.values())
    assert score(METRICS, [*made, made[0]], resources()) == found


@settings(max_examples=30)
@given(made=st.lists(candidates, max_size=5))
def test_every_outcome_is_a_finite_number_within_its_bounds_or_a_reason(made):
    for name, outcomes in score(METRICS, made, resources("run")).items():
        least, greatest = METRICS[name].bounds
        for outcome in outcomes:
            assert (outcome.value is None) == bool(outcome.reason)
            if outcome.value is not None:
                assert math.isfinite(outcome.value)
                assert least - 1e-9 <= outcome.value <= greatest + 1e-9


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty_text"),
        (" \n\t", "empty_text"),
        ("…!?", "no_words"),
        ("the\x00sea", "control_characters"),
        ("half \ud800 a pair", "control_characters"),
        ("word " * 10_000, "too_long"),
    ],
)
def test_a_text_that_cannot_be_scored_has_a_reason_and_no_zero(name, text, reason):
    (outcome, _) = score([name], [replace(WHOLE, text=text), OTHER], resources())[name]
    assert (outcome.value, outcome.reason) == (None, reason)


@pytest.mark.parametrize(
    ("need", "lacking", "reason"),
    [
        ("references", replace(WHOLE, references=()), "no_reference"),
        ("references", replace(WHOLE, references=("", "\x07")), "no_reference"),
        ("source", replace(WHOLE, source=" "), "no_source"),
        ("source", replace(WHOLE, source="\x07"), "source_control_characters"),
        ("set", replace(WHOLE, group=""), "no_group"),
        ("set", replace(WHOLE, group="alone"), "group_of_one"),
    ],
)
def test_what_a_metric_needs_and_does_not_get_is_its_reason(need, lacking, reason):
    for name, metric in METRICS.items():
        outcome = score([name], [lacking, OTHER], resources())[name][0]
        assert (outcome.reason == reason) == (need in metric.needs), name


def test_a_metric_without_its_model_says_which_is_missing():
    found = score(["perplexity", "bertscore_f1"], [WHOLE], Resources())
    assert [outcomes[0].reason for outcomes in found.values()] == ["no_language_model", "no_encoder"]


def test_a_run_of_one_has_nothing_to_be_compared_with():
    assert score(["self_bleu_3"], [WHOLE], resources("run"))["self_bleu_3"][0].reason == "run_of_one"


def test_a_damaged_member_of_a_group_is_no_reference_for_the_others():
    damaged = replace(WHOLE, text="\x00")
    assert score(["distinct_1"], [WHOLE, damaged], resources())["distinct_1"][0].reason == "group_of_one"


def test_a_better_text_scores_better_in_the_direction_that_is_declared():
    close = replace(WHOLE, text="The sea was like a mirror!")
    far = replace(WHOLE, text="Nobody knew whose extraordinary bicycles vanished.")
    for name, metric in METRICS.items():
        if {"references", "language_model"} & set(metric.needs):
            better, worse = (outcome.value for outcome in score([name], [close, far], resources())[name])
            assert better is not None
            assert worse is not None
            assert (better - worse) * sign(1.0, metric.direction) > 0, name


def test_a_text_unlike_the_others_is_the_more_diverse_in_the_declared_direction():
    twins = [replace(WHOLE, text=f"The sea was like glass {end}.") for end in ("today", "tonight")]
    alone = replace(WHOLE, text="Waves rolled over each other as sheep do at a gate.")
    for name in (name for name, metric in METRICS.items() if "set" in metric.needs):
        twin, _, other = (outcome.value for outcome in score([name], [*twins, alone], resources())[name])
        assert twin is not None
        assert other is not None
        assert (other - twin) * sign(1.0, METRICS[name].direction) > 0, name


def test_a_chunk_of_a_run_is_scored_like_the_whole():
    made = [
        replace(WHOLE, text=f"The sea was like {thing}.") for thing in ("glass", "lead", "glass", "a drum")
    ]
    whole = score(METRICS, made, resources("run"))
    chunk = score(METRICS, made[1:3], resources("run"), run=made)
    assert chunk == {name: outcomes[1:3] for name, outcomes in whole.items()}


def test_every_metric_tells_how_it_was_computed():
    for name, metric in METRICS.items():
        assert metric.name == name
        assert metric.definition.endswith(".")
        assert metric.source
        described = signature(name, resources("run"))
        assert ("set run" in described) == ("set" in metric.needs)
        assert not metric.library or f"{metric.library} " in described


def test_a_library_that_is_not_installed_is_named_with_the_way_to_get_it():
    require_libraries(metric.library for metric in METRICS.values())
    with pytest.raises(LibraryMissing, match="a-package-that-is-not-there is not installed here"):
        require_libraries(["sacrebleu", "a-package-that-is-not-there"])
