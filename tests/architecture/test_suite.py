"""Where a reader finds what tests share, and which tests stay together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.running.distribution import FIRST, group_of, length
from tests.support.running.durations import Durations, recorded

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests").rglob("*.py"))


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that a module may mean by what it imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
            yield str(node.module)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def is_of_tests_alone(module: str) -> bool:
    """Whether it is a module of tests or a conftest: no one looks there for what others use."""
    last = module.rpartition(".")[2]
    return module.startswith("tests.") and (last.startswith("test_") or last == "conftest")


def test_nothing_is_imported_from_a_module_of_tests():
    found = {
        f"{path.relative_to(ROOT)} imports {module}"
        for path in FILES
        for module in imported(ast.parse(path.read_text(encoding="utf-8")))
        if is_of_tests_alone(module)
    }
    assert found == set(), "Move it to tests/support, or into a module beside the tests that use it."


def test_all_that_start_processes_are_in_a_group():
    """More servers that start at the same time would make each other late."""
    mark = "pytest.mark." + "processes"
    starting = {str(path.relative_to(ROOT)) for path in FILES if mark in path.read_text(encoding="utf-8")}
    assert starting
    assert {file for file in starting if group_of(f"{file}::test") not in FIRST} == set()


def test_groups_that_take_longest_are_handed_out_first(tmp_path: Path) -> None:
    """A long file that comes last keeps one process busy while the others have nothing to do."""
    first, second = (str(path.relative_to(ROOT)) for path in FILES[:2])
    record = tmp_path / "durations" / "SQLite.txt"
    for took in ({first: 1.0, second: 2.0}, {first: 40.0}):
        durations = Durations(record)
        for file, seconds in took.items():
            durations.pytest_runtest_logreport(report_of(file, seconds / 2))
            durations.pytest_runtest_logreport(report_of(file, seconds / 2))
        durations.pytest_sessionfinish()
    assert record.read_text(encoding="utf-8").split() == ["40.0", first, "2.0", second]
    seconds_of = recorded(record)
    lengths = [length(group, 20, seconds_of) for group in (*FIRST, first, "tests/test_new.py", second)]
    assert lengths == sorted(lengths, reverse=True)


def report_of(file: str, seconds: float) -> pytest.TestReport:
    return pytest.TestReport(f"{file}::test", (file, 1, "test"), {}, "passed", None, "call", duration=seconds)
