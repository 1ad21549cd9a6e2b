"""Texts in further languages: a missing one falls back, and one whose original changed is dropped."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.text_languages import (
    form_texts,
    form_translation,
    form_translation_problems,
    language_shown,
    remaining_translations,
    text_in,
)

TEXT = st.sampled_from(["", "one", "two", "three"])
VALUES = ["1", "2"]


def part(keys: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    points = [
        st.fixed_dictionaries({"value": st.just(value), "label": TEXT, "description": TEXT})
        for value in VALUES
    ]
    criteria = [
        st.fixed_dictionaries(
            {"key": st.just(key), "name": TEXT, "question": TEXT, "points": st.tuples(*points).map(list)}
        )
        for key in keys
    ]
    block = st.fixed_dictionaries({"field": st.just("text"), "label": TEXT})
    return st.fixed_dictionaries(
        {"question": TEXT, "blocks": st.tuples(block).map(list), "criteria": st.tuples(*criteria).map(list)}
    )


form = part(["humour", "clarity"])


@given(form, form, form)
def test_after_a_change_only_translations_of_unchanged_texts_are_left(before, after, translated):
    remaining = remaining_translations({**before, "translations": {"ja": translated}}, after)
    old, new, were = form_texts(before), form_texts(after), form_texts(translated)
    left = form_texts(remaining["ja"]) if remaining else {}
    assert left == {where: were[where] for where in were if new.get(where) and new[where] == old.get(where)}


@given(form, form, form)
def test_a_correction_keeps_the_translations_of_all_texts_that_it_has(before, after, translated):
    remaining = remaining_translations(
        {**before, "translations": {"ja": translated}}, after, same_meaning=True
    )
    old, new, were = form_texts(before), form_texts(after), form_texts(translated)
    left = form_texts(remaining["ja"]) if remaining else {}
    assert left == {where: were[where] for where in were if new.get(where) and where in old}


@given(form, form)
def test_an_unchanged_form_keeps_every_translation_of_a_text_that_it_has(document, translated):
    remaining = remaining_translations({**document, "translations": {"ja": translated}}, document)
    own, were = form_texts(document), form_texts(translated)
    assert form_texts(remaining["ja"] if remaining else {}) == {
        where: were[where] for where in were if where in own
    }


@given(form)
def test_a_translation_is_made_again_of_its_texts(translated):
    assert form_texts(form_translation(form_texts(translated))) == form_texts(translated)


@given(form, part(["humour", "rhythm"]))
def test_a_translation_of_what_the_form_lacks_is_named_by_its_path(document, translated):
    problems = dict(form_translation_problems({**document, "translations": {"ja": translated}}))
    assert list(problems) == ["translations.ja.criteria[1]"]


def test_a_criterion_that_is_translated_twice_is_refused():
    one = {"key": "humour", "name": "n", "question": "", "points": []}
    document = {"question": "", "blocks": [], "criteria": [copy.deepcopy(one)]}
    twice = {"question": "", "blocks": [], "criteria": [one, one]}
    problems = dict(form_translation_problems({**document, "translations": {"ja": twice}}))
    assert list(problems) == ["translations.ja.criteria[1]"]


@given(TEXT, TEXT)
def test_a_text_knows_its_language(own, translated):
    shown = text_in(own, translated, own_language="en", language="ja")
    assert (shown, shown.lang) == ((translated, "ja") if translated else (own, "en"))


def test_the_language_shown_is_that_of_the_page_only_where_there_are_texts_in_it():
    texts: dict[str, dict[str, str]] = {"ja": {}}
    assert language_shown(texts, own="en", interface="ja") == "ja"
    assert language_shown(texts, own="en", interface="zh-hans") == "en"
    assert language_shown({}, own="en", interface="") == "en"
    assert language_shown(texts, own="en", interface="") == ""


def example(text: str, reason: str = "fits", answer: str = "1") -> dict[str, Any]:
    return {"criterion": "humour", "text": text, "answer": answer, "reason": reason, "right": True}


def shown(examples: list[dict[str, Any]], *, points: bool = True) -> dict[str, Any]:
    """A form with these examples."""
    scale = [{"value": "1", "label": "no", "description": ""}] if points else []
    humour = {"key": "humour", "name": "n", "question": "", "points": scale}
    return {"question": "", "blocks": [], "criteria": [humour], "examples": examples, "translations": {}}


def in_japanese(*numbers: int, **more: str) -> dict[str, Any]:
    given = [{"number": n, "text": f"t{n}", "answer": "", "reason": f"r{n}"} | more for n in numbers]
    return {"question": "", "blocks": [], "criteria": [], "examples": given, "practice": []}


@pytest.mark.parametrize(
    ("after", "left"),
    [
        ([example("new"), example("a"), example("b")], {"2": ("t1", "r1"), "3": ("t2", "r2")}),
        ([example("b"), example("a")], {"1": ("t2", "r2"), "2": ("t1", "r1")}),
        ([example("b")], {"1": ("t2", "r2")}),
        ([example("a", reason="other"), example("b")], {"1": ("t1", ""), "2": ("t2", "r2")}),
        ([example("other"), example("b")], {"1": ("", "r1"), "2": ("t2", "r2")}),
        ([example("other", reason="other"), example("b")], {"2": ("t2", "r2")}),
        ([], {}),
    ],
)
def test_an_example_keeps_its_translation_wherever_it_is_moved(after, left):
    before = {**shown([example("a"), example("b")]), "translations": {"ja": in_japanese(1, 2)}}
    remaining = remaining_translations(before, shown(after))
    examples = remaining["ja"]["examples"] if remaining else []
    assert {str(one["number"]): (one["text"], one["reason"]) for one in examples} == left


def test_examples_that_are_the_same_keep_their_own_translations():
    before = {**shown([example("a", "x"), example("a", "y")]), "translations": {"ja": in_japanese(1, 2)}}
    assert (
        remaining_translations(before, shown([example("a", "x"), example("a", "y")]))
        == before["translations"]
    )


@pytest.mark.parametrize(
    ("points", "given", "path"),
    [
        (True, in_japanese(2), "translations.ja.examples[0]"),
        (True, in_japanese(1, 1), "translations.ja.examples[1]"),
        (True, in_japanese(1, answer="いち"), "translations.ja.examples[0].answer"),
        (False, in_japanese(1, answer="いち"), None),
    ],
)
def test_a_translation_of_an_example_is_refused_where_it_has_no_place(points, given, path):
    form = {**shown([example("a")], points=points), "translations": {"ja": given}}
    assert [where for where, _ in form_translation_problems(form)] == ([path] if path else [])
