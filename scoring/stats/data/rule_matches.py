"""Which items, raters and responses an exclusion rule catches."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import BoolArray
from scoring.stats.data.answers import Answers


@dataclass(frozen=True)
class RuleMatches:
    """What rules catch, as booleans over item codes, rater codes and answers."""

    items: BoolArray
    raters: BoolArray
    responses: BoolArray

    @classmethod
    def nothing(cls, answers: Answers) -> "RuleMatches":
        """A result that catches none of these answers."""
        sizes = (answers.n_items, answers.n_raters, len(answers))
        return cls(*(np.zeros(size, dtype=np.bool_) for size in sizes))

    def out(self, answers: Answers) -> BoolArray:
        """Whether each answer is excluded, shape (answers,)."""
        return np.asarray(
            self.items[answers.item] | self.raters[answers.rater] | self.responses, dtype=np.bool_
        )
