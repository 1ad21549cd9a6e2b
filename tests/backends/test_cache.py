"""What a model answered is asked once: within a call, a run, the next run, and by several processes."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from scoring.backends.cache import AnswerCache, Remembered
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute, Text
from scoring.backends.models import Models
from scoring.backends.profiles import PROFILES

ROOT = Path(__file__).resolve().parents[2]
FILLING = """
import sys
from pathlib import Path
from scoring.backends.cache import AnswerCache
cache = AnswerCache(Path(sys.argv[1]))
for number in range(60):
    cache.store("model", {f"text {number}": {"by": sys.argv[2], "number": number}})
    assert cache.find("model", [f"text {number}"])[f"text {number}"]["number"] == number
"""


class Counting:
    """A model that lists what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Text] = []
        self.loaded = 0

    def load(self) -> Counting:
        self.loaded += 1
        return self

    def __call__(self, texts: Sequence[Text]) -> list[int]:
        self.asked += texts
        return [len(text) for text in texts]


def remembered(model: Counting, cache: AnswerCache | None, identity: str = "one") -> Remembered[int]:
    return Remembered(
        identity, model.load, cache, lambda answer: {"n": answer}, lambda answer: int(str(answer["n"]))
    )


def test_each_text_is_computed_once_in_a_run_and_not_in_the_next(tmp_path):
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    first = Counting()
    run = remembered(first, cache)
    assert run(["a", "bb", "a"]) == [1, 2, 1]
    assert run(["bb", "ccc", ("a", "b")]) == [2, 3, 2]
    assert first.asked == ["a", "bb", "ccc", ("a", "b")]
    second = Counting()
    assert remembered(second, AnswerCache(cache.path))(["ccc", "a", ("a", "b")]) == [3, 1, 2]
    assert (second.asked, second.loaded) == ([], 0)


def test_another_model_or_a_pair_of_the_same_words_is_a_new_question(tmp_path):
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    remembered(Counting(), cache)([("a", "b c"), "d"])
    other = Counting()
    remembered(other, cache)([("a b", "c"), "a b c"])
    remembered(other, cache, "two")(["d"])
    assert other.asked == [("a b", "c"), "a b c", "d"]


def test_more_texts_than_a_statement_takes_are_found(tmp_path):
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    texts = [f"text {number}" for number in range(1201)]
    assert remembered(Counting(), cache)(texts) == [len(text) for text in texts]
    assert len(cache.find("one", texts)) == 1201


def test_several_processes_fill_one_file(tmp_path):
    path = tmp_path / "answers.sqlite3"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", FILLING, str(path), name], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        for name in "abc"
    ]
    errors = [worker.communicate(timeout=120)[1] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0], errors
    assert len(AnswerCache(path).find("model", [f"text {number}" for number in range(60)])) == 60


def test_a_broken_file_is_named_with_what_to_do(tmp_path):
    path = tmp_path / "answers.sqlite3"
    path.write_text("no database at all, " * 100)
    with pytest.raises(ModelRefused, match="Delete it") as caught:
        AnswerCache(path).find("model", ["a"])
    assert caught.value.code == "cache_broken"


def test_the_models_of_a_profile_answer_the_second_time_without_being_loaded(tmp_path, monkeypatch):
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    texts, pairs = ["Her smile was like the sun.", ""], [("It was calm.", "It was like a wasp.")]
    models = Models(PROFILES["embedded"], tmp_path, Compute(threads=1), cache)
    first = (models.sentiment(texts), models.nli(pairs), models.perplexity(texts))
    again = Models(PROFILES["embedded"], tmp_path, Compute(threads=1), cache)
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert (again.sentiment(texts), again.nli(pairs), again.perplexity(texts)) == first
    rough = Models(PROFILES["embedded"], tmp_path, Compute(dtype="bf16"), cache)
    with pytest.raises(ModelRefused) as caught:
        rough.sentiment(texts)
    assert caught.value.code == "worker_extra_missing"


def test_a_deleted_file_is_made_again_by_who_had_it_open(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    cache.store("model", {"a": {"n": 1}})
    for file in tmp_path.iterdir():
        file.unlink()
    assert cache.find("model", ["a"]) == {}
    cache.store("model", {"a": {"n": 2}})
    assert AnswerCache(cache.path).find("model", ["a"]) == {"a": {"n": 2}}


def test_a_cache_in_use_is_handed_to_a_process_and_a_thread(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite3")
    cache.store("model", {"a": {"n": 1}})
    with (
        ThreadPoolExecutor(1) as threads,
        ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as forks,
    ):
        found = [pool.submit(cache.find, "model", ["a"]).result() for pool in (threads, forks)]
    assert found == [{"a": {"n": 1}}, {"a": {"n": 1}}]
