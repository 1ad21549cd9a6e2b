"""BLEU, chrF, ROUGE and METEOR against other computations of the same."""

from __future__ import annotations

import math
import string

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score.rouge_scorer import RougeScorer

from scoring.textmetrics import overlap
from scoring.textmetrics.candidates import Candidate
from scoring.textmetrics.words import words
from tests.textmetrics.texts import texts

western = texts.filter(lambda text: "石" not in text and "头" not in text)


@given(text=western, references=st.lists(western, min_size=1, max_size=3))
def test_bleu_is_sacrebleu_s_on_texts_with_spaces(text, references):
    found = overlap.bleu(Candidate(text, tuple(references)))
    for order in overlap.BLEU_ORDERS:
        scorer = sacrebleu.BLEU(effective_order=True, max_ngram_order=order)
        expected = scorer.sentence_score(text, references).score / 100
        assert found[f"bleu_{order}"].value == pytest.approx(min(1.0, expected), abs=1e-12)


@given(
    before=western,
    shared=st.lists(st.sampled_from("abcd"), min_size=4),
    after=western,
    others=st.lists(western),
)
def test_bleu_4_is_nltk_s_where_every_length_has_a_match(before, shared, after, others):
    text = " ".join([before, *shared])
    references = [" ".join([*shared, after]), *others]
    tokens = overlap.bleu_tokens(text)
    split = [overlap.bleu_tokens(reference) for reference in references]
    expected = sentence_bleu(split, tokens, smoothing_function=SmoothingFunction().method0)
    assert overlap.bleu(Candidate(text, tuple(references)))["bleu_4"].value == pytest.approx(expected)


def test_bleu_of_a_sentence_counted_by_hand():
    """Of its 7, 6, 5 and 4 sequences 6, 3, 2 and 1 are in the reference, which has 9 tokens."""
    found = overlap.bleu(Candidate("the cat sat on the mat today", ("the cat sat on a mat by the door",)))
    shares = [6 / 7, 3 / 6, 2 / 5, 1 / 4]
    shortness = math.exp(1 - 9 / 7)
    for order in overlap.BLEU_ORDERS:
        expected = shortness * math.prod(shares[:order]) ** (1 / order)
        assert found[f"bleu_{order}"].value == pytest.approx(expected)


def test_chinese_is_compared_by_characters():
    same = Candidate("她的心像石头。", ("她的心像石头。",))
    assert overlap.bleu(same)["bleu_4"].value == 1
    assert overlap.rouge(same)["rouge_l"].value == 1
    half = Candidate("她的心像冰", ("她的心像石头",))
    assert overlap.bleu(half)["bleu_1"].value == pytest.approx(4 / 5 * math.exp(1 - 6 / 5))
    assert overlap.rouge(half)["rouge_1"].value == pytest.approx(2 * 4 / (5 + 6))


@given(text=st.text(string.ascii_letters + string.digits + " '-_.,", max_size=40))
def test_rouge_has_the_words_of_the_rouge_package_on_ascii(text):
    assert words(text) == RougeScorer(["rouge1"])._tokenizer.tokenize(text)


def test_rouge_keeps_letters_that_are_not_ascii():
    found = overlap.rouge(Candidate("Ça va au café", ("Il va au café",)))
    assert found["rouge_1"].value == pytest.approx(3 / 4)
    assert found["rouge_2"].value == pytest.approx(2 / 3)


@given(text=texts, references=st.lists(texts, min_size=1, max_size=2))
def test_rouge_l_is_the_longest_common_subsequence(text, references):
    def f1(reference: str) -> float:
        first, second = words(text), words(reference)
        rows = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
        for row, one in enumerate(first):
            for column, two in enumerate(second):
                best = max(rows[row][column + 1], rows[row + 1][column])
                rows[row + 1][column + 1] = rows[row][column] + 1 if one == two else best
        return 2 * rows[-1][-1] / (len(first) + len(second))

    found = overlap.rouge(Candidate(text, tuple(references)))["rouge_l"].value
    assert found == pytest.approx(max(map(f1, references)))


def test_meteor_counted_by_hand_matches_stems_and_lowers_scattered_matches():
    """cats–cat and sat match in two runs of three words each; P = 3/4, R = 3/4."""
    found = overlap.meteor(Candidate("three cats sat there", ("the cat sat there",)))["meteor"].value
    mean = 10 * (3 / 4) * (3 / 4) / (3 / 4 + 9 * 3 / 4)
    assert found == pytest.approx(mean * (1 - 0.5 * (1 / 3) ** 3))


def test_meteor_needs_no_download_and_knows_no_synonyms():
    found = overlap.meteor(Candidate("automobile", ("car",)))["meteor"]
    assert (found.value, found.reason) == (0.0, "")


@given(text=texts, reference=texts)
def test_chrf_is_sacrebleu_s(text, reference):
    expected = sacrebleu.sentence_chrf(text, [reference]).score / 100
    assert overlap.chrf(Candidate(text, (reference,)))["chrf"].value == pytest.approx(expected)
