"""The model of Dawid and Skene: each rater has a probability of each answer for each class."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.raters.latent_classes.coded_answers import CodedAnswers
from scoring.stats.raters.latent_classes.search import Parameters


@dataclass(frozen=True)
class DawidSkene:
    """A share of each class, and a confusion matrix of each rater.

    Parameters
    ----------
    answers
        Answers.
    smoothing
        Number of imaginary answers that each distribution is given, spread evenly over its entries: each
        row of a confusion matrix, and the shares of the classes. Above 0.

    References
    ----------
    Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm,
    equations 2.3 to 2.5; smoothing is a symmetric Dirichlet prior, of which the mode is estimated.
    """

    answers: CodedAnswers
    smoothing: float

    def start(self, posterior: FloatArray) -> Parameters:
        """Shares of the classes and confusion matrices, from the probabilities of the classes."""
        each = self.smoothing / self.answers.n_classes
        counts = np.stack(
            [
                self.answers.sum_by_rater_and_option(posterior[self.answers.item, code])
                for code in range(self.answers.n_classes)
            ],
            axis=1,
        )
        confusion = counts + each
        prevalence = posterior.sum(axis=0) + each
        return Parameters(
            prevalence / prevalence.sum(),
            confusion / confusion.sum(axis=2, keepdims=True),
            np.full(self.answers.n_raters, np.nan),
        )

    def improve(self, _: Parameters, posterior: FloatArray) -> Parameters:
        """As `start`: new parameters depend on the earlier ones only through the classes."""
        return self.start(posterior)

    def penalty(self, parameters: Parameters) -> float:
        """The sum of the logarithms of all probabilities times the imaginary answers of each."""
        each = self.smoothing / self.answers.n_classes
        return each * float(np.log(parameters.confusion).sum() + np.log(parameters.prevalence).sum())
