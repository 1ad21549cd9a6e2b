"""An extractor whose similes are those of the rules, and whose topics and vehicles a classifier finds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.hauser.base.parts import Components, Extraction
from scoring.hauser.components.built_in import extract
from scoring.hauser.components.trained.network import Network
from scoring.hauser.components.trained.windows import Language, Tokens, tokens_of, window_at


@dataclass(frozen=True)
class TrainedExtractor:
    """Find pairs by the rules, and their topics and vehicles by a trained classifier.

    Pairs at comparators of another language are those of the rules.
    """

    network: Network
    language: Language
    known_similes: bool = False
    digest: str = ""  # Of its language, vocabulary and weights, where it was read from a folder

    def __call__(self, sentence: str) -> Extraction:
        """The pairs of a sentence, or the reason that the rules give."""
        found = extract(sentence, known_simile=self.known_similes)
        if not found.pairs:
            return found
        tokens = tokens_of(sentence, self.language)
        pairs = [self._with_parts(tokens, pair) for pair in found.pairs]
        return Extraction(tuple(sorted(pairs, key=lambda pair: pair.vehicle.start or 0)))

    def _with_parts(self, tokens: Tokens, pair: Components) -> Components:
        comparator = pair.comparator
        if comparator is None or comparator.text.isascii() != (self.language == "en"):
            return pair
        window = window_at(tokens, comparator, pair)
        if window is None:
            return pair
        topic, vehicle = self.network.spans(window)
        return replace(pair, topic=window.part(topic) if topic else pair.topic, vehicle=window.part(vehicle))
