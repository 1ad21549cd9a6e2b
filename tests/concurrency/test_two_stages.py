"""A study in two stages, both rated at once over HTTP: the right sentences, people, numbers and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.concurrency.two_panels import WORDS, Outcome, Sitting, run
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]


def fleiss(rows: Sequence[Sequence[str]]) -> float:
    """κ by Fleiss's formula, every item with as many answers."""
    n = len(rows[0])
    counts = [Counter(row) for row in rows]
    observed = sum(sum(m * (m - 1) for m in one.values()) / (n * (n - 1)) for one in counts) / len(rows)
    total = sum(counts, Counter())
    expected = sum((m / (n * len(rows))) ** 2 for m in total.values())
    return (observed - expected) / (1 - expected)


def f1(sittings: Sequence[Sitting], part: str) -> float:
    """Of all pairs of annotators and the sentences that both have: twice the hits by the sizes."""
    hits = sizes = 0
    for one, other in combinations(sittings, 2):
        for sentence in one.answers.keys() & other.answers.keys():
            hits += one.answers[sentence][part] == other.answers[sentence][part]
            sizes += 2
    return 2 * hits / sizes


def check(outcome: Outcome, *, sentences: int) -> None:
    first, second = ([one for one in outcome.sittings if one.stage == stage] for stage in (0, 1))
    answers_by_item: dict[str, list[str]] = {}
    for sitting in first:
        for sentence, answer in sitting.answers.items():
            answers_by_item.setdefault(sentence, []).append(answer["metaphor"])
    through = {sentence for sentence, answers in answers_by_item.items() if answers == ["yes", "yes"]}
    assert {len(answers) for answers in answers_by_item.values()} == {2}
    assert len(answers_by_item) == sentences
    assert 0 < len(through) < sentences

    counted = Counter(sentence for sitting in second for sentence in sitting.answers)
    assert counted == Counter(dict.fromkeys(through, 3))
    stored = Counter((form, item) for form, item, _, late in outcome.responses if not late)
    assert {item: n for (form, item), n in stored.items() if form == "first"} == dict.fromkeys(
        answers_by_item, 2
    )
    assert {item: n for (form, item), n in stored.items() if form == "second"} == dict.fromkeys(through, 3)
    assert len(outcome.responses) == len(set(outcome.responses)) == stored.total()
    people = {
        form: {rater for of, _, rater, _ in outcome.responses if of == form} for form in ("first", "second")
    }
    assert not people["first"] & people["second"]
    seats = Counter((item, state) for form, item, _, state in outcome.seats if form == "second")
    assert seats == Counter({(item, "filled"): 3 for item in through})

    def figure(criterion: str, coefficient: str, variant: str = "") -> float:
        (row,) = [
            one
            for one in outcome.figures
            if (one["criterion"], one["coefficient"]) == (criterion, coefficient)
            and (not variant or one["variant"] == variant)
        ]
        return float(row["estimate"])

    assert figure("metaphor", "fleiss") == pytest.approx(fleiss(list(answers_by_item.values())))
    for part in WORDS:
        assert figure(f"tuples:{part}", "f1", "exact, pooled") == pytest.approx(f1(second, part))


@pytest.mark.slow
def test_twelve_sentences_rated_in_both_stages_at_once(installation: Installation) -> None:
    check(run(installation, sentences=12, first=3, second=4), sentences=12)


@pytest.mark.slow
def test_a_hundred_sentences_rated_in_both_stages_at_once(installation: Installation) -> None:
    check(run(installation, sentences=100, first=6, second=7), sentences=100)
