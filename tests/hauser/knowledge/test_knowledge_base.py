"""Importing triples: what is summed, what is refused or reported, and what survives a kill."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.knowledge.import_file import COLUMNS, import_triples
from scoring.hauser.knowledge.lookup import KnowledgeBase, Triple
from scoring.hauser.knowledge.staging import Staging
from tests.hauser.bases import SOFTWARE, everything, imported, staging, table, target, write

ROOT = Path(__file__).resolve().parents[3]
ROWS = [
    ("sea", "calm", "mirror", 4, 0.5),
    ("sea", "flat", "mirror", 1, 1.0),
    ("lake", "calm", "mirror", 2, 0.25),
    ("sea", "loud", "lion", 3, 0.0),
]
words = st.sampled_from(["sea", "the sea", "Lake", "a lion", "mirror", "o'clock", "naïve 海", "x, y"])
TERMS = ["sea", "lake", "lion", "mirror", "o'clock", "naïve 海", "x, y", "no term"]
triples = st.lists(
    st.tuples(words, st.sampled_from(["calm", "Calm", "deep"]), words, st.integers(1, 9), st.floats(0, 1)),
    min_size=1,
    max_size=30,
)
KEYS = {"the sea": "sea", "Lake": "lake", "a lion": "lion"}


def refused(folder: Path, content: str | bytes) -> KnowledgeBaseError:
    with pytest.raises(KnowledgeBaseError) as caught:
        imported(folder, content)
    assert not target(folder).exists()
    assert not staging(folder).exists()
    return caught.value


def bad_rows(base: KnowledgeBase) -> list[tuple[int, str, str]]:
    return [(one["row"], one["column"], one["code"]) for one in base.about.counted["bad_rows"]["shown"]]


def test_pairs_and_vehicles_are_summed_over_their_triples(tmp_path):
    with imported(tmp_path, table(ROWS)) as base:
        assert base.pair("The Sea", "a mirror").frequency == 5
        assert base.pair("the sea", "mirror").weighted == pytest.approx(4 * 0.5 + 1)
        assert base.vehicle("mirrors").frequency == 0
        assert base.vehicle("the mirror").frequency == 7
        assert base.triples("sea", "mirror") == [Triple("calm", 4, 0.5), Triple("flat", 1, 1.0)]
        assert [counts.topic for counts in base.topics("mirror")] == ["sea", "lake"]
        assert base.pair("sea", "lion").frequency == 3
        assert base.pair("a sea", "the moon") == ("sea", "moon", 0, 0.0, 0)
        size = base.about.size
    assert (size.triples, size.pairs, size.vehicles, size.frequency) == (4, 3, 2, 10)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(triples, st.randoms())
def test_sums_equal_a_naive_recount_in_any_order_and_any_blocks(tmp_path, rows, random):
    naive: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0])
    of_vehicle: dict[str, int] = defaultdict(int)
    for topic, _, vehicle, n, p in rows:
        key = KEYS.get(topic, topic), KEYS.get(vehicle, vehicle)
        naive[key][0] += n
        naive[key][1] += n * p
        of_vehicle[key[1]] += n
    shuffled = random.sample(rows, len(rows))
    for order, size in ((rows, 1 << 20), (shuffled, 40)):
        with imported(tmp_path, table(order), block_bytes=size) as base:
            for (topic, vehicle), (n, weighted) in naive.items():
                counts = base.pair(topic, vehicle)
                assert counts.frequency == n
                assert counts.weighted == pytest.approx(weighted)
                found = base.triples(topic, vehicle)
                assert sum(one.frequency for one in found) == n
            for topic, vehicle in product(TERMS, TERMS):
                assert base.vehicle(vehicle).frequency == of_vehicle[vehicle]
                assert base.pair(topic, vehicle).frequency == naive[topic, vehicle][0]


def test_columns_may_be_in_any_order_and_others_are_not_stored(tmp_path):
    header = ["", "typicality_topic", "plausibility", "count", "new_vehicle", "property", "new_topic"]
    rows = [
        (number, 0.1, p, n, vehicle, shared, topic)
        for number, (topic, shared, vehicle, n, p) in enumerate(ROWS)
    ]
    with imported(tmp_path, "\ufeff" + table(rows, header).replace("\n", "\r\n")) as base:
        assert base.vehicle("mirror").frequency == 7
        assert base.about.counted["rows"] == 4


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_column_is_named_and_nothing_is_stored(tmp_path, column):
    place = COLUMNS.index(column)
    rows = [row[:place] + row[place + 1 :] for row in ROWS]
    refusal = refused(tmp_path, table(rows, COLUMNS[:place] + COLUMNS[place + 1 :]))
    assert refusal.code == "missing_column"
    assert f"row 1: missing columns: {column};" in str(refusal)


def test_a_needed_column_that_occurs_twice_is_refused(tmp_path):
    refusal = refused(tmp_path, table([(*row, 9) for row in ROWS], [*COLUMNS, "count"]))
    assert refusal.code == "doubled_column"
    assert "row 1: there are two columns count" in str(refusal)


def test_a_table_in_utf_16_is_refused_with_what_to_do(tmp_path):
    refusal = refused(tmp_path, table(ROWS).encode("utf-16"))
    assert refusal.code == "wrong_encoding"
    assert "save it as UTF-8" in str(refusal)


def test_a_table_without_a_good_row_says_what_is_wrong_with_each(tmp_path):
    refusal = refused(tmp_path, table([("sea", "calm", "mirror", 0, 0.5)]))
    assert refusal.code == "nothing_to_store"
    assert "row 2, column 'count': '0' is not a whole number" in str(refusal)


@pytest.mark.parametrize("block_bytes", [40, 1 << 20])
def test_bad_rows_are_reported_by_row_column_and_reason_and_the_others_stored(tmp_path, block_bytes):
    lines = table(ROWS).encode().splitlines()
    lines[2:2] = [
        b"sea,calm,mirror,4",
        b"--,calm,mirror,4,0.5",
        b"sea,,mirror,4,0.5",
        b"sea,calm,mi\xffrror,4,0.5",
        b"sea,calm,mi\x00rror,4,0.5",
        b"sea,calm,mirror,0,0.5",
        b"sea,calm,mirror,many,0.5",
        b"sea,calm,mirror,1.5,0.5",
        b"sea,calm,mirror,4,1.5",
        b"sea,calm,mirror,4,nan",
        b'sea,calm,"mirror,4,0.5',
        b"",
        b"sea,calm,mirror,2.0,0.5",
    ]
    with imported(tmp_path, b"\n".join(lines), block_bytes=block_bytes) as base:
        assert bad_rows(base) == [
            (3, "", "ragged_row"),
            (4, "new_topic", "empty_term"),
            (5, "property", "empty_term"),
            (6, "new_vehicle", "wrong_encoding"),
            (7, "new_vehicle", "control_character"),
            (8, "count", "bad_count"),
            (9, "count", "bad_count"),
            (10, "count", "bad_count"),
            (11, "plausibility", "bad_plausibility"),
            (12, "plausibility", "bad_plausibility"),
            (13, "", "ragged_row"),
        ]
        assert base.about.counted["rows"] == 5
        assert base.vehicle("mirror").frequency == 9


def test_a_quotation_mark_left_open_costs_no_other_row(tmp_path):
    lines = table(ROWS).splitlines()
    lines[2:2] = ['sea,calm,"mirror,4,0.5', 'sea,calm,mirror",4,0.5']
    with imported(tmp_path, "\n".join(lines)) as base:
        assert bad_rows(base)[0] == (3, "", "ragged_row")
        assert base.pair("sea", "mirror").frequency == 5 + 4
        assert base.about.counted["rows"] == 5


def test_the_list_of_bad_rows_is_capped_and_their_number_is_not(tmp_path):
    many = [("sea", "calm", "mirror", "x", 1)] * 30
    with imported(tmp_path, table([*ROWS, *many])) as base:
        assert len(bad_rows(base)) == 20
        assert base.about.counted["bad_rows"]["by_code"] == {"bad_count": 30}


def test_a_file_of_which_most_is_bad_is_refused_with_its_first_rows(tmp_path):
    refusal = refused(tmp_path, table([*ROWS, *[("sea", "calm", "mirror", "x", 1)] * 1001]))
    assert refusal.code == "too_many_bad_rows"
    assert "row 6, column 'count'" in str(refusal)


@pytest.mark.parametrize("content", ["", "\n", ",".join(COLUMNS), table([("-", "-", "-", 1, 1)])])
def test_a_file_without_a_triple_is_refused(tmp_path, content):
    assert refused(tmp_path, content).code in {"missing_column", "nothing_to_store"}


@pytest.mark.parametrize(
    "spoiled",
    [
        table(ROWS).replace("\n", "\r"),
        table(ROWS).encode("utf-16"),
        "x" * 200_000,
        table(ROWS).replace(",", ";"),
    ],
    ids=["line ends", "encoding", "no table", "separator"],
)
def test_a_file_of_another_kind_is_refused(tmp_path, spoiled):
    assert refused(tmp_path, spoiled).code in {"missing_column", "wrong_encoding"}


def test_a_line_end_of_another_system_costs_its_row(tmp_path):
    with imported(tmp_path, table(ROWS) + "sea,calm\r,mirror,1,1\nsea,deep,mirror,1,1\n") as base:
        assert bad_rows(base) == [(6, "", "damaged_row")]
        assert base.vehicle("mirror").frequency == 8


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(KnowledgeBaseError) as caught:
        import_triples(tmp_path / "none.csv", target(tmp_path), staging(tmp_path), software=SOFTWARE)
    assert caught.value.code == "no_such_file"


KILLED = """
import os, signal, sys
from pathlib import Path
from scoring.hauser.knowledge.import_file import import_triples

def kill(done, total):
    if done > total / 2:
        os.kill(os.getpid(), signal.SIGKILL)

source, target, staging = map(Path, sys.argv[1:])
import_triples(source, target, staging, software="Groundwork test", progress=kill, block_bytes=4000)
"""


@pytest.fixture
def killed(tmp_path):
    """A file whose import was killed in the middle by SIGKILL."""
    rows: list[tuple[object, ...]] = [
        (f"topic {n % 97}", "calm", f"vehicle {n % 13}", 1, 0.5) for n in range(2000)
    ]
    rows[100] = ("sea", "calm", "mirror", "x", 0.5)
    source = write(tmp_path, table(rows))
    command = [sys.executable, "-c", KILLED, *map(str, (source, target(tmp_path), staging(tmp_path)))]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    return source


def test_a_killed_import_leaves_no_base_and_goes_on_from_where_it_was(tmp_path, killed):
    assert not target(tmp_path).exists()
    read: list[int] = []
    about = import_triples(
        killed,
        target(tmp_path),
        staging(tmp_path),
        software=SOFTWARE,
        progress=lambda done, _: read.append(done),
        block_bytes=4000,
    )
    assert read[0] > killed.stat().st_size / 2
    assert about.counted["resumed_from"] > 900
    assert about.counted["bad_rows"]["by_code"] == {"bad_count": 1}
    assert [one["row"] for one in about.counted["bad_rows"]["shown"]] == [102]
    whole = tmp_path / "whole"
    whole.mkdir()
    vehicles = [f"vehicle {number}" for number in range(13)]
    with KnowledgeBase(target(tmp_path)) as resumed, imported(whole, killed.read_bytes()) as clean:
        assert everything(resumed, vehicles) == everything(clean, vehicles)
        assert resumed.about.fingerprint == clean.about.fingerprint
    assert not staging(tmp_path).exists()


def test_after_a_change_of_the_file_the_import_begins_again(tmp_path, killed):
    killed.write_text(table(ROWS))
    about = import_triples(killed, target(tmp_path), staging(tmp_path), software=SOFTWARE)
    assert (about.counted["resumed_from"], about.size.frequency) == (None, 10)


def test_a_damaged_staging_file_is_begun_again(tmp_path):
    staging(tmp_path).write_bytes(b"no database at all" * 100)
    with imported(tmp_path, table(ROWS)) as base:
        assert base.about.size.triples == 4


def test_two_processes_do_not_make_one_base_at_once(tmp_path):
    with imported(tmp_path, table(ROWS)) as base:
        origin = base.about.origin
    with Staging(staging(tmp_path), origin), pytest.raises(KnowledgeBaseError) as caught:
        imported(tmp_path, table(ROWS))
    assert caught.value.code == "already_running"


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    source = write(tmp_path, table(ROWS))
    with pytest.raises(KnowledgeBaseError, match="nowhere") as caught:
        import_triples(source, target(tmp_path), tmp_path / "nowhere" / "x.sqlite3", software=SOFTWARE)
    assert caught.value.code == "cannot_write"


def test_who_has_a_base_open_keeps_it_while_it_is_replaced(tmp_path):
    with imported(tmp_path, table(ROWS)) as before:
        with imported(tmp_path, table(ROWS[:1])) as after:
            assert (before.vehicle("mirror").frequency, after.vehicle("mirror").frequency) == (7, 4)
        assert before.about.fingerprint != after.about.fingerprint


@pytest.mark.parametrize("spoil", [b"", b"not a database", "other version", "cut"])
def test_a_file_that_is_no_base_is_refused(tmp_path, spoil):
    imported(tmp_path, table(ROWS)).close()
    if spoil == "cut":
        spoil = target(tmp_path).read_bytes()[:-1]
    if isinstance(spoil, bytes):
        target(tmp_path).write_bytes(spoil)
    else:
        with sqlite3.connect(target(tmp_path)) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
    with pytest.raises(KnowledgeBaseError) as caught:
        KnowledgeBase(target(tmp_path))
    assert caught.value.code == "not_a_base"


def test_a_base_is_never_written(tmp_path):
    with imported(tmp_path, table(ROWS)) as base, pytest.raises(sqlite3.OperationalError, match="readonly"):
        base._connection.execute("DELETE FROM pair")
