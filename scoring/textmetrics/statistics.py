"""How a text relates to its source, and to itself: the data statistics that HANNA reports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from scoring.textmetrics.candidates import TOO_SHORT, Candidate, Outcome
from scoring.textmetrics.words import ngrams, tokens

ORDERS = (1, 2, 3)


def fragments(text: Sequence[str], source: Sequence[str]) -> list[int]:
    """Lengths of the pieces of a text that are copied from its source, found greedily from the left.

    Parameters
    ----------
    text, source
        Tokens.

    References
    ----------
    Grusky, Naaman & Artzi (2018), figure 3.
    """
    positions = defaultdict(list)
    for position, token in enumerate(source):
        positions[token].append(position)
    found = []
    start = 0
    while start < len(text):
        best, free = 0, 0
        for position in positions.get(text[start], ()):
            # A match inside an earlier one is not looked at.
            if position < free:
                continue
            length = _common(text, start, source, position)
            free = position + length
            best = max(best, length)
        if best:
            found.append(best)
        start += max(best, 1)
    return found


def _common(text: Sequence[str], start: int, source: Sequence[str], position: int) -> int:
    length = 0
    while (
        start + length < len(text)
        and position + length < len(source)
        and text[start + length] == source[position + length]
    ):
        length += 1
    return length


def against_source(candidate: Candidate) -> dict[str, Outcome]:
    """Coverage, density, compression and novelty-1 to novelty-3.

    Parameters
    ----------
    candidate
        Candidate with a source.

    Returns
    -------
    dict
        Coverage: share of the text's tokens in copied pieces. Density: mean length of the piece that a token
        belongs to. Compression: tokens of the source a token of the text. Novelty-n: share of the distinct
        n-grams of the text that are not in the source; `too_short` without any.

    References
    ----------
    Grusky, Naaman & Artzi (2018), equations (1), (2) and section 3; Fabbri et al. (2021).
    """
    text, source = tokens(candidate.text), tokens(candidate.source)
    copied = fragments(text, source)
    found = {
        "coverage": Outcome(sum(copied) / len(text)),
        "density": Outcome(sum(length**2 for length in copied) / len(text)),
        "compression": Outcome(len(source) / len(text)),
    }
    for order in ORDERS:
        own = set(ngrams(text, order))
        new = own - set(ngrams(source, order))
        found[f"novelty_{order}"] = Outcome(len(new) / len(own)) if own else Outcome(None, TOO_SHORT)
    return found


def alone(candidate: Candidate) -> dict[str, Outcome]:
    """Text length and repetition-1 to repetition-3.

    Parameters
    ----------
    candidate
        A text.

    Returns
    -------
    dict
        Length in tokens. Repetition-n: share of the distinct n-grams that occur more than once;
        `too_short` without any.

    References
    ----------
    Fabbri et al. (2021).
    """
    text = tokens(candidate.text)
    found = {"length": Outcome(float(len(text)))}
    for order in ORDERS:
        counts = Counter(ngrams(text, order))
        repeated = sum(count > 1 for count in counts.values())
        found[f"repetition_{order}"] = Outcome(repeated / len(counts)) if counts else Outcome(None, TOO_SHORT)
    return found
