"""The cache of models' answers compared with `diskcache`, if that is installed.

    python -m benchmarks.answer_cache [--answers 20000]

Both store the same answers under digests of the same length, in a file that several processes may share, find
them again, and take turns batch by batch. Microseconds of time for an answer: the middle of the batches.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from scoring.backends.cache import DIGEST_BYTES, AnswerCache
from scoring.backends.inference import Text

BATCH = 64
IDENTITY = "benchmark"
Answers = dict[Text, dict[str, object]]
Act = Callable[[Answers], object]


def own(folder: Path) -> dict[str, Act]:
    """Storing and finding in the project's cache."""
    cache = AnswerCache(folder / "answers.sqlite3")
    return {
        "store": lambda answers: cache.store(IDENTITY, answers),
        "find": lambda answers: cache.find(IDENTITY, list(answers)),
    }


def of_diskcache(folder: Path) -> dict[str, Act]:
    """The same with `diskcache`, a transaction for each batch."""
    cache = importlib.import_module("diskcache").Cache(str(folder / "diskcache"))

    def key(text: Text) -> bytes:
        return blake2b(f"{IDENTITY}\0{text}".encode(), digest_size=DIGEST_BYTES).digest()

    def store(answers: Answers) -> None:
        with cache.transact():
            for text, answer in answers.items():
                cache.set(key(text), answer)

    def find(answers: Answers) -> object:
        with cache.transact():
            return {text: cache.get(key(text)) for text in answers}

    return {"store": store, "find": find}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answer_cache", description=__doc__)
    parser.add_argument("--answers", type=int, default=20_000)
    options = parser.parse_args()
    batches: list[Answers] = [
        {f"The lamp {n} hung like a moon.": {"probabilities": [0.2, 0.5, 0.3]} for n in range(at, at + BATCH)}
        for at in range(0, options.answers, BATCH)
    ]
    with tempfile.TemporaryDirectory(prefix="groundwork-cache-") as folder:
        ways = {"own": own(Path(folder))}
        if importlib.util.find_spec("diskcache"):
            ways["diskcache"] = of_diskcache(Path(folder))
        for act in ("store", "find"):
            times: dict[str, list[float]] = {name: [] for name in ways}
            for batch in batches:
                for name, acts in ways.items():
                    began = time.perf_counter()
                    acts[act](batch)
                    times[name].append((time.perf_counter() - began) / BATCH * 1e6)
            middles = {name: statistics.median(taken) for name, taken in times.items()}
            print(act, ", ".join(f"{name} {middle:.1f} µs" for name, middle in middles.items()))


if __name__ == "__main__":
    main()
