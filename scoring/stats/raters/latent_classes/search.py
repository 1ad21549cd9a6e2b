"""The expectation–maximisation algorithm, from several starts."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.raters.latent_classes.coded_answers import CodedAnswers

MOST_ITERATIONS = 2000
# The search has ended once no probability of a class changes by more.
TOLERANCE = 1e-7
# Maxima whose penalised log-likelihoods differ by less are the same, up to where the searches ended.
SAME_MAXIMUM = 1e-3
# A maximum that is lower by less is nearly as likely as the best: about seven times less.
NEARLY_AS_LIKELY = 2.0


@dataclass(frozen=True)
class Parameters:
    """What a model estimates: how raters answer, given the class."""

    prevalence: FloatArray  # Share of each class, shape (classes,)
    confusion: FloatArray  # Probability of each answer given the class, shape (raters, classes, answers)
    competence: FloatArray  # MACE: probability that a rater knows the class, shape (raters,); otherwise NaN


class Model(Protocol):
    """A model of how raters answer."""

    def start(self, posterior: FloatArray) -> Parameters:
        """The parameters to begin with, from probabilities of the classes of each item."""

    def improve(self, parameters: Parameters, posterior: FloatArray, /) -> Parameters:
        """The next parameters, which increase the penalised likelihood."""

    def penalty(self, parameters: Parameters) -> float:
        """What smoothing adds to the log-likelihood: the logarithm of the prior but for a constant."""


@dataclass(frozen=True)
class Maximum:
    """Where a search ended."""

    parameters: Parameters
    posterior: FloatArray  # Probability of each class given the answers, shape (items, classes)
    log_likelihood: float  # Of the answers, in nats, without the penalty
    penalised: float  # With the penalty: what is maximised
    iterations: int
    converged: bool


def expect(answers: CodedAnswers, parameters: Parameters) -> tuple[FloatArray, float]:
    """The probability of each class of each item given the answers, and their log-likelihood.

    Parameters
    ----------
    answers : CodedAnswers
        Answers.
    parameters : Parameters
        Of the model; no probability is 0.

    Returns
    -------
    ndarray of float, shape (items, classes)
        By Bayes’ theorem, answers being independent given the class.
    float
        Σ over items of log Σ_k π_k Π θ(rater, k, answer), in nats.
    """
    own = np.log(parameters.confusion)[answers.rater, :, answers.option]
    joint = answers.sum_by_item(own) + np.log(parameters.prevalence)
    greatest = joint.max(axis=1, keepdims=True)
    likelihood = np.exp(joint - greatest)
    total = likelihood.sum(axis=1, keepdims=True)
    return np.asarray(likelihood / total, dtype=np.float64), float((np.log(total) + greatest).sum())


def search(
    answers: CodedAnswers,
    model: Model,
    start: FloatArray,
    *,
    most: int = MOST_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Maximum:
    """Search a maximum of the penalised likelihood from one start.

    Parameters
    ----------
    answers : CodedAnswers
        Answers.
    model : Model
        Of these answers.
    start : ndarray of float, shape (items, classes)
        Probabilities of the classes.
    most : int
        Number of iterations after which the search gives up.
    tolerance : float
        The search ends once no probability of a class changes by more.

    References
    ----------
    Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm.
    """
    parameters, before = model.start(start), start
    for iteration in range(1, most + 1):
        posterior, log_likelihood = expect(answers, parameters)
        converged = float(np.abs(posterior - before).max()) <= tolerance
        if converged or iteration == most:
            break
        parameters, before = model.improve(parameters, posterior), posterior
    penalised = log_likelihood + model.penalty(parameters)
    return Maximum(parameters, posterior, log_likelihood, penalised, iteration, converged)


def best_of(found: list[Maximum]) -> tuple[Maximum, int, bool]:
    """The best of several maxima, how many searches reached it, and whether starts disagree.

    Parameters
    ----------
    found : list of Maximum
        In the order of the starts.

    Returns
    -------
    Maximum
        With the greatest penalised likelihood; of equal ones the first.
    int
        How many searches ended there.
    bool
        Whether a single search of several reached it, or another maximum is nearly as likely and gives an
        item another class.
    """
    greatest = max(one.penalised for one in found)
    at_best = [one for one in found if one.penalised > greatest - SAME_MAXIMUM]
    best, classes = at_best[0], at_best[0].posterior.argmax(axis=1)
    rivals = [
        one
        for one in found
        if one.penalised > greatest - NEARLY_AS_LIKELY and (one.posterior.argmax(axis=1) != classes).any()
    ]
    alone = len(at_best) == 1 < len(found)
    return best, len(at_best), alone or any(_differs(one, best) for one in rivals)


def _differs(one: Maximum, best: Maximum) -> bool:
    """Whether an item that both are sure of has another class; near a tie, rounding decides."""
    classes = best.posterior.argmax(axis=1)
    rows = np.flatnonzero(one.posterior.argmax(axis=1) != classes)
    return bool((np.abs(one.posterior[rows] - best.posterior[rows]).max(axis=1) > SAME_MAXIMUM).any())
