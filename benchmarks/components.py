"""The built-in extractor of simile components against marks made by hand, beside two simple baselines.

    python -m benchmarks.components [--data DIR]

Half of the data was read while the rules were written, the other half was held out until they stood
(`docs/components.md` says what was mended after that); both are printed. A part is compared as its look-up
key (`lookup_key`): exact, and by the F1 of its words. The probing sentences mark one word a part: there
`holds` says how often the part has that word in it. Where a sentence has several marks, each is compared with
the pair whose vehicle fits it best, and no pair serves twice. A mark without a pair counts 0. Every marked
sentence is known to be a simile, and the extractor is told so; the second line of a set is without that.
"""

from __future__ import annotations

import argparse
import ast
import csv
import functools
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.components.built_in import extract, may_hold_simile
from scoring.hauser.components.chinese import COMPARATOR

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# Rows of components.csv, from the first, that were read while the rules were written.
READ_ROWS = 101
WORD = re.compile(r"\w+")
PIECE = re.compile(r"[\w'’-]+|[^\w\s]")
FUNCTION_WORDS = frozenset(
    [
        *(
            "that",
            "which",
            "who",
            "and",
            "or",
            "but",
            "because",
            "when",
            "while",
            "if",
            "after",
            "before",
            "so",
        ),
        *("with", "without", "in", "on", "at", "to", "from", "by", "for", "into", "over", "under", "through"),
        *(
            "during",
            "among",
            "between",
            "is",
            "are",
            "was",
            "were",
            "be",
            "has",
            "had",
            "will",
            "would",
            "can",
        ),
    ]
)
ENDS = frozenset(',.;:!?()"“”')
TOPIC_WORDS = 2


@dataclass(frozen=True)
class Pair:
    """A topic, a vehicle and an event as text; empty where there is none."""

    topic: str
    vehicle: str
    event: str = ""


Marked = list[tuple[str, list[Pair]]]
Extractor = Callable[[str], list[Pair]]


def built_in(sentence: str, *, known_simile: bool = False) -> list[Pair]:
    """The pairs of the extractor that is measured."""
    extraction = extract(sentence, known_simile=known_simile)
    return [
        Pair(
            pair.topic.text if pair.topic else "",
            pair.vehicle.text,
            pair.event.text if pair.event else "",
        )
        for pair in extraction.pairs
    ]


def cut_after_comparator(sentence: str) -> list[Pair]:
    """The baselines: what follows the comparator up to a function word or comma; the clause's first words."""
    pieces = PIECE.findall(sentence)
    pairs = []
    for place, piece in enumerate(pieces):
        is_second_as = piece == "as" and "as" in pieces[max(0, place - 4) : place - 1]
        if piece.lower() == "like" or is_second_as:
            pairs.append(Pair(_first_words(pieces[:place]), _up_to_function_word(pieces[place + 1 :])))
    return pairs


def _up_to_function_word(pieces: list[str]) -> str:
    kept: list[str] = []
    for piece in pieces:
        if piece in ENDS or piece.lower() in FUNCTION_WORDS:
            if kept:
                break
            continue
        kept.append(piece)
    return " ".join(kept)


def _first_words(pieces: list[str]) -> str:
    """The first words, without its article, of the clause that ends there."""
    start = len(pieces)
    while start and pieces[start - 1] not in ENDS:
        start -= 1
    words = [piece for piece in pieces[start:] if piece.lower() not in ("a", "an", "the")]
    return " ".join(words[:TOPIC_WORDS])


def overlap(found: str, marked: str) -> float:
    """F1 of the words of two look-up keys, repeated words counted."""
    ours, theirs = Counter(WORD.findall(lookup_key(found))), Counter(WORD.findall(lookup_key(marked)))
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0


def covers(found: str, marked: str) -> bool:
    return not Counter(WORD.findall(lookup_key(marked))) - Counter(WORD.findall(lookup_key(found)))


def matched(pairs: list[Pair], marks: list[Pair]) -> Iterator[tuple[Pair, Pair]]:
    """Each mark with the pair that fits it best, or with an empty one."""
    left = list(pairs)
    for mark in marks:
        best = max(
            left,
            key=lambda pair: (overlap(pair.vehicle, mark.vehicle), overlap(pair.topic, mark.topic)),
            default=None,
        )
        if best is None:
            yield Pair("", ""), mark
        else:
            left.remove(best)
            yield best, mark


def measure(name: str, marked: Marked, extractor: Extractor) -> None:
    couples = [couple for sentence, marks in marked for couple in matched(extractor(sentence), marks)]
    cells = [f"{name:<44} {len(couples):>5}"]
    for part in ("topic", "vehicle"):
        texts = [(getattr(found, part), getattr(mark, part)) for found, mark in couples]
        exact = statistics.mean(lookup_key(ours) == lookup_key(theirs) for ours, theirs in texts)
        f1 = statistics.mean(overlap(ours, theirs) for ours, theirs in texts)
        held = statistics.mean(covers(ours, theirs) for ours, theirs in texts)
        cells.append(f"  {part} exact {exact:.3f} F1 {f1:.3f} holds {held:.3f}")
    events = [(found.event, mark.event) for found, mark in couples if mark.event]
    if events:
        right = statistics.mean(ours.lower() == theirs.lower() for ours, theirs in events)
        cells.append(f"  event {right:.3f}")
    print("".join(cells))


def components(data: Path) -> list[tuple[str, Pair]]:
    rows = rows_of(data / "simile_components" / "components.csv")
    return [(row["sentence"], Pair(row["topic"], row["vehicle"])) for row in rows]


def probing(path: Path) -> Marked:
    """The blank is filled with the right option where it stands as a word of its own."""
    marked: Marked = []
    for row in rows_of(path):
        right = row[f"option{row['ans_idx']}"]
        filled = " ".join(right if word == "_" else word for word in row["sentence"].split(" "))
        marked.append((filled, [Pair(row["topic"], row["vehicle"], row["event"])]))
    return marked


def hauser(data: Path) -> Marked:
    marked: Marked = []
    for row in rows_of(data / "hauser" / "human_annotated.csv"):
        triples = [Pair(*triple) for triple in ast.literal_eval(row["components"])]
        marked.append((row["similes"], [mark for mark in triples if mark.vehicle != "-"]))
    return marked


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def grouped(rows: Iterable[tuple[str, Pair]]) -> Marked:
    groups: dict[str, list[Pair]] = {}
    for sentence, mark in rows:
        groups.setdefault(sentence, []).append(mark)
    return list(groups.items())


def detection(name: str, rows: list[dict[str, str]]) -> None:
    labels = [row["label"] == "1" for row in rows]
    found = [bool(extract(row["sentence"]).pairs) for row in rows]
    share = statistics.mean(labels)
    accuracy = statistics.mean(ours == theirs for ours, theirs in zip(found, labels, strict=True))
    hits = sum(ours and theirs for ours, theirs in zip(found, labels, strict=True))
    print(
        f"{name:<44} {len(rows):>5}  accuracy {accuracy:.3f} precision {hits / max(1, sum(found)):.3f}"
        f" recall {hits / max(1, sum(labels)):.3f}  (always no: {1 - share:.3f})"
    )


def chinese(name: str, path: Path) -> None:
    """Character F1 of the vehicle where a comparator stands and the vehicle's last character follows it."""
    scores = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        context, vehicle = row["context"], row["vehicle"]
        if not any(
            vehicle[-1:] in context[match.end() : match.end() + 24] for match in COMPARATOR.finditer(context)
        ):
            continue
        scores.append(max((_characters(pair.vehicle, vehicle) for pair in built_in(context)), default=0.0))
    print(f"{name:<44} {len(scores):>5}  vehicle F1 of characters {statistics.mean(scores):.3f}")


def _characters(found: str, marked: str) -> float:
    return 2 * (Counter(found) & Counter(marked)).total() / (len(found) + len(marked))


def speed(data: Path) -> None:
    rows = json.loads((data / "hauser" / "simile_candidates_raw.json").read_text(encoding="utf-8"))
    plain = [row["origin_sentence"] for row in rows]
    similes = [candidate for row in rows for candidate in row["cands"]][:2500]
    for name, sentences in (("plain sentences", plain), ("sentences with a simile", similes)):
        ours, theirs = _rate(built_in, sentences), _rate(cut_after_comparator, sentences)
        share = statistics.mean(map(may_hold_simile, sentences))
        words = statistics.mean(len(sentence.split()) for sentence in sentences)
        print(
            f"{name}: {ours:,.0f} sentences a second and core, {ours / theirs:.2f} times the rate of cutting"
            f" after the comparator; {words:.0f} words each, {share:.0%} with the letters of a comparator"
        )


def _rate(extractor: Extractor, sentences: list[str]) -> float:
    """Sentences per second of processor time, the best of three rounds."""
    rounds = []
    for _ in range(3):
        began = time.process_time()
        for sentence in sentences:
            extractor(sentence)
        rounds.append(time.process_time() - began)
    return len(sentences) / min(rounds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the published data sets")
    data = parser.parse_args().data
    rows = components(data)
    train = rows_of(data / "simile_components" / "detection_train.txt")
    read, unread = rows[:READ_ROWS], rows[READ_ROWS:]
    train_sentences = {row["sentence"] for row in train} | {sentence for sentence, _ in read}
    sets: list[tuple[str, Marked]] = [
        ("read: components.csv, first half", grouped(read)),
        ("read: simile_probing, Quizzes", probing(data / "simile_probing" / "Quizzes.csv")),
        ("held out: components.csv, second half", grouped(unread)),
        (
            "held out: of these, in no file that was read",
            grouped(row for row in unread if row[0] not in train_sentences),
        ),
        ("held out: simile_probing, General Corpus", probing(data / "simile_probing" / "General_Corpus.csv")),
        ("held out: HAUSER", hauser(data)),
    ]
    for name, marked in sets:
        measure(name, marked, functools.partial(built_in, known_simile=True))
        measure("  with its own detection", marked, built_in)
        measure("  cut after the comparator", marked, cut_after_comparator)
    unread_sentences = {sentence for sentence, _ in unread}
    detection("read: detection_train", [row for row in train if row["sentence"] not in unread_sentences])
    seen = {row["sentence"] for row in train} | {sentence for sentence, _ in rows}
    dev = rows_of(data / "simile_components" / "detection_dev.txt")
    detection("held out: detection_dev", dev)
    detection("held out: of these, in no other file", [row for row in dev if row["sentence"] not in seen])
    chinese("read: CMDAG, 200 samples", data / "cmdag" / "train_data_sampled_200.json")
    chinese("held out: CMDAG, test", data / "cmdag" / "test_data.json")
    speed(data)


if __name__ == "__main__":
    main()
