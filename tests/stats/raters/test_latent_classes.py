"""Classes and errors of raters against an independent program, by recovery, and where there are none."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from scoring.stats.data.table import Ratings
from scoring.stats.raters.latent_classes.coded_answers import CodedAnswers
from scoring.stats.raters.latent_classes.dawid_skene import DawidSkene
from scoring.stats.raters.latent_classes.fit import ModelName, fit_classes
from scoring.stats.raters.latent_classes.mace import Mace
from scoring.stats.raters.latent_classes.search import Maximum, Parameters, best_of, expect, search
from tests.stats.judges.labelled import options_rated
from tests.stats.samples import long_form, ratings_of

MODELS: tuple[ModelName, ...] = ("dawid_skene", "mace")
SMOOTHING = 1.0


def triples(ratings: Ratings) -> list[tuple[int, int, int]]:
    """(item, rater, option) of the items that have two answers or more."""
    return [
        (int(item), int(rater), int(value))
        for item, rater, value in zip(ratings.item, ratings.rater, ratings.value, strict=True)
        if ratings.sizes[item] > 1
    ]


def votes_of(rows: list[tuple[int, int, int]], k: int) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(lambda: [0.0] * k)
    for item, _, option in rows:
        found[item][option] += 1
    return {item: [one / sum(votes) for one in votes] for item, votes in found.items()}


def normalised(counts: list[float], smoothing: float) -> list[float]:
    total = sum(counts) + smoothing
    return [(one + smoothing / len(counts)) / total for one in counts]


def plain_dawid_skene(
    rows: list[tuple[int, int, int]], k: int, rounds: int = 4000
) -> tuple[dict[int, list[float]], dict[tuple[int, int], list[float]], float]:
    """Posteriors, rows of confusion matrices by (rater, class), and the log-likelihood: loops alone."""
    posterior, raters = votes_of(rows, k), sorted({rater for _, rater, _ in rows})
    confusion: dict[tuple[int, int], list[float]] = {}
    log_likelihood = math.nan
    for _ in range(rounds):
        prevalence = normalised([sum(one[c] for one in posterior.values()) for c in range(k)], SMOOTHING)
        counts = {(rater, c): [0.0] * k for rater in raters for c in range(k)}
        for item, rater, option in rows:
            for c in range(k):
                counts[rater, c][option] += posterior[item][c]
        confusion = {place: normalised(own, SMOOTHING) for place, own in counts.items()}
        joint = {item: list(prevalence) for item in posterior}
        for item, rater, option in rows:
            joint[item] = [joint[item][c] * confusion[rater, c][option] for c in range(k)]
        log_likelihood = sum(math.log(sum(one)) for one in joint.values())
        moved = max(
            abs(a / sum(one) - b) for i, one in joint.items() for a, b in zip(one, posterior[i], strict=True)
        )
        posterior = {item: [a / sum(one) for a in one] for item, one in joint.items()}
        if moved < 1e-13:
            break
    return posterior, confusion, log_likelihood


def plain_mace(
    rows: list[tuple[int, int, int]], k: int, rounds: int = 4000
) -> tuple[dict[int, list[float]], dict[int, float], float]:
    """Posteriors, competences and the log-likelihood, with knowing or not as a variable of each answer."""
    posterior, raters = votes_of(rows, k), sorted({rater for _, rater, _ in rows})
    knows, habit = {}, {rater: [1 / k] * k for rater in raters}
    for rater in raters:
        own = [posterior[item][option] for item, one, option in rows if one == rater]
        knows[rater] = (sum(own) + SMOOTHING / 2) / (len(own) + SMOOTHING)
    log_likelihood = math.nan
    for _ in range(rounds):
        joint = {item: [1 / k] * k for item in posterior}
        for item, rater, option in rows:
            guess = (1 - knows[rater]) * habit[rater][option]
            joint[item] = [joint[item][c] * (guess + knows[rater] * (c == option)) for c in range(k)]
        log_likelihood = sum(math.log(sum(one)) for one in joint.values())
        moved = max(
            abs(a / sum(one) - b) for i, one in joint.items() for a, b in zip(one, posterior[i], strict=True)
        )
        posterior = {item: [a / sum(one) for a in one] for item, one in joint.items()}
        if moved < 1e-13:
            break
        known, guessed = dict.fromkeys(raters, 0.0), {rater: [0.0] * k for rater in raters}
        for item, rater, option in rows:
            guess = (1 - knows[rater]) * habit[rater][option]
            share = posterior[item][option] * knows[rater] / (guess + knows[rater])
            known[rater] += share
            guessed[rater][option] += 1 - share
        knows = {one: normalised([known[one], sum(guessed[one])], SMOOTHING)[0] for one in raters}
        habit = {one: normalised(guessed[one], SMOOTHING) for one in raters}
    return posterior, knows, log_likelihood


@pytest.mark.parametrize("seed", range(3))
def test_dawid_and_skene_is_that_of_a_plain_program(seed: int):
    ratings = options_rated(seed, items=60, raters=5, share=0.6)
    found = fit_classes(ratings, "dawid_skene", starts=1, tolerance=1e-12, most_iterations=20_000)
    posterior, confusion, log_likelihood = plain_dawid_skene(triples(ratings), 3)
    for item in range(ratings.n_items):
        assert found.posterior[item] == pytest.approx(
            posterior.get(item, [math.nan] * 3), abs=1e-9, nan_ok=True
        )
    for (rater, c), row in confusion.items():
        assert found.confusion[rater, c] == pytest.approx(row, abs=1e-9)
    assert found.log_likelihood == pytest.approx(log_likelihood, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_mace_is_that_of_a_plain_program(seed: int):
    ratings = options_rated(seed, items=60, raters=5, share=0.6)
    found = fit_classes(ratings, "mace", starts=1, tolerance=1e-12, most_iterations=20_000)
    posterior, competence, log_likelihood = plain_mace(triples(ratings), 3)
    for item in range(ratings.n_items):
        assert found.posterior[item] == pytest.approx(
            posterior.get(item, [math.nan] * 3), abs=1e-9, nan_ok=True
        )
    assert found.competence == pytest.approx([competence[one] for one in sorted(competence)], abs=1e-9)
    assert found.log_likelihood == pytest.approx(log_likelihood, abs=1e-8)


@pytest.mark.parametrize("model", [DawidSkene, Mace])
def test_each_step_increases_the_penalised_likelihood(model: type[DawidSkene] | type[Mace]):
    used = options_rated(4, items=50, raters=5).pairable()
    answers = CodedAnswers.of(used, np.unique(used.value))
    chosen = model(answers, 0.7)
    start = list(answers.starts(3, 5))[2]
    parameters, reached = chosen.start(start), -math.inf
    for _ in range(40):
        posterior, log_likelihood = expect(answers, parameters)
        penalised = log_likelihood + chosen.penalty(parameters)
        assert penalised > reached - 1e-9
        reached, parameters = penalised, chosen.improve(parameters, posterior)


@pytest.mark.parametrize("model", MODELS)
def test_classes_and_accuracies_are_recovered_better_than_by_the_majority(model: ModelName):
    draw = np.random.default_rng(3)
    truth = draw.integers(0, 3, 600)
    accuracy = np.array([0.95, 0.9, 0.5, 0.45, 0.4])
    answers = np.where(
        draw.random((600, 5)) < accuracy, truth[:, None], (truth[:, None] + draw.integers(1, 3, (600, 5))) % 3
    )
    ratings = replace(ratings_of(long_form(answers.astype(float))), nominal=True)
    found = fit_classes(ratings, model)
    majority = np.array([np.bincount(row, minlength=3).argmax() for row in answers])
    right = float((found.estimated == truth).mean())
    assert right > 0.93 > float((majority == truth).mean()) + 0.05
    assert found.accuracy == pytest.approx(accuracy, abs=0.06)
    assert (found.cautions, found.n_at_best, found.converged) == ((), 10, True)


@pytest.mark.parametrize("model", MODELS)
def test_the_same_answers_in_another_order_give_the_same_result(model: ModelName):
    ratings = options_rated(6, items=40)
    order = np.random.default_rng(1).permutation(ratings.n_ratings)
    mixed = replace(ratings, item=ratings.item[order], rater=ratings.rater[order], value=ratings.value[order])
    one, other = fit_classes(ratings, model, seed=3), fit_classes(mixed, model, seed=3)
    assert one.posterior == pytest.approx(other.posterior, abs=1e-9, nan_ok=True)
    assert one.summary() == other.summary() | {"log_likelihood": pytest.approx(one.log_likelihood)}


def test_a_rater_against_the_others_is_worse_than_chance():
    draw = np.random.default_rng(9)
    truth = draw.integers(0, 2, 200)
    values = np.where(draw.random((200, 4)) < 0.85, truth[:, None], 1 - truth[:, None]).astype(float)
    values[:, 3] = np.where(draw.random(200) < 0.8, 1 - truth, truth)
    found = fit_classes(replace(ratings_of(long_form(values)), nominal=True), "dawid_skene")
    assert found.worse_than_chance.tolist() == [False, False, False, True]
    assert found.accuracy[3] == pytest.approx(0.2, abs=0.08)


def test_items_with_one_answer_and_their_raters_have_no_estimates():
    values = np.array([[0, 0, math.nan], [1, 1, math.nan], [0, 1, math.nan], [math.nan, math.nan, 1]] * 4)
    found = fit_classes(replace(ratings_of(long_form(values)), nominal=True), "dawid_skene")
    alone = np.isnan(found.posterior).all(axis=1)
    assert alone.tolist() == [False, False, False, True] * 4
    assert (found.estimated[alone] == -1).all()
    assert np.isnan(found.confusion[2]).all()
    assert found.n_answers.tolist() == [12, 12, 0]
    assert "few_answers" in found.cautions


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("values", "identified", "reason"),
    [
        ([[0.0, math.nan], [math.nan, 1.0]], True, "no_overlap"),
        ([[1.0, 1.0], [1.0, 1.0]], True, "constant_ratings"),
        ([[0.0, 1.0], [1.0, 1.0]], False, "anonymous_raters"),
    ],
)
def test_what_cannot_be_fitted_has_a_reason_and_no_number(model, values, identified, reason):
    ratings = replace(ratings_of(long_form(values), identified=identified), nominal=True)
    found = fit_classes(ratings, model)
    assert (found.reason, found.converged) == (reason, False)
    assert np.isnan(found.posterior).all()
    assert np.isnan(found.accuracy).all()
    assert math.isnan(found.log_likelihood)


@pytest.mark.parametrize("model", MODELS)
def test_a_search_that_does_not_end_has_no_number(model: ModelName):
    found = fit_classes(options_rated(2), model, most_iterations=3)
    assert (found.reason, found.converged, found.iterations) == ("not_converged", False, 3)
    assert np.isnan(found.posterior).all()
    assert np.isnan(found.prevalence).all()


def test_two_camps_of_raters_are_two_solutions_and_a_caution():
    """Two raters always say the one, two the other: either two may be right."""
    draw = np.random.default_rng(2)
    one, other = (draw.integers(0, 2, 60).astype(float) for _ in range(2))
    ratings = replace(ratings_of(long_form(np.column_stack([one, one, other, other]))), nominal=True)
    assert "starts_disagree" in fit_classes(ratings, "dawid_skene", seed=1).cautions


def ended(penalised: float, posterior: list[list[float]]) -> Maximum:
    empty = np.zeros(0)
    return Maximum(Parameters(empty, empty, empty), np.array(posterior), 0.0, penalised, 1, True)


@pytest.mark.parametrize(
    ("others", "n_at_best", "disagree"),
    [
        ([ended(-10.0, [[0.9, 0.1]])], 2, False),
        ([ended(-10.0, [[0.9, 0.1]]), ended(-11.0, [[0.2, 0.8]])], 2, True),
        ([ended(-10.0, [[0.9, 0.1]]), ended(-20.0, [[0.2, 0.8]])], 2, False),
        ([ended(-20.0, [[0.9, 0.1]])], 1, True),
    ],
)
def test_the_best_maximum_is_taken_and_rivals_are_a_caution(others, n_at_best, disagree):
    best = ended(-10.0, [[0.9, 0.1]])
    taken, reached, found = best_of([*others[1:], best, others[0]])
    assert (taken.penalised, reached, found) == (-10.0, n_at_best, disagree)


def test_classes_whose_raters_choose_another_option_are_switched():
    """A start from the wrong side ends with exchanged names, which are as likely; the fit starts at votes."""
    used = options_rated(1, items=80, raters=6, options=2, share=1.0)
    answers = CodedAnswers.of(used, np.unique(used.value))
    votes = next(answers.starts(1, 0))
    right, switched = (search(answers, DawidSkene(answers, 1.0), one) for one in (votes, votes[:, ::-1]))
    assert switched.penalised == pytest.approx(right.penalised, abs=1e-6)
    pooled = switched.parameters.confusion.mean(axis=0)
    assert (pooled.argmax(axis=1) != np.arange(2)).all()


@pytest.mark.parametrize(("smoothing", "starts"), [(0.0, 10), (1.0, 0)])
def test_settings_that_fit_nothing_are_refused(smoothing: float, starts: int):
    with pytest.raises(ValueError, match="must be above 0"):
        fit_classes(options_rated(1), "mace", smoothing=smoothing, starts=starts)
