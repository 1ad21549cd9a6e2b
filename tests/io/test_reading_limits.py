"""A sent file is read in a process of its own, which may take so much time, memory and cells and no more."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from annotation.domain.base.errors import FileRefused, LeaseLost
from annotation.io.base.readers import read_all_rows, read_rows
from annotation.io.base.reading_limits import INHERITED, ReadingLimits, content_read_from, read_beforehand
from annotation.services.base.uploads.acts import TABLE
from tests.support.costly_files import workbook_of_shared_strings

ENOUGH = ReadingLimits(seconds=60, megabytes=512, cells=100_000)
ROWS = [{"item": "a", "simile": "like rain"}, {"item": "b", "simile": "like a drum, 雨"}]


def stop_never(_: int) -> None:
    pass


def read_in_a_child(path: Path, limits: ReadingLimits = ENOUGH, name: str = "sent.csv"):
    with read_beforehand(path, reader=TABLE, name=name, options={}, limits=limits, seen=stop_never):
        path.unlink()  # nothing of it is read again here
        return read_all_rows(path, name=name)


def files() -> dict[str, bytes]:
    sheet, columns = io.BytesIO(), io.BytesIO()
    book = openpyxl.Workbook()
    for row in [list(ROWS[0]), *[list(one.values()) for one in ROWS]]:
        book.active.append(row)
    book.save(sheet)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), columns)
    lines = [list(ROWS[0]), *[list(one.values()) for one in ROWS]]
    return {
        "csv": "\n".join(
            ",".join(json.dumps(cell, ensure_ascii=False) for cell in one) for one in lines
        ).encode(),
        "tsv": "\n".join("\t".join(one) for one in lines).encode(),
        "jsonl": "\n".join(map(json.dumps, ROWS)).encode(),
        "json": json.dumps(ROWS).encode(),
        "xlsx": sheet.getvalue(),
        "parquet": columns.getvalue(),
    }


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "xlsx", "parquet"])
def test_every_format_is_read_alike_in_the_process_and_outside(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"upload.{ending}"
    path.write_bytes(files()[ending])
    here = read_all_rows(path, name="sent.csv")
    assert [row for _, row in here[0]] == ROWS
    assert read_in_a_child(path) == here


def test_what_a_reader_refuses_is_refused_with_the_same_rows_and_codes(tmp_path: Path) -> None:
    path = tmp_path / "upload.csv"
    path.write_bytes(b"item,simile\na,b,c\nd,\x00\n")
    with pytest.raises(FileRefused) as here:
        read_rows(path, name="sent.csv")
    with (
        read_beforehand(path, reader=TABLE, name="sent.csv", options={}, limits=ENOUGH, seen=stop_never),
        pytest.raises(FileRefused) as there,
    ):
        read_rows(path, name="sent.csv")
    assert there.value.problems == here.value.problems
    path.write_bytes(b"item,item\na,b\n")
    with pytest.raises(FileRefused, match="appears twice"):
        read_in_a_child(path)


def refused(path: Path, limits: ReadingLimits) -> str:
    with pytest.raises(FileRefused) as refusal:
        read_in_a_child(path, limits, "my file.xlsx")
    (problem,) = refusal.value.problems
    assert (problem.file, problem.row, problem.code) == ("my file.xlsx", 0, "file_too_costly")
    assert "split it into smaller files" in problem.message
    assert not list(path.parent.glob("*.read"))
    return problem.message


def test_a_small_workbook_of_many_shared_strings_stops_at_its_processor_time(tmp_path: Path) -> None:
    path = tmp_path / "upload.xlsx"
    path.write_bytes(workbook_of_shared_strings(2_000_000))
    assert path.stat().st_size < 100_000
    assert "more than 1 s of processor time" in refused(path, ReadingLimits(1, 1024, 100_000))


def test_a_file_that_fills_the_memory_is_refused_and_names_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "upload.json"
    path.write_text("[" + ",".join(['{"a":"b"}'] * 1_000_000) + "]", encoding="ascii")
    assert "more than 128 MB of memory" in refused(path, ReadingLimits(60, 128, 10_000_000))


def test_a_table_of_too_many_cells_is_refused_and_names_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "upload.csv"
    path.write_text("item,simile\n" + "a,b\n" * 600, encoding="ascii")
    assert "more than 1,000 cells" in refused(path, ReadingLimits(60, 512, 1000))


def test_the_process_that_reads_writes_no_file_larger_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "upload.csv"
    path.touch()
    limits = ReadingLimits(60, 512, 1000)
    asked: dict[str, Any] = {"name": "my file.csv", "options": {"megabytes": 600}, "seen": stop_never}
    with (
        pytest.raises(FileRefused, match="the content takes more than 512 MB") as refusal,
        read_beforehand(path, reader="tests.io.harmful_readers.write_much", limits=limits, **asked),
    ):
        pytest.fail("It was written.")
    assert refusal.value.problems[0].code == "file_too_costly"
    assert not list(tmp_path.glob("*.read"))


SECRETS = {
    "SECRET_KEY": "a-key-that-signs",
    "SECRET_KEY_FALLBACKS": "a-key-before-it",
    "DATABASE_URL": "postgres://user:database-password@db/groundwork",
    "CELERY_BROKER_URL": "amqp://user:broker-password@broker//",
    "CACHE_URL": "redis://:cache-password@cache",
    "EMAIL_PASSWORD": "mail-password",
    "GROUNDWORK_OIDC_CLIENT_SECRET": "client-secret",
    "GROUNDWORK_METRICS_TOKEN": "metrics-token",
    "SENTRY_DSN": "https://dsn-key@faults.example.org/1",
    "A_SECRET_OF_ANOTHER_PROGRAM": "its-own-secret",
}


def test_the_process_that_reads_has_no_secret_in_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, secret in SECRETS.items():
        monkeypatch.setenv(variable, secret)
    path = tmp_path / "upload.csv"
    path.touch()
    asked: dict[str, Any] = {"name": "a.csv", "options": {}, "limits": ENOUGH, "seen": stop_never}
    with read_beforehand(path, reader="tests.io.harmful_readers.read_environment", **asked):
        environment = content_read_from(path)
    assert environment.keys() & SECRETS.keys() == set()
    assert not set(SECRETS.values()) & set(environment.values())
    settings = {"PYTHONPATH", "MALLOC_ARENA_MAX", "ARROW_DEFAULT_MEMORY_POOL", "OMP_NUM_THREADS"}
    assert environment.keys() <= {*INHERITED, *settings, "OPENBLAS_NUM_THREADS"}


# Reads with limits that let it run for an hour, and says under which id the reading process runs.
PARENT = """
import os, sys
from pathlib import Path
from annotation.io.base.reading_limits import ReadingLimits, read_beforehand

def seen(_):
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    print(children[0] if Path(sys.argv[1]).with_name("begun").exists() else "", flush=True)

limits = ReadingLimits(seconds=3600, megabytes=1024, cells=100_000)
asked = {"reader": "tests.io.harmful_readers.read_for_ever", "name": "a", "options": {}, "limits": limits}
with read_beforehand(Path(sys.argv[1]), seen=seen, **asked):
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit of processor time ends it")
def test_the_process_that_reads_does_not_outlive_a_worker_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "upload.csv"
    path.touch()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(path)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        assert parent.stdout is not None
        child = next(int(line) for line in parent.stdout if line.strip())
    finally:
        parent.kill()
        parent.wait()
    until = time.monotonic() + 10
    while is_at_work(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_at_work(child)


def test_a_worker_that_was_killed_before_its_process_began_to_read_is_noticed(tmp_path: Path) -> None:
    asked = {
        "parent": os.getpid() + 1,  # another one than started it
        "reader": "tests.io.harmful_readers.read_for_ever",
        "path": str(tmp_path / "upload.csv"),
        "result": str(tmp_path / "result"),
        "name": "a",
        "options": {},
        "limits": {"seconds": 5, "megabytes": 512, "cells": 1},
    }
    command = [sys.executable, "-m", "annotation.io.base.reading_child"]
    ended = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "The process that asked for this file has ended.\n")
    assert not (tmp_path / "begun").exists()


def is_at_work(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # ended, and no one has asked how


def test_a_reading_whose_job_is_stopped_ends_at_once(tmp_path: Path) -> None:
    path = tmp_path / "upload.xlsx"
    path.write_bytes(workbook_of_shared_strings(2_000_000))

    def stop(_: int) -> None:
        raise LeaseLost("Cancelled.")

    with (
        pytest.raises(LeaseLost),
        read_beforehand(
            path, reader=TABLE, name="a", options={}, limits=ReadingLimits(600, 1024, 100_000), seen=stop
        ),
    ):
        pytest.fail("It was read to its end.")
