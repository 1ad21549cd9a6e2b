"""How many words a simile's vehicles have (section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import NO_COMPONENTS, NO_WORDS, Score

# A Chinese character is a word; anything else is one between spaces, when there is a letter or digit in it.
WORD = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]*[^\W\u3400-\u9fff][^\s\u3400-\u9fff]*")


@dataclass(frozen=True, kw_only=True)
class Informativeness(Score):
    """A simile's informativeness and the number of words of each vehicle; one per pair."""

    words: Sequence[int] = ()


def informativeness(extraction: Extraction) -> Informativeness:
    """The mean number of words of the vehicles, determiners included; not normalised.

    Parameters
    ----------
    extraction : Extraction
        The simile's components.

    Returns
    -------
    Informativeness
        At least 1. No value without a vehicle: the extraction's own reason, `no_components`, or `no_words`.

    Notes
    -----
    He et al. (2023), section 3.3. Chinese is written without spaces: there each character counts.
    """
    if not extraction.pairs:
        return Informativeness(value=None, reason=extraction.reason or NO_COMPONENTS)
    words = [number for pair in extraction.pairs if (number := len(WORD.findall(pair.vehicle.text)))]
    if not words:
        return Informativeness(value=None, reason=NO_WORDS)
    return Informativeness(value=fmean(words), words=tuple(words))
