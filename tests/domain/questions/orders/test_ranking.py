"""A ranking takes an order of all options, with or without ties, or of the first few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.orders.ranking import RANKING
from annotation.protocols.definition_forms import completed_form, form_problems

OPTIONS = ("a", "b", "c", "d")
EACH = "Give each option a rank from 1 to 4."
OWN = "Two options have the same rank. Give each option its own rank."
TOP = "Give the ranks from 1 to 2 to one option each, and no rank to the others."
ALL = "Order these options, each of them once: a, b, c, d."


def asked(**settings: Any) -> Question:
    return Question("order", "Order", RANKING, options=OPTIONS, settings={"ranking": settings})


@pytest.mark.parametrize(
    ("question", "raw", "content", "cell"),
    [
        (asked(), ["b:1", "a:2", "c:3", "d:4"], [["b"], ["a"], ["c"], ["d"]], "b>a>c>d"),
        (asked(), "d > c > b > a", [["d"], ["c"], ["b"], ["a"]], "d>c>b>a"),
        (asked(ties=True), ["c:2", "b:1", "a:2", "d:4"], [["b"], ["a", "c"], ["d"]], "b>a=c>d"),
        (asked(ties=True), ["c:2", "b:1", "a:2", "d:3"], [["b"], ["a", "c"], ["d"]], "b>a=c>d"),
        (asked(ties=True), "d=a>c=b", [["a", "d"], ["b", "c"]], "a=d>b=c"),
        (asked(ties=True), "a=b=c=d", [["a", "b", "c", "d"]], "a=b=c=d"),
        (asked(top=2), ["d:1", "a:2"], [["d"], ["a"], ["b", "c"]], "d>a>b=c"),
        (asked(top=2), ["d:1", "a:2", "b:3", "c:3"], [["d"], ["a"], ["b", "c"]], "d>a>b=c"),
        (asked(top=2), "d>a>c=b", [["d"], ["a"], ["b", "c"]], "d>a>b=c"),
    ],
)
def test_an_order_is_stored_as_groups_of_tied_options_and_written_best_first(question, raw, content, cell):
    answer = RANKING.checked(question, raw)
    assert answer is not None
    assert answer.content == content
    assert RANKING.cell(answer) == cell
    assert RANKING.checked(question, RANKING.values(cell)) == answer


@pytest.mark.parametrize(
    ("question", "raw", "sentence"),
    [
        (asked(), ["b:1", "a:2", "c:3"], EACH),
        (asked(), ["b:1", "a:2", "c:3", "d:x"], EACH),
        (asked(), ["b:1", "a:2", "c:3", "e:4"], EACH),
        (asked(), ["b:1", "a:2", "c:2", "d:4"], OWN),
        (asked(), "b>a=c>d", OWN),
        (asked(), "b>a>c", ALL),
        (asked(), "b>a>c>d>d", ALL),
        (asked(), "b>a>c>e", ALL),
        (asked(top=2), ["b:1", "a:1"], TOP),
        (asked(top=2), ["b:1"], TOP),
        (asked(top=2), "a>b>c>d", TOP),
        (asked(top=2), "a=b>c=d", TOP),
        (asked(ties=True), ["a:1", "a:2", "b:1", "c:1", "d:1"], "Choose one answer only."),
    ],
)
def test_what_is_no_order_of_the_options_is_refused_in_a_sentence(question, raw, sentence):
    with pytest.raises(ValueError, match=rf"^{sentence}$"):
        RANKING.checked(question, raw)


def test_an_order_is_read_with_the_ranks_that_its_options_share():
    words = RANKING.in_words(RANKING.values("b>a=c>d"), {"a": "a queue", "b": "a clock"})
    assert words == "1. a clock; 2. a queue = c; 4. d"


def test_adjudicators_see_the_pairs_that_raters_put_in_another_order():
    assert RANKING.in_dispute(["a>b>c>d", "b>a>c=d"], {"a": "A"}) == ["A / b", "c / d"]
    assert RANKING.in_dispute(["a>b=c>d", "a>b=c>d"], {}) == []


def problems(
    *values: str, unsure: str = "", blocks: Sequence[Mapping[str, Any]] = (), **own: Any
) -> dict[str, str]:
    points = [{"value": value, "label": "", "description": "", "keyboard": ""} for value in values]
    words = {"key": "order", **dict.fromkeys(("name", "asked_after", "asked_when"), "")}
    settings = {"shuffled": False, "unsure": unsure, "answer_key": "", "ranking": own}
    nothing = {"minimum": None, "maximum": None}
    one = {**words, "kind": "ranking", **nothing, "points": points, "settings": settings}
    found = form_problems(
        completed_form(
            {"criteria": [one], "blocks": list(blocks), "examples": [], "practice": [], "translations": {}}
        )
    )
    return {path.removeprefix("criteria[0]."): sentence for path, sentence in found}


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        (problems("a"), "points", "A question of kind ranking needs at least 2 points."),
        (problems(*"abcdefghijk"), "points", "A question of kind ranking has at most 10 options."),
        (
            problems("a", "b>c"),
            "points[1].value",
            "Enter a value without “>”, “=” and “:”, which are the signs of an order.",
        ),
        (
            problems("a", "b", "c", unsure="c"),
            "settings.unsure",
            "An option “not sure” cannot be put in order. Remove it.",
        ),
        (
            problems("a", "b", top=2),
            "settings.ranking.top",
            "Rank fewer options than there are, or leave this empty to rank all of them.",
        ),
        (
            problems("a", "b", "c", top=1, ties=True),
            "settings.ranking.top",
            "Ties are allowed only where all options are ranked. Remove one of the two.",
        ),
    ],
)
def test_a_ranking_that_cannot_be_asked_is_refused_where_it_is_written(given, field, sentence):
    assert given == {field: sentence}


def test_every_rater_starts_with_an_order_of_their_own():
    orders = {
        RANKING.shown_order(OPTIONS, None, place="I-1/order", seed=1, rater_seed=seed)  # type: ignore[arg-type]
        for seed in range(40)
    }
    assert len(orders) > 10


class Someone:
    """A simulated rater who takes the option at the true place."""

    def value(self, low: int, high: int, truth: float) -> int:
        return round(low + truth * (high - low))

    def option(self, options: Sequence[str], truth: float) -> str:
        return options[self.value(0, len(options) - 1, truth)]

    def several(self, options: Sequence[str], truth: float) -> list[str]:
        return [self.option(options, truth)]


@pytest.mark.parametrize(("question", "cell"), [(asked(), "a>b>c>d"), (asked(top=2), "a>b>c=d")])
def test_simulated_raters_of_the_same_truth_begin_with_the_same_option(question, cell):
    answer = RANKING.checked(question, RANKING.simulated(question, Someone(), 0.0))
    assert answer is not None
    assert RANKING.cell(answer) == cell


@pytest.mark.parametrize(("value", "refused"), [("a", False), ("", True), ("c", True)])
def test_a_text_to_rank_names_one_of_the_options(value, refused):
    block = {"field": "a", "role": "side", "of": "order", "value": value, "whole": False}
    found = problems("a", "b", blocks=[block])
    assert ("blocks[0].value" in found) is refused
