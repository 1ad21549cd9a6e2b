"""What passes a check, as the researcher reads it."""

from __future__ import annotations

import re

import pytest

from annotation.domain.quality.careless_responding import Indicator
from annotation.domain.quality.check_settings import settings_of
from annotation.domain.quality.checks import (
    CheckKind,
    Comprehension,
    Gold,
    Instructed,
    Knowledge,
    Repeat,
    Twin,
    verdict,
)
from annotation.models import Check, CheckVerdict
from annotation.services.base.job_kinds import registered_kinds
from annotation.templatetags.audit_words import job_words, spelled_out
from annotation.templatetags.check_words import passes_when, verdict_words
from annotation.templatetags.profile_words import indicator_evidence, indicator_reason
from config.settings.places import ROOT
from scoring.selectors.base.figures import MEANINGS
from scoring.stats.base import result
from scoring.templatetags.reason_words import reason_words

REASON = re.compile(r'^[A-Z_]+ = "([a-z]+(?:_[a-z]+)+)"$', re.MULTILINE)
OF_INDICATORS = ("careless_responding", "rank_correlation")
# By the planner and by the warning about selection.
WORDED_IN_TEMPLATES = {"out_of_reach", "picked_by_hand", "shuffle_keeps_agreement", "undefined_shuffles"}
# Next to the progress of adaptive pairs
WORDED_IN_TEMPLATES |= {"order_known", "pair_limit", "round_limit"}
# Cautions about estimated classes
WORDED_IN_TEMPLATES |= {"starts_disagree", "labels_switched", "few_answers"}


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (Instructed({"quality": 4, "clarity": 1}), ("quality 4", "clarity 1")),
        (Gold({"quality": 3.0}, {"quality": 1.0}), ("quality 3 ± 1",)),
        (Repeat(("quality",), 1.0), ("quality", "± 1")),
        (Twin({"quality": 1}), ("lower", "quality")),
        (Comprehension(("moon", "the moon")), ("“moon” or “the moon”",)),
        (Knowledge("noun", "part"), ("part", "“noun”")),
    ],
    ids=[kind.value for kind in CheckKind],
)
def test_it_says_what_passes_without_the_signs_of_a_program(check, words) -> None:
    text = passes_when(Check(kind=check.kind.value, settings=settings_of(check)))
    assert all(word in text for word in words)
    assert not set("{}[]'") & set(text)


def test_criteria_appear_under_their_names_and_not_under_their_keys() -> None:
    names = {(1, "quality"): "Fit", (2, "quality"): "Other form", (3, "answer"): "“What colour is it?”"}
    repeat = Check(kind=CheckKind.REPEAT, settings={"criteria": ["quality"], "tolerance": 1}, form_id=1)
    assert passes_when(repeat, names) == "repeats the first rating, ± 1: Fit"
    asked = Check(kind=CheckKind.KNOWLEDGE, settings={"criterion": "answer", "right": "red"}, form_id=3)
    assert passes_when(asked, names) == "answers “What colour is it?” with “red”"


def test_every_verdict_and_every_kind_of_job_has_words() -> None:
    reasons = set(re.findall(r"`(\w+)`", verdict.__doc__ or ""))
    assert {"as_told", "outside_tolerance", "original_at_bottom"} <= reasons
    assert not [one for one in reasons if verdict_words(CheckVerdict(reason=one)) == one]
    kinds = [kind.key for kind in registered_kinds()]
    assert not [kind for kind in kinds if job_words(kind) == spelled_out(kind).capitalize() and "_" in kind]


def test_every_reason_has_words_for_a_cell() -> None:
    assert not [reason for reason in MEANINGS if reason_words(reason) == reason]


def test_every_reason_why_an_indicator_of_a_rater_says_nothing_has_words() -> None:
    modules = (ROOT / "annotation" / "domain" / "quality").glob("*.py")
    text = "".join(one.read_text(encoding="utf-8") for one in modules if one.stem in OF_INDICATORS)
    reasons = set(REASON.findall(text))
    assert {"no_ends", "not_timed", "constant_answers"} <= reasons
    indicators = [Indicator("spread", None, None, None, reason) for reason in reasons]
    assert not [one for one in indicators if indicator_reason(one) == one.reason]


def test_every_reason_of_the_statistics_has_words_for_a_cell() -> None:
    modules = [path.read_text(encoding="utf-8") for path in (ROOT / "scoring" / "stats").rglob("*.py")]
    reasons = {reason for text in modules for reason in REASON.findall(text)}
    assert {"not_converged", "negative_radicand", "constant_scores"} <= reasons
    assert not [one for one in reasons - WORDED_IN_TEMPLATES if reason_words(one) == one]


def test_every_reason_of_a_coefficient_has_a_meaning_words_and_a_line_in_the_documentation() -> None:
    names = [name for name in vars(result) if name.isupper() and name != "DEFINITIONS_VERSION"]
    reasons = {getattr(result, name) for name in names}
    assert {"no_overlap", "continuous_scale"} <= reasons
    documented = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    lacking = {
        "meaning": {reason for reason in reasons if reason not in MEANINGS},
        "words": {reason for reason in reasons if reason_words(reason) == reason},
        "docs/concepts.md": {reason for reason in reasons if f"`{reason}`" not in documented},
    }
    assert {where: found for where, found in lacking.items() if found} == {}


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (0.25, "The same value on every criterion on 18 of 20 pages; about 5 by chance."),
        (1.0, "The same value on every criterion on 18 of 20 pages."),
    ],
)
def test_chance_is_named_where_it_explains_less_than_what_was_seen(expected, words):
    """A rater with one value throughout gives the same value on every page, by their own shares of values."""
    detail = {"n": 20, "flat": 18, "expected": expected}
    assert indicator_evidence(Indicator("flat_pages", 0.9, 0.5, True, "", detail)) == words
