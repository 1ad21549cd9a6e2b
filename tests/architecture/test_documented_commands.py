"""Each command that a document names exists, with the acts and options that it is given there."""

from __future__ import annotations

import argparse
import re
import shlex
from functools import lru_cache
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.architecture.pages import CALL, FENCE, OURS, PAGES, ROOT, code_of, text_of

COMMANDS = {str(name): str(app) for name, app in get_commands().items()}
TO_FILL_IN = re.compile(r"[\[…{}<>$]|--help")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@lru_cache
def parser_of(name: str) -> argparse.ArgumentParser:
    return load_command_class(COMMANDS[name], name).create_parser("manage.py", name)


def calls(page: Path) -> set[str]:
    """The commands of a page with what follows them, in our own spelling or with the name of the program."""
    found = set()
    for code in code_of(page):
        # A comment, or the next program, is no part of a command.
        for line in re.split(r"\s+(?:&&|;|\|)\s+|\s+#", code):
            _, *called = CALL.split(line)
            found |= set(called)
            if line.split(" ")[0] in OURS and " " in line:
                found.add(line)
    return found


def choices(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser | None]:
    """The acts of a command that has several, with the arguments of each where they differ."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
        if not action.option_strings:
            return dict.fromkeys(action.choices or ())
    return {}


def problems(call: str) -> list[str]:
    """What of a call does not exist."""
    name, *words = call.rstrip(".,").split()
    if name not in COMMANDS:
        return [f"no command {name}"]
    parser = parser_of(name)
    accepted, acts = set(parser._option_string_actions), choices(parser)
    named = words[0].split("|") if acts and words and re.match(r"[a-z]", words[0]) else []
    unknown = [act for act in named if act not in acts]
    for act in named:
        own = acts.get(act)
        accepted |= set(own._option_string_actions) if own else set()
    options = re.findall(r"(?<![\w-])--[a-z][\w-]*", " ".join(words))
    return [f"no {word} of {name}" for word in [*unknown, *options] if word not in {*acts, *accepted}]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_names_only_commands_and_options_that_exist(page: Path) -> None:
    assert [f"{call}: {problem}" for call in sorted(calls(page)) for problem in problems(call)] == []


def test_the_page_of_commands_lists_every_command() -> None:
    rows = re.findall(
        r"^\| (`.*?) \|", text_of(ROOT / "docs" / "commands.md").replace("\\|", "/"), re.MULTILINE
    )
    listed = {code.split()[0] for row in rows for code in re.findall(r"`([^`]+)`", row)}
    assert sorted(OURS - listed) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_to_copy_is_understood_as_it_is_written(page: Path) -> None:
    """Commands in blocks of code, with their arguments; not those that leave something to fill in."""
    for block in FENCE.findall(text_of(page)):
        for line in re.split(r"\s+(?:&&|;|\||>)\s+|\s+#|\n", re.sub(r"\s*\\\n\s*", " ", block)):
            _, *called = CALL.split(line)
            for call in (one for one in called if not TO_FILL_IN.search(one)):
                name, *words = shlex.split(call)
                if name in OURS:
                    parser_of(name).parse_args(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_names_only_targets_of_make_that_exist(page: Path) -> None:
    called = [code for code in code_of(page) if code.startswith("make ")]
    words = {word for code in called for word in shlex.split(code, comments=True)[1:]}
    named = {word for word in words if re.fullmatch(r"[a-z][a-z-]*", word)}
    assert sorted(named - TARGETS) == []


def test_a_command_or_an_option_that_does_not_exist_is_noticed() -> None:
    assert problems("nothing STUDY") == ["no command nothing"]
    assert problems("kb throw FILE --name NAME") == ["no throw of kb", "no --name of kb"]
    assert problems("kb import FILE --name NAME") == []
    assert problems("backup FILE [--with-keys]") == ["no --with-keys of backup"]
