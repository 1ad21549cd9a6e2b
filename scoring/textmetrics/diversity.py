"""Self-BLEU and Distinct: how much a text repeats the others of a set."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.textmetrics.candidates import TOO_SHORT, Outcome
from scoring.textmetrics.overlap import bleu_from_counts, bleu_tokens
from scoring.textmetrics.words import ngrams, tokens

SELF_BLEU_ORDERS = (3, 4, 5)
DISTINCT_ORDERS = (1, 2, 3)

Gram = tuple[str, ...]


@dataclass(frozen=True)
class _Most:
    """An n-gram's greatest count in a text, that text, and the second greatest count."""

    count: int
    text: str
    next_count: int = 0

    def joined(self, count: int, text: str) -> _Most:
        if count > self.count:
            return _Most(count, text, self.count)
        return _Most(self.count, self.text, max(self.next_count, count))


class TextSet:
    """Texts that are compared with each other; the counts are made once for all of them.

    Parameters
    ----------
    texts
        Two or more; equal ones are members of their own.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._members = Counter(texts)

    def self_bleu(self, text: str) -> dict[str, Outcome]:
        """BLEU of a member with all other members as references.

        Parameters
        ----------
        text
            A member.

        Returns
        -------
        dict
            `self_bleu_3` to `self_bleu_5`; 0 to 1.

        References
        ----------
        Zhu et al. (2018), Texygen.
        """
        longest = max(SELF_BLEU_ORDERS)
        grams = self._grams[text]
        twin = self._members[text] > 1
        correct, total = [0] * longest, [0] * longest
        for gram, count in grams.items():
            most = self._most[gram]
            others = most.next_count if most.text == text and not twin else most.count
            correct[len(gram) - 1] += min(count, others)
            total[len(gram) - 1] += count
        length = total[0]
        reference_length = self._closest_length(length, twin=twin)
        return {
            f"self_bleu_{order}": Outcome(
                bleu_from_counts(correct[:order], total[:order], length, reference_length)
            )
            for order in SELF_BLEU_ORDERS
        }

    def distinct(self, text: str) -> dict[str, Outcome]:
        """A member's share in the Distinct-n of the set.

        An n-gram that occurs k times in the set counts 1/k each time. The mean over the members, weighted by
        their numbers of n-grams, is the Distinct-n of the set: distinct n-grams among all n-grams.

        Parameters
        ----------
        text
            A member.

        Returns
        -------
        dict
            `distinct_1` to `distinct_3`; above 0, at most 1; `too_short` without any n-gram.

        References
        ----------
        Li, Galley, Brockett, Gao & Dolan (2016); across generations: Tevet & Berant (2021).
        """
        found = {}
        for order, counts in self._distinct_counts.items():
            own = ngrams(tokens(text), order)
            share = sum(1 / counts[gram] for gram in own)
            found[f"distinct_{order}"] = Outcome(share / len(own)) if own else Outcome(None, TOO_SHORT)
        return found

    @cached_property
    def _grams(self) -> dict[str, Counter[Gram]]:
        counted = {}
        for text in self._members:
            words = bleu_tokens(text)
            counted[text] = Counter(
                gram for order in range(1, max(SELF_BLEU_ORDERS) + 1) for gram in ngrams(words, order)
            )
        return counted

    @cached_property
    def _most(self) -> dict[Gram, _Most]:
        most: dict[Gram, _Most] = {}
        for text, grams in self._grams.items():
            for gram, count in grams.items():
                most[gram] = most[gram].joined(count, text) if gram in most else _Most(count, text)
        return most

    @cached_property
    def _lengths(self) -> list[int]:
        lengths = []
        for text, grams in self._grams.items():
            lengths += [sum(count for gram, count in grams.items() if len(gram) == 1)] * self._members[text]
        return sorted(lengths)

    def _closest_length(self, length: int, *, twin: bool) -> int:
        """The length of the other member that is closest in length; of two, the shorter."""
        if twin:
            return length
        position = bisect_left(self._lengths, length)
        # The member itself is at `place`.
        around = self._lengths[max(0, position - 1) : position] + self._lengths[position + 1 : position + 2]
        return min(around, key=lambda other: (abs(other - length), other))

    @cached_property
    def _distinct_counts(self) -> dict[int, Counter[Gram]]:
        counts: dict[int, Counter[Gram]] = {order: Counter() for order in DISTINCT_ORDERS}
        for text, times in self._members.items():
            words = tokens(text)
            for order, counter in counts.items():
                for gram in ngrams(words, order):
                    counter[gram] += times
        return counts
