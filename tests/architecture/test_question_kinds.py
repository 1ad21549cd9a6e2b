"""Only its own module knows a kind of question by name; everything else asks what the kind does or yields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist
from django.template.loader import get_template, select_template

from annotation.domain.questions.kinds.registry import KINDS
from annotation.templatetags.question_templates import question_script, question_template

ROOT = Path(__file__).parents[2]
KIND_MODULES = "annotation.domain.questions.kinds"
OPEN_MODULES = {f"{KIND_MODULES}.{name}" for name in ("kind", "registry", "condition", "measuring")}
# Where a kind is chosen for a criterion, besides protocols, which are made of criteria.
CHOOSING = {
    "annotation/forms/scale_presets.py",
    "annotation/services/quality/checks.py",
}
# It reads the files of a bundle, which name kinds, and knows nothing of this software.
RECOMPUTE = re.compile(r"scoring/bundle/recompute(\.py|/.*)")


def modules() -> Iterator[tuple[str, ast.Module]]:
    for app in ("annotation", "scoring", "config"):
        for path in sorted((ROOT / app).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            own = name.startswith("annotation/domain/questions/kinds/") or "/migrations/" in name
            if not own and not RECOMPUTE.fullmatch(name):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def is_kind_of_criterion(node: ast.expr) -> bool:
    """Whether an expression reads the kind of a criterion or question: `criterion.kind`, `one["kind"]`."""
    if isinstance(node, ast.Attribute):
        return node.attr in {"kind", "question_kind"}
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value == "kind"
    return isinstance(node, ast.Name) and node.id in {"kind", "question_kind"}


def names_kind(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Constant) and one.value in KINDS for one in ast.walk(node))


def lookups(tree: ast.AST) -> Iterator[ast.keyword]:
    """Arguments of queries and constructors that are about the kind of a criterion."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and re.fullmatch(r"(.*__)?kind(__in)?", node.arg or ""):
            yield node


def named_kinds(tree: ast.AST) -> Iterator[int]:
    """Lines that compare the kind of a criterion with the name of a kind, or look it up by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_kind_of_criterion, sides)) and any(map(names_kind, sides)):
                yield node.lineno
        if isinstance(node, ast.Match) and is_kind_of_criterion(node.subject) and names_kind(node):
            yield node.lineno
    yield from (node.value.lineno for node in lookups(tree) if names_kind(node.value))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


def test_no_module_compares_a_kind_with_a_name():
    found = [f"{name}:{line}" for name, tree in modules() for line in named_kinds(tree)]
    assert found == []


def test_a_comparison_with_a_name_is_found():
    source = 'a = one.kind == "likert"\nb = one["kind"] in ("text", "tuples")\nc = rows.filter(kind="choice")'
    assert sorted(named_kinds(ast.parse(source))) == [1, 2, 3]


def test_single_kinds_are_imported_only_where_a_kind_is_chosen():
    users = {
        name
        for name, tree in modules()
        for module in imported(tree)
        if module.startswith(f"{KIND_MODULES}.") and module not in OPEN_MODULES
    }
    assert {name for name in users if not name.startswith("annotation/protocols/")} == CHOOSING


def test_no_page_compares_the_kind_of_a_criterion():
    compared = re.compile(r"criterion\.kind\s*(==|!=|in\b)|row\.kind\s*(==|!=|in\b)")
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if compared.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_no_script_outside_of_a_kind_names_it():
    folder = ROOT / "static" / "js"
    named = re.compile(r"data-kind=|dataset\.kind\s*[!=]=")
    found = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.js"))
        if named.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_has_its_templates_script_and_style(kind):
    get_template(f"annotation/questions/{kind.key}/answer.html")
    for name in ("editor", "in_words", "rubric"):
        select_template(question_template(kind.key, name))
    assert not kind.script or finders.find(kind.script)
    assert not kind.style or finders.find(kind.style)


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.script], ids=lambda kind: kind.key)
def test_a_script_registers_itself_under_the_name_by_which_a_question_asks_for_it(kind):
    script = (ROOT / "static" / kind.script).read_text(encoding="utf-8")
    assert f'register("{question_script(kind.key)}", {{' in script


def test_a_word_that_is_no_kind_finds_only_what_kinds_share():
    assert question_template("../../base", "editor") == ("annotation/questions/editor.html",)
    with pytest.raises(TemplateDoesNotExist):
        select_template(question_template("slide rule", "answer"))
