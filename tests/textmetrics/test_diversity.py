"""Self-BLEU and Distinct against their plain definitions."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.textmetrics.diversity import DISTINCT_ORDERS, SELF_BLEU_ORDERS, TextSet
from scoring.textmetrics.overlap import bleu_tokens
from scoring.textmetrics.words import ngrams, tokens
from tests.textmetrics.texts import texts

sets = st.lists(texts, min_size=2, max_size=8)


@settings(max_examples=40)
@given(members=sets)
def test_self_bleu_is_sacrebleu_s_against_all_the_others(members):
    tried = TextSet(members)
    for place, member in enumerate(members):
        split = [" ".join(bleu_tokens(text)) for text in members]
        others = [text for number, text in enumerate(split) if number != place]
        for order in SELF_BLEU_ORDERS:
            scorer = sacrebleu.BLEU(tokenize="none", effective_order=True, max_ngram_order=order, force=True)
            expected = scorer.sentence_score(split[place], others).score / 100
            assert tried.self_bleu(member)[f"self_bleu_{order}"].value == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(members=sets)
def test_the_members_shares_add_up_to_the_distinct_n_of_the_set(members):
    tried = TextSet(members)
    for order in DISTINCT_ORDERS:
        lists = [ngrams(tokens(member), order) for member in members]
        total = sum(map(len, lists))
        shares = [tried.distinct(member)[f"distinct_{order}"].value for member in members]
        weighted = sum(
            len(own) * share for own, share in zip(lists, shares, strict=True) if share is not None
        )
        distinct = len({gram for own in lists for gram in own})
        assert weighted == pytest.approx(distinct)
        assert total == 0 or weighted / total == pytest.approx(distinct / total)


def test_distinct_counted_by_hand():
    """a, b occur twice in the set, c once: (1/2 + 1/2 + 1) / 3."""
    tried = TextSet(["a b c", "b a"])
    assert tried.distinct("a b c")["distinct_1"].value == pytest.approx(2 / 3)
    assert tried.distinct("b a")["distinct_2"].value == 1
    assert tried.distinct("b a")["distinct_3"].reason == "too_short"


def test_a_text_that_occurs_twice_in_the_set_is_its_own_reference():
    assert TextSet(["the sea was calm today", "the sea was calm today"]).self_bleu("the sea was calm today")[
        "self_bleu_4"
    ].value == pytest.approx(1)
