"""Prompts have the study's words, and a digest that changes with any of them."""

from __future__ import annotations

from dataclasses import replace

from scoring.judging import prompt as templates
from scoring.judging.instrument import Instrument, ShownText
from scoring.judging.prompt import prompt_for_all, prompt_for_one, template_name
from tests.judging.instruments import EFFORT, FIGURE, INSTRUMENT, QUALITY, TEXTS


def test_a_prompt_has_instructions_rubric_and_texts_word_for_word():
    found = prompt_for_all(INSTRUMENT, TEXTS).user
    for words in (
        "Rate {every} sentence.",
        "Read it twice.",
        "Criterion “Overall quality” (key: quality)\nHow good is it?\nValues:\n1 = bad\n2\n3 = fair; ",
        "Values:\nsimile\nmetaphor\nnone",
        "Values: any number from 0 to 100.\n0 = none\n100",
        "Literal: He ran.\nSimile: He ran like {the} wind.",
        '"quality", "figure", "effort"',
    ):
        assert words in found


def test_a_prompt_for_one_criterion_ends_where_its_value_follows():
    found = prompt_for_one(INSTRUMENT, FIGURE, TEXTS).user
    assert found.endswith("one of the values of the criterion “Figure” and nothing else.\nAnswer:")
    assert QUALITY.name not in found


def test_the_digest_changes_with_every_word_that_the_judge_reads():
    digests = [
        prompt_for_all(INSTRUMENT, TEXTS).digest,
        prompt_for_all(replace(INSTRUMENT, instructions="Rate."), TEXTS).digest,
        prompt_for_all(replace(INSTRUMENT, question=""), TEXTS).digest,
        prompt_for_all(replace(INSTRUMENT, criteria=(QUALITY, EFFORT)), TEXTS).digest,
        prompt_for_all(INSTRUMENT, [*TEXTS, ShownText("", "More.")]).digest,
        prompt_for_all(replace(INSTRUMENT, cannot_rate=True), TEXTS).digest,
    ]
    assert len(set(digests)) == len(digests)
    assert prompt_for_all(INSTRUMENT, TEXTS).digest == digests[0]


def test_the_name_of_the_template_changes_with_its_words(monkeypatch):
    before = template_name()
    monkeypatch.setattr(templates, "TEMPLATES", (*templates.TEMPLATES, "Think."))
    assert template_name() != before
    assert template_name().startswith("v2 ")


def test_the_length_in_bytes_counts_letters_of_other_scripts_as_more():
    short = prompt_for_all(Instrument("", "", (FIGURE,)), [ShownText("", "a")]).bytes
    assert prompt_for_all(Instrument("", "", (FIGURE,)), [ShownText("", "海")]).bytes == short + 2
