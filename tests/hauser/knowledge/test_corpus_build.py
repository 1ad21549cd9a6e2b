"""Building a base from sentences: how texts are cut, counted in several processes, and resumed."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.hauser.knowledge.corpus import Layout, number_of_sentences, sentences
from scoring.hauser.knowledge.corpus_build import build_from_corpus
from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.knowledge.lookup import KnowledgeBase
from tests.hauser.bases import SOFTWARE, everything, staging, target, write

ROOT = Path(__file__).resolve().parents[3]
SIMILES = [
    "The boy ran like the wind.",
    "The girl ran like the wind.",
    "The boy ran like a hare.",
    "The lake was as calm as a mirror.",
]
LINES = [
    *SIMILES,
    "Nothing is compared here.",
    "I like him. The boy ran like the wind! Mr. Hill saw it.",
    "",
]
VEHICLES = ("wind", "hare", "mirror")
COUNTS = {"wind": 3, "hare": 1, "mirror": 1}


def built(folder: Path, *corpora: Path, **settings) -> KnowledgeBase:
    build_from_corpus(corpora, target(folder), staging(folder), software=SOFTWARE, **settings)
    return KnowledgeBase(target(folder))


def frequencies(base: KnowledgeBase) -> dict[str, int]:
    return {vehicle: base.vehicle(vehicle).frequency for vehicle in VEHICLES}


@pytest.fixture
def text(tmp_path):
    return write(tmp_path, "\n".join(LINES), "corpus.txt")


def test_similes_are_found_counted_and_distinguished_from_the_rest(tmp_path, text):
    with built(tmp_path, text) as base:
        assert frequencies(base) == COUNTS
        assert base.pair("the boy", "the wind").frequency == 2
        assert base.pair("the boy", "the wind").weighted is None
        assert [one.property for one in base.triples("lake", "mirror")] == ["calm"]
        about = base.about
    assert (about.counted["sentences"], about.counted["similes"]) == (8, 5)
    assert sum(about.counted["without"].values()) == 1
    assert (about.origin.kind, about.origin.has_plausibility) == ("built", False)
    assert [(source.file, source.bytes) for source in about.origin.sources] == [
        ("corpus.txt", text.stat().st_size)
    ]


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".txt.gz", ".txt"])
def test_every_kind_of_file_gives_the_same_base(tmp_path, ending):
    lines = [json.dumps({"said": line}) for line in LINES] if "jsonl" in ending else LINES
    data = "\n".join(lines).encode()
    corpus = write(tmp_path, gzip.compress(data) if ending.endswith("gz") else data, f"corpus{ending}")
    with built(tmp_path, corpus, layout=Layout("said")) as base:
        assert frequencies(base) == COUNTS


def test_wrapped_lines_are_joined_within_a_paragraph(tmp_path):
    corpus = write(
        tmp_path,
        "The boy ran\nlike the wind.\nThe girl\nran like a hare.\n\nThe lake was as\ncalm as a mirror.\n",
    )
    for size in (1 << 20, 20):
        with built(tmp_path, corpus, layout=Layout(is_wrapped=True), block_bytes=size) as base:
            assert frequencies(base) == {"wind": 1, "hare": 1, "mirror": 1}
            assert base.about.counted["sentences"] == 3


def test_processes_and_blocks_change_nothing(tmp_path, text):
    with built(tmp_path, text) as base:
        alone = everything(base, VEHICLES)
    with built(tmp_path, text, processes=2, block_bytes=30) as base:
        assert everything(base, VEHICLES) == alone
        assert base.about.counted["sentences"] == 8


def test_several_files_are_added_up(tmp_path, text):
    other = write(tmp_path, SIMILES[2], "more.txt")
    with built(tmp_path, text, other) as base:
        assert frequencies(base) == {"wind": 3, "hare": 2, "mirror": 1}
        assert len(base.about.origin.sources) == 2


def test_sentences_on_the_list_are_left_out_whatever_their_case_and_signs(tmp_path, text):
    listed = write(
        tmp_path, "THE BOY  ran like the wind . He won.\nThe lake was as calm as a mirror.", "out.txt"
    )
    with built(tmp_path, text, exclude=listed) as base:
        assert frequencies(base) == {"wind": 1, "hare": 1, "mirror": 0}
        assert base.about.counted["excluded"] == 3
        assert base.about.origin.settings["excluded_sentences"] == 4


def test_in_a_collection_of_similes_a_doubtful_one_counts(tmp_path):
    corpus = write(tmp_path, f"{SIMILES[0]}\nHe works for companies like hers.", "corpus.txt")
    with built(tmp_path, corpus) as base:
        assert base.about.counted["similes"] == 1
    with built(tmp_path, corpus, layout=Layout(known_similes=True)) as base:
        assert base.about.counted["similes"] == 2


def test_lines_that_are_no_json_and_objects_without_text_are_reported(tmp_path):
    lines = [
        json.dumps({"text": SIMILES[0]}),
        "{",
        json.dumps({"other": 1}),
        json.dumps(SIMILES[2]),
        "[" * 5000,
    ]
    with built(tmp_path, write(tmp_path, "\n".join(lines), "corpus.jsonl")) as base:
        assert frequencies(base) == {"wind": 1, "hare": 1, "mirror": 0}
        shown = base.about.counted["bad_rows"]["shown"]
    assert [(one["file"], one["row"], one["code"]) for one in shown] == [
        ("corpus.jsonl", 2, "damaged_row"),
        ("corpus.jsonl", 3, "no_text"),
        ("corpus.jsonl", 5, "damaged_row"),
    ]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("corpus.txt", b"Nothing is compared here.", "nothing_to_store"),
        ("corpus.txt", b"", "nothing_to_store"),
        ("corpus.gz", gzip.compress(b"The boy ran like the wind. " * 900)[:-20], "damaged_file"),
        ("corpus.gz", b"The boy ran like the wind.", "damaged_file"),
        ("corpus.jsonl", b"no json\n" * 1001, "too_many_bad_rows"),
    ],
)
def test_a_corpus_that_cannot_be_used_is_refused_and_nothing_stays(tmp_path, name, data, code):
    with pytest.raises(KnowledgeBaseError) as caught:
        built(tmp_path, write(tmp_path, data, name))
    assert caught.value.code == code
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_control_characters_and_very_long_lines_do_no_harm(tmp_path):
    corpus = write(
        tmp_path, f"\x00\x07{SIMILES[0]}\n{'word ' * 30_000}{SIMILES[2]}\n".encode() + b"\xff\xfe", "odd.txt"
    )
    with built(tmp_path, corpus, block_bytes=1000) as base:
        assert base.vehicle("wind").frequency == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from scoring.hauser.knowledge.corpus_build import build_from_corpus

def kill(done, total):
    if done > total / 2:
        os.kill(os.getpid(), signal.SIGKILL)

first, second, target, staging = map(Path, sys.argv[1:])
settings = {"progress": kill, "block_bytes": 400}
build_from_corpus([first, second], target, staging, software="Groundwork test", **settings)
"""


@pytest.mark.parametrize("lines", [SIMILES[1:3], SIMILES[2:0:-1]], ids=["first file", "second file"])
def test_a_build_killed_in_any_file_goes_on_from_where_it_was(tmp_path, lines):
    files = [write(tmp_path, f"{line}\n" * 40, f"corpus {number}.txt") for number, line in enumerate(lines)]
    command = [sys.executable, "-c", KILLED, *map(str, (*files, target(tmp_path), staging(tmp_path)))]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert not target(tmp_path).exists()
    read: list[int] = []
    with built(tmp_path, *files, block_bytes=400, progress=lambda done, _: read.append(done)) as base:
        assert frequencies(base) == {"wind": 40, "hare": 40, "mirror": 0}
        assert (base.about.counted["sentences"], base.about.counted["resumed"]) == (80, True)
    assert read[0] > sum(path.stat().st_size for path in files) / 2


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("One ends. Two ends! Three", ["One ends.", "Two ends!", "Three"]),
        ("Mr. Hill and Dr. J. Wood met St. Ives.", ["Mr. Hill and Dr. J. Wood met St. Ives."]),
        (
            "“It is late.” She left. (He stayed.) 3 o'clock.",
            ["“It is late.”", "She left.", "(He stayed.)", "3 o'clock."],
        ),
        ("He paused … and went on, at 3.5 a.m. or so.", ["He paused … and went on, at 3.5 a.m. or so."]),
        ("他像风。她像花！", ["他像风。", "她像花！"]),
        ("   ", []),
    ],
)
def test_a_text_is_cut_into_sentences(text, cut):
    assert list(sentences(text)) == cut
    assert number_of_sentences(text) == len(cut)


def test_a_line_that_is_not_utf_8_is_left_out_and_reported_with_its_row(tmp_path):
    corpus = write(tmp_path, "He ran like a hare.\nHe sang like a café.\n".encode("latin-1"), "corpus.txt")
    with built(tmp_path, corpus) as base:
        assert base.about.counted["sentences"] == 1
        assert [(bad["row"], bad["code"]) for bad in base.about.counted["bad_rows"]["shown"]] == [
            (2, "wrong_encoding")
        ]


def test_a_corpus_in_utf_16_is_refused_with_what_to_do(tmp_path):
    corpus = write(tmp_path, "He ran like a hare.\n".encode("utf-16"), "corpus.txt")
    with pytest.raises(KnowledgeBaseError, match=r"corpus.txt: .*save it as UTF-8") as caught:
        built(tmp_path, corpus)
    assert caught.value.code == "wrong_encoding"
    assert not target(tmp_path).exists()


def test_a_corpus_without_a_readable_line_says_which_lines(tmp_path):
    corpus = write(tmp_path, "Er lief wie ein Bär.\n".encode("latin-1"), "corpus.txt")
    with pytest.raises(KnowledgeBaseError, match=r"corpus.txt, row 1: not UTF-8") as caught:
        built(tmp_path, corpus)
    assert caught.value.code == "nothing_to_store"


def test_a_line_too_long_for_a_block_is_not_cut_within_a_letter(tmp_path):
    corpus = write(tmp_path, "他像风一样跑。" * 40, "corpus.txt")
    with built(tmp_path, corpus, block_bytes=10) as base:
        assert base.about.counted["bad_rows"]["by_code"] == {}
        assert base.vehicle("风").frequency > 0
