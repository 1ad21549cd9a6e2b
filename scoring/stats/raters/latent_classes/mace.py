"""MACE: each rater either knows the class of an item, or answers by a habit that does not depend on it."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.raters.latent_classes.coded_answers import CodedAnswers
from scoring.stats.raters.latent_classes.search import Parameters


@dataclass(frozen=True)
class Mace:
    """The competence of each rater, and how often each answers what without knowing; classes are equal.

    Parameters
    ----------
    answers
        Answers.
    smoothing
        Number of imaginary answers that each distribution is given, spread evenly over its entries: knowing
        or not, and the answers without knowing. Above 0.

    References
    ----------
    Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning Whom to Trust with MACE, section 3: the model
    and its EM algorithm with smoothing. The variational version is not used.
    """

    answers: CodedAnswers
    smoothing: float

    def start(self, posterior: FloatArray) -> Parameters:
        """Raters know as often as their answers are the class, and choose evenly otherwise."""
        answers, k = self.answers, self.answers.n_classes
        right = answers.sum_by_rater_and_option(posterior[answers.item, answers.option]).sum(axis=1)
        given = np.bincount(answers.rater, minlength=answers.n_raters)
        competence = (right + self.smoothing / 2) / (given + self.smoothing)
        return self._parameters(competence, np.full((answers.n_raters, k), 1 / k))

    def improve(self, parameters: Parameters, posterior: FloatArray) -> Parameters:
        """From the expected numbers of answers with and without knowing."""
        answers, k = self.answers, self.answers.n_classes
        knows = parameters.competence[answers.rater]
        right = posterior[answers.item, answers.option]
        as_class = parameters.confusion[answers.rater, answers.option, answers.option]
        known = right * knows / as_class
        of_known = answers.sum_by_rater_and_option(known).sum(axis=1)
        habit = answers.sum_by_rater_and_option(1 - known)
        of_both = of_known + habit.sum(axis=1) + self.smoothing
        strategy = habit + self.smoothing / k
        return self._parameters(
            (of_known + self.smoothing / 2) / of_both, strategy / strategy.sum(axis=1, keepdims=True)
        )

    def penalty(self, parameters: Parameters) -> float:
        """The sum of the logarithms of all probabilities times the imaginary answers of each."""
        knows = np.log(parameters.competence) + np.log1p(-parameters.competence)
        strategy = strategy_of(parameters)
        each = self.smoothing / self.answers.n_classes
        return float(self.smoothing / 2 * knows.sum() + each * np.log(strategy).sum())

    def _parameters(self, competence: FloatArray, strategy: FloatArray) -> Parameters:
        k = self.answers.n_classes
        habit = (1 - competence)[:, None] * strategy
        confusion = np.repeat(habit[:, None, :], k, axis=1) + competence[:, None, None] * np.eye(k)
        return Parameters(np.full(k, 1 / k), confusion, competence)


def strategy_of(parameters: Parameters) -> FloatArray:
    """The probability of each answer of a rater who does not know the class, shape (raters, answers).

    Parameters
    ----------
    parameters : Parameters
        Of this model, with two classes or more.
    """
    # The least of the answers of all classes is that of a class which is another one.
    return np.asarray(
        parameters.confusion.min(axis=1) / (1 - parameters.competence)[:, None], dtype=np.float64
    )
