"""Scores from a base of simile sentences against human ratings, over its size; and how fast it is built.

    python -m benchmarks.creativity [--data DIR]

The sentences are the candidates of HAUSER's simile_candidates_raw.json, without the rated ones, and the
closed similes of spgc_closed_similes.txt with their properties filled in. Each sample of them becomes a base;
the rated candidates, with the components of the data set, are scored with it (Figure 4, right, and Figure 6,
left, of the paper, which uses other sentences). Quality takes relevance by eq. (3), normalised within the
rated candidates of a group, and the consistencies from the data set's columns. For the speed of building,
literal sentences (plain English with no simile) are mixed with one candidate in twenty.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.base.scores import Score
from scoring.hauser.components.built_in import extract, may_hold_simile
from scoring.hauser.knowledge.corpus import Layout, sentences
from scoring.hauser.knowledge.corpus_build import build_from_corpus
from scoring.hauser.knowledge.counting import comparable
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.informativeness import informativeness
from scoring.hauser.metrics.normalisation import normalise
from scoring.hauser.metrics.quality import quality
from scoring.hauser.metrics.relevance import relevance
from scoring.replication.hauser.data import HauserData, components_of
from scoring.stats.base.association import associations
from scoring.stats.base.resampling import FloatArray

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SIZES = (30, 100, 300, 1_000, 3_000, 10_000)
SEEDS = range(5)
PUBLISHED = "published with MAPS-KB: creativity 0.592 and 0.645, quality 0.320 and 0.292"
PLAIN_SENTENCES = 100_000
SIMILE_IN = 20
Scoring = Callable[[KnowledgeBase], list[float | None]]


def corpus(data: Path, *, without_groups: bool = False) -> list[str]:
    """All sentences but the rated ones, or but all candidates of their literal sentences."""
    table = HauserData.read(data / "hauser").table
    rated = set(map(comparable, table["similes"]))
    groups = set(map(comparable, table["literal_sentences"])) if without_groups else set()
    raw = json.loads((data / "hauser" / "simile_candidates_raw.json").read_text(encoding="utf-8"))
    entries = [one["cands"] for one in raw if comparable(one["origin_sentence"]) not in groups]
    candidates = [text for one in entries for text in one if comparable(text) not in rated]
    with (data / "simile_components" / "spgc_closed_similes.txt").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    closed = [row[0].replace(" _ ", f" {row[2]} ") for row in rows if len(row) == 4]
    left_out = sum(len(one["cands"]) for one in raw) - len(candidates)
    print(
        f"{len(candidates):,} candidates ({left_out} left out) and {len(closed):,} closed similes", flush=True
    )
    return candidates + closed


def given(text: str) -> Extraction:
    """A rated candidate's components as the data set has them."""
    triples = components_of(text) or []
    return Extraction(
        tuple(Components(Part(topic), Part(vehicle), Part(event)) for topic, vehicle, event in triples)
    )


def correlations(scores: Sequence[float | None], human: FloatArray) -> tuple[float, float, int]:
    """Pearson and Spearman over the candidates that have a score, and their number."""
    values = np.array([np.nan if score is None else score for score in scores])
    both = np.isfinite(values)
    x, y = values[both][:, None], human[both][:, None]
    return (
        float(associations(x, y, "pearson")[0, 0]),
        float(associations(x, y, "spearman")[0, 0]),
        int(both.sum()),
    )


def creativities(rated: Sequence[Extraction]) -> Scoring:
    """Creativity of each candidate."""
    return lambda base: [creativity(one, base).value for one in rated]


def qualities(rated: Sequence[Extraction], published: HauserData) -> Scoring:
    """Quality of each candidate; none for those without a topic and a vehicle."""

    def score(base: KnowledgeBase) -> list[float | None]:
        raw = [relevance(one, base) for one in rated]
        normalised: dict[int, Score] = {}
        for group in np.unique(published.group):
            places = np.flatnonzero(published.group == group).tolist()
            normalised |= zip(places, normalise([raw[place] for place in places]), strict=True)
        columns = {"logic": "consistency_mnli", "sentiment": "consistency_emo"}
        stored = {part: published.metric(column).tolist() for part, column in columns.items()}
        parts = [
            {"relevance": normalised[place], **{part: Score(value=of[place]) for part, of in stored.items()}}
            for place in range(len(rated))
        ]
        return [quality(one).value if one["relevance"].value is not None else None for one in parts]

    return score


def based_on(
    lines: Sequence[str], folder: Path, score: Scoring, human: FloatArray
) -> tuple[float, float, int]:
    """The correlations with a base that is built from these sentences."""
    (folder / "corpus.txt").write_text("\n".join(lines), encoding="utf-8")
    target = folder / "corpus.kb.sqlite3"
    layout = Layout(known_similes=True)
    build_from_corpus(
        [folder / "corpus.txt"], target, folder / "corpus.staged.sqlite3", software="benchmark", layout=layout
    )
    with KnowledgeBase(target) as base:
        return correlations(score(base), human)


def curve(data: Path, folder: Path) -> None:
    """Correlation with the mean human creativity, over the number of sentences."""
    published = HauserData.read(data / "hauser")
    creative, good = published.mean("Creativity"), published.mean("Quality")
    marked = [given(text) for text in published.table["components"]]
    found = [extract(text, known_simile=True) for text in published.table["similes"]]
    named: dict[str, tuple[Scoring, FloatArray]] = {
        "creativity, components of the data set": (creativities(marked), creative),
        "creativity, built-in extractor": (creativities(found), creative),
        "quality, components of the data set": (qualities(marked, published), good),
    }
    lines = corpus(data)
    print(f"Pearson and Spearman: mean, least and greatest of {len(SEEDS)} seeds; {PUBLISHED}")
    for name, (score, human) in named.items():
        print(f"\n{name}")
        for size in (*SIZES, len(lines)):
            samples = (
                [random.Random(seed).sample(lines, size) for seed in SEEDS] if size < len(lines) else [lines]
            )
            _print_line(size, [based_on(sample, folder, score, human) for sample in samples])
    strict = corpus(data, without_groups=True)
    print("\ncreativity, components of the data set, without any candidate of the rated literal sentences")
    _print_line(len(strict), [based_on(strict, folder, creativities(marked), creative)])
    words = correlations([informativeness(one).value for one in marked], published.mean("Informativeness"))
    print(f"\ninformativeness: {words[0]:.3f} and {words[1]:.3f}, n = {words[2]}; published: 0.798 and 0.882")


def _print_line(size: int, results: Sequence[tuple[float, float, int]]) -> None:
    pearson, spearman = (_spread([result[place] for result in results]) for place in (0, 1))
    print(f"{size:>7,}  {pearson}  {spearman}  n = {results[0][2]}", flush=True)


def _spread(values: Sequence[float]) -> str:
    return f"{np.mean(values):.3f} ({min(values):.3f} to {max(values):.3f})"


def speed(data: Path, folder: Path) -> None:
    """Sentences a second and core of building, and what takes the time."""
    raw = json.loads((data / "hauser" / "simile_candidates_raw.json").read_text(encoding="utf-8"))
    literals = [one["origin_sentence"] for one in raw]
    candidates = [text for one in raw for text in one["cands"]]
    draw = random.Random(0)
    lines = [
        draw.choice(candidates if number % SIMILE_IN == 0 else literals) for number in range(PLAIN_SENTENCES)
    ]
    text = folder / "plain.txt"
    text.write_text("\n".join(lines), encoding="utf-8")
    suspected = [line for line in lines if may_hold_simile(line)]
    size = text.stat().st_size / len(lines)
    print(f"\n{len(lines):,} sentences of {size:.0f} bytes, {len(suspected):,} with a comparator")
    stages: dict[str, Callable[[], object]] = {
        "looking for a comparator": lambda: [may_hold_simile(line) for line in lines],
        "cutting those into sentences": lambda: [list(sentences(line)) for line in suspected],
        "extracting from those": lambda: [extract(line) for line in suspected],
        "all of kb build": lambda: build_from_corpus(
            [text], folder / "plain.kb.sqlite3", folder / "plain.staged.sqlite3", software="benchmark"
        ),
    }
    for name, work in stages.items():
        computing, clock = time.process_time(), time.perf_counter()
        work()
        seconds, by_clock = time.process_time() - computing, time.perf_counter() - clock
        rate = f"{len(lines) / seconds:>9,.0f} sentences a second of CPU"
        print(f"{name:30} {seconds:6.2f} s of CPU, {by_clock:6.2f} s: {rate}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-creativity-") as name:
        curve(options.data, Path(name))
        speed(options.data, Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
