"""Sentences a second of one core, on plain sentences and on similes."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

from benchmarks.components.extractors import CUT, extractor_of
from benchmarks.components.pairs import Extractor
from scoring.hauser.components.built_in import may_hold_simile

ROUNDS = 3
MOST = 2500


def print_speed(data: Path, name: str) -> None:
    """Print the rate of an extractor and its ratio to that of cutting after the comparator."""
    rows = json.loads((data / "hauser" / "simile_candidates_raw.json").read_text(encoding="utf-8"))
    plain = [row["origin_sentence"] for row in rows][:MOST]
    similes = [candidate for row in rows for candidate in row["cands"]][:MOST]
    extractor, cut = extractor_of(name, known_similes=True), extractor_of(CUT, known_similes=True)
    for kind, sentences in (("plain sentences", plain), ("sentences with a simile", similes)):
        ours, theirs = _rate(extractor, sentences), _rate(cut, sentences)
        share = statistics.mean(map(may_hold_simile, sentences))
        words = statistics.mean(len(sentence.split()) for sentence in sentences)
        print(
            f"{kind}: {ours:,.0f} sentences a second and core, {ours / theirs:.2f} times the rate of cutting"
            f" after the comparator; {words:.0f} words each, {share:.0%} with the letters of a comparator"
        )


def _rate(extractor: Extractor, sentences: list[str]) -> float:
    """Sentences per second of processor time, the best of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for sentence in sentences:
            extractor(sentence)
        rounds.append(time.process_time() - began)
    return len(sentences) / min(rounds)
