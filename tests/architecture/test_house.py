"""Where things are: sections in one order, folders and files of a readable size, templates that exist."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECKED = ("annotation", "scoring", "tests", "templates", "static")
LARGEST_FOLDER = 14
LONGEST_MODULE = 400
LONGEST_TEMPLATE_LINE = 140
MODULES = {".py", ".js", ".css", ".html"}
# The first names every closed set of values for the API's schema, the second every coefficient for pages and
# files: both read from all sections.
CROSSING = {"annotation.api.base.enumerations", "scoring.selectors.base.figures"}
# Django and allauth find theirs by name, a kind of question by its key.
FOUND_BY_NAME = ("account/", "mfa/", "annotation/questions/")
TEMPLATE_NAME = re.compile(
    r"(?<![\w./-])((?:annotation|scoring|components|errors)/[\w/]+\.html|(?:base|home|40[034]|500)\.html)"
)


def files(*suffixes: str) -> Iterator[Path]:
    for folder in CHECKED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and "__pycache__" not in path.parts:
                yield path


def sizes_of_folders() -> dict[str, int]:
    counts: dict[str, int] = {}
    for folder in CHECKED:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix != ".pyc" and path.name != "__init__.py":
                name = str(path.parent.relative_to(ROOT))
                counts[name] = counts.get(name, 0) + 1
    return counts


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@cache
def sections() -> dict[str, list[str]]:
    """The order of the sections of each application, the lowest first, as its contract says it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    orders = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["name"] in {"Sections of the collecting side", "Sections of the computing side"}:
            order = [layer.strip("()") for layer in reversed(contract["layers"])]
            orders[contract["containers"][0].partition(".")[0]] = order
    return orders


def section_of(module: str) -> str:
    """The section of `application.layer.section.…`, or nothing."""
    parts = module.split(".")
    known = sections().get(parts[0], ())
    return parts[2] if len(parts) > 3 and parts[2] in known else ""


def imported(path: Path) -> Iterator[str]:
    """The modules of this project that a file imports, as `package.name` where a name is imported."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def imports_that_go_up() -> Iterator[tuple[str, str]]:
    for path in files(".py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        own, application = section_of(module), module.partition(".")[0]
        if not own or module in CROSSING:
            continue
        order = sections()[application]
        for name in imported(path):
            theirs = section_of(name) if name.startswith(f"{application}.") else ""
            if theirs and order.index(theirs) > order.index(own):
                yield module, name


def test_no_folder_has_more_than_14_files():
    too_large = {
        name: count
        for name, count in sizes_of_folders().items()
        if count > LARGEST_FOLDER and not name.endswith("migrations")
    }
    assert too_large == {}


def test_no_module_has_more_than_400_lines():
    lengths = {str(path.relative_to(ROOT)): len(lines_of(path)) for path in files(*MODULES)}
    assert lengths
    too_long = {
        name: count
        for name, count in lengths.items()
        if count > LONGEST_MODULE and "/migrations/" not in name
    }
    assert too_long == {}


def test_no_line_of_a_template_is_longer_than_140_characters():
    too_long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files(".html")
        for number, line in enumerate(lines_of(path), start=1)
        if len(line) > LONGEST_TEMPLATE_LINE
    ]
    assert too_long == []


def test_layers_keep_the_order_of_sections_too():
    """A service of items reads no selector of seats: sections have one order in all layers."""
    assert list(imports_that_go_up()) == []


@pytest.mark.parametrize("module", sorted(CROSSING))
def test_the_exception_to_the_order_is_still_needed(module):
    path = ROOT / Path(*module.split(".")).with_suffix(".py")
    order = sections()[module.partition(".")[0]]
    own = section_of(module)
    theirs = [section_of(name) for name in imported(path) if section_of(name)]
    assert any(order.index(section) > order.index(own) for section in theirs)


def test_every_template_is_used_and_every_template_that_is_named_exists():
    templates = {str(path.relative_to(ROOT / "templates")) for path in (ROOT / "templates").rglob("*.html")}
    sources = [*files(".html"), *(path for path in files(".py") if "tests" not in path.parts)]
    sources += list((ROOT / "config").rglob("*.py"))
    named = {name for path in sources for name in TEMPLATE_NAME.findall(path.read_text(encoding="utf-8"))}
    found_by_django = {"400.html", "403.html", "404.html", "500.html"}
    own = {name for name in templates if not name.startswith(FOUND_BY_NAME)}
    assert named <= templates
    assert own - named - found_by_django == set()
