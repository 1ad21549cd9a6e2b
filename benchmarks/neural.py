"""The neural part of HAUSER on models of RoBERTa-base's size, and what the plain way takes, in one run.

    python -m benchmarks.neural [--pairs N] [--groups N] [--rounds N] [--threads N] [--device DEVICE]

The models are made on the spot: the published architecture with random weights. Texts have the lengths of
the 12,495 published candidates (words: 5 % 8, quartiles 15, 24, 35, 95 % 62). The plain way tokenizes and
classifies one text at a time, in the order of the candidates: per candidate the pair (literal, simile), the
simile up to its vehicle and the literal up to its event. Sorted batches classify the literal sentence once a
group and equal texts once; the second run asks the same again with the file of answers. Ratios in brackets
are by the process's own computing time, which other work on the machine leaves alone; they are those of the
clock where nothing else runs and one thread computes. With `--device cuda` both ways compute there, and
probabilities are compared with those of the plain way on the processor.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from scoring.backends.cache import AnswerCache
from scoring.backends.checkpoints import Checkpoint, Located
from scoring.backends.classifier import Classified, Classifier
from scoring.backends.inference import DTYPES, Compute, Text
from scoring.backends.models import Models
from scoring.backends.profiles import NLI, SENTIMENT, Profile

QUANTILES = ((0.0, 4), (0.05, 8), (0.25, 15), (0.5, 24), (0.75, 35), (0.95, 62), (1.0, 113))
GROUP = 5
CANDIDATES = 1000
# The simile up to its vehicle, and the literal up to its event, as shares of the sentence.
CUTS = (0.65, 0.5)

Group = tuple[str, list[str]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=80, help="for pairs a second")
    parser.add_argument("--groups", type=int, default=60, help="of five, for the order of work")
    parser.add_argument("--rounds", type=int, default=3, help="of the pairs, each way in turn")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folders = {role: _checkpoint(folder / role, labels) for role, labels in ((NLI, 3), (SENTIMENT, 2))}
        compute = Compute(device=options.device, threads=options.threads)
        _pairs_a_second(folders[NLI], options.pairs, compute, options.rounds)
        _order_of_work(folders, folder / "answers.sqlite3", options.groups, compute)
    return 0


def _checkpoint(folder: Path, labels: int) -> Path:
    """RoBERTa-base with random weights; one word piece a word."""
    import torch
    from transformers import RobertaConfig, RobertaForSequenceClassification

    from scoring.backends.training.fitting import tokenizer

    torch.manual_seed(labels)
    names = {3: ("entailment", "neutral", "contradiction"), 2: ("negative", "positive")}[labels]
    words = tokenizer(0)
    words.model_input_names = ["input_ids", "attention_mask"]
    words.model_max_length = 512
    config = RobertaConfig(
        vocab_size=50265,
        max_position_embeddings=514,
        pad_token_id=words.pad_token_id,
        id2label=dict(enumerate(names)),
        label2id={label: number for number, label in enumerate(names)},
        initializer_range=0.05,
    )
    RobertaForSequenceClassification(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def _groups(number: int, seed: int) -> list[Group]:
    """Literal sentences with five candidates each, of words that are one piece."""
    from scoring.backends.training.fitting import tokenizer

    random = Random(seed)
    vocabulary = sorted(word for word in tokenizer(0).get_vocab() if word.isalpha() and len(word) > 2)
    groups = []
    for _ in range(number):
        literal = random.choices(vocabulary, k=_length(random.random()))
        similes = [
            [*literal, "like", *random.choices(vocabulary, k=random.randint(1, 5))] for _ in range(GROUP)
        ]
        groups.append((" ".join(literal), [" ".join(words) for words in similes]))
    return groups


def _length(drawn: float) -> int:
    for (below, shortest), (above, longest) in itertools.pairwise(QUANTILES):
        if drawn <= above:
            return round(shortest + (longest - shortest) * (drawn - below) / (above - below))
    return QUANTILES[-1][1]


def _cut(text: str, share: float) -> str:
    words = text.split()
    return " ".join(words[: max(2, math.ceil(len(words) * share))])


def _pairs_a_second(folder: Path, number: int, compute: Compute, rounds: int) -> None:
    """All ways in turns, so that what else the machine does is spread over them; medians of the rounds."""
    pairs: list[Text] = [
        (literal, simile) for literal, similes in _groups(number // GROUP, 1) for simile in similes
    ]
    plain, on_processor = _plain(folder, compute), _plain(folder, replace(compute, device="cpu"))
    ready = {dtype: _classifier(folder, replace(compute, dtype=dtype), 3) for dtype in DTYPES}
    taken: dict[str, list[Took]] = {"plain": [], **{dtype: [] for dtype in DTYPES}}
    expected = [on_processor(pair) for pair in pairs]
    found: dict[str, list[Classified]] = {}
    for _ in range(rounds):
        took, _ = _timed(lambda: [plain(pair) for pair in pairs])
        taken["plain"].append(took)
        for dtype, classifier in ready.items():
            took, found[dtype] = _timed(lambda classifier=classifier: classifier(pairs))  # type: ignore[misc]
            taken[dtype].append(took)
    median = {way: statistics.median(one.clock for one in took) for way, took in taken.items()}
    print(
        f"{number} pairs on {compute.device}, {compute.threads} threads, median of {rounds} rounds in turns"
    )
    print(f"  one at a time, fp32   {len(pairs) / median['plain']:7.1f} pairs/s")
    for dtype in DTYPES:
        both = list(zip(taken["plain"], taken[dtype], strict=True))
        ratios = [one.clock / two.clock for one, two in both]
        computing = statistics.median(one.computing / two.computing for one, two in both)
        print(
            f"  sorted batches, {dtype}  {len(pairs) / median[dtype]:7.1f} pairs/s   "
            f"{statistics.median(ratios):.2f} ×, {min(ratios):.2f} to {max(ratios):.2f} "
            f"({computing:.2f} ×)   "
            f"largest difference of a probability {_difference(expected, found[dtype]):.1e}"
        )


def _order_of_work(folders: dict[str, Path], answers: Path, number: int, compute: Compute) -> None:
    groups = _groups(number, 2)
    candidates = number * GROUP
    per_thousand = CANDIDATES / candidates
    nli, sentiment = _plain(folders[NLI], compute), _plain(folders[SENTIMENT], compute)
    plain, _ = _timed(lambda: _plain_order(nli, sentiment, groups))
    print(f"\n{CANDIDATES} candidates in groups of five, from {candidates}")
    print(f"  plain order, fp32     {plain.clock * per_thousand:7.0f} s")
    for dtype in DTYPES:
        how = replace(compute, dtype=dtype)
        models = _models(folders, answers, how)
        _warm(models)
        took, _ = _timed(lambda ready=models: _score(ready, groups))  # type: ignore[misc]
        again, _ = _timed(lambda: _score(_models(folders, answers, how), groups))  # noqa: B023
        print(f"  ours, {dtype}            {took.clock * per_thousand:7.0f} s   {took.against(plain)}")
        print(f"  ours, {dtype}, again     {again.clock * per_thousand:7.2f} s   {again.against(plain)}")


def _plain_order(
    nli: Callable[[Text], Any], sentiment: Callable[[Text], Any], groups: Sequence[Group]
) -> None:
    for literal, similes in groups:
        for simile in similes:
            nli((literal, simile))
            sentiment(_cut(simile, CUTS[0]))
            sentiment(_cut(literal, CUTS[1]))


def _score(models: Models, groups: Sequence[Group]) -> None:
    models.nli([(literal, simile) for literal, similes in groups for simile in similes])
    cut = [_cut(simile, CUTS[0]) for _, similes in groups for simile in similes]
    models.sentiment([*cut, *(_cut(literal, CUTS[1]) for literal, _ in groups)])


def _warm(models: Models) -> None:
    models.nli([("some text", "to load the model")])
    models.sentiment(["some text"])


def _models(folders: dict[str, Path], answers: Path, compute: Compute) -> Models:
    checkpoints = {role: Checkpoint(role, folder=folder) for role, folder in folders.items()}
    return Models(Profile("random", checkpoints), answers.parent, compute, AnswerCache(answers))


def _classifier(folder: Path, compute: Compute, labels: int) -> Classifier:
    ready = Classifier(Located(folder.name, "", folder), compute, labels=labels)
    ready(["some text to begin with"])
    return ready


def _plain(folder: Path, compute: Compute) -> Callable[[Text], list[float]]:
    """The usual few lines: tokenize one text, classify it."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.set_num_threads(compute.threads or 1)
    words: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForSequenceClassification.from_pretrained(folder).eval().to(compute.device)

    def classify(text: Text) -> list[float]:
        parts = (text,) if isinstance(text, str) else text
        with torch.no_grad():
            tokens = words(*parts, return_tensors="pt").to(compute.device)
            return list(model(**tokens).logits.softmax(-1)[0].tolist())

    classify("some text to begin with")
    return classify


def _difference(expected: Sequence[list[float]], found: Sequence[Classified]) -> float:
    rows = zip(expected, found, strict=True)
    return max(
        abs(one - two)
        for row, answer in rows
        for one, two in zip(row, answer.probabilities.values(), strict=True)
    )


@dataclass(frozen=True)
class Took:
    """Seconds by the clock, and those that this process computed."""

    clock: float
    computing: float

    def against(self, other: Took) -> str:
        """How many times as long the other took, by both."""
        return f"{other.clock / self.clock:,.2f} × ({other.computing / self.computing:,.2f} ×)"


def _timed(work: Callable[[], Any]) -> tuple[Took, Any]:
    clock, computing = time.perf_counter(), time.process_time()
    result = work()
    return Took(time.perf_counter() - clock, time.process_time() - computing), result


if __name__ == "__main__":
    sys.exit(main())
