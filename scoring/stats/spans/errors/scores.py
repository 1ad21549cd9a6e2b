"""The score of a text from the weights of the errors marked in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

TEXT, CHARACTERS, WORDS = PER = ("text", "100 characters", "100 words")
HUNDRED = 100.0


@dataclass(frozen=True)
class ScoreFormula:
    """How weights become a score.

    Attributes
    ----------
    per : str
        `text`: the sum of the weights; `100 characters` or `100 words`: that sum by this length of text.
    cap : float or None
        The highest score; None for no limit.
    """

    per: str = TEXT
    cap: float | None = None

    def score(self, weights: Iterable[float], text: str) -> float:
        """Return the score of one rater's errors in a text; the lower the better, 0 without an error.

        Parameters
        ----------
        weights : iterable of float
            Weight of the severity of each error.
        text : str
            The marked text. Its characters are Unicode code points; its words are separated by white space.

        Returns
        -------
        float
            In weights per text, per 100 characters or per 100 words.

        Notes
        -----
        Sum of severity weights as in MQM (Freitag et al. 2021, TACL 9, section 3.2), there per segment.
        """
        total = float(sum(weights))
        if self.per != TEXT:
            total *= HUNDRED / max(len(text) if self.per == CHARACTERS else len(text.split()), 1)
        return total if self.cap is None else min(total, self.cap)
