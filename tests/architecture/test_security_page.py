"""SECURITY.md names, for each point, a test that exists and runs in CI."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TEST = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
NAMED = sorted(set(TEST.findall(PAGE)))


def section(title: str) -> str:
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def threats() -> list[str]:
    return [line for line in section("Threat model").splitlines() if line.startswith("|")][2:]


def findings() -> list[str]:
    return [f"- {text}" for text in re.split(r"^- ", section("What a review found"), flags=re.MULTILINE)[1:]]


def functions(body: list[ast.stmt], before: str = "", *, slow: bool = False) -> Iterator[tuple[str, bool]]:
    """The tests of a module or class by their names, and whether CI leaves each out."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            left_out = slow or any(ast.unparse(mark) == "pytest.mark.slow" for mark in node.decorator_list)
            if isinstance(node, ast.ClassDef):
                yield from functions(node.body, f"{before}{node.name}::", slow=left_out)
            else:
                yield before + node.name, left_out


@lru_cache
def found_in(path: str) -> dict[str, bool]:
    """The tests of a module by name, and whether CI leaves each out."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    own_marks = [
        ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node.targets[0])
    ]
    return dict(functions(tree.body, slow=any("mark.slow" in mark for mark in own_marks)))


@pytest.mark.parametrize(("path", "name"), NAMED, ids=["::".join(found) for found in NAMED])
def test_a_named_test_exists_and_runs_in_ci(path: str, name: str) -> None:
    assert (ROOT / path).is_file()
    assert found_in(path)[name] is False, "CI leaves out what is marked slow"


def test_every_threat_and_every_finding_names_a_test() -> None:
    assert len(threats()) > 20
    assert len(findings()) > 15
    assert [point for point in (*threats(), *findings()) if not TEST.search(point)] == []
    assert [line for line in threats() if line.count("|") != 5] == []


def test_nothing_that_looks_like_a_test_is_written_otherwise() -> None:
    assert PAGE.count("tests/") == len(TEST.findall(PAGE)) + PAGE.count(
        "`tests/architecture/test_security_page.py`"
    )
