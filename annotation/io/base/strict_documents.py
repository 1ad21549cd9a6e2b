"""YAML and JSON as plain data, without duplicate keys or aliases."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import yaml

from annotation.domain.base.bounded_json import DEEPEST, TooDeeplyNested, load_json
from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import NOT_TEXT

MOST_BYTES = 512 * 1024
FORMATS = ("yaml", "json")
# Only the spellings of values that JSON has too: `no` stays a word, a date a text.
PLAIN = {
    "null": (r"~|null|", ["~", "n", ""]),
    "bool": (r"true|false", ["t", "f"]),
    "int": (r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
    "float": (r"[-+]?[0-9]+\.[0-9]+([eE][-+][0-9]+)?", list("-+0123456789")),
}
OTHER_BREAK = re.compile("[\x85\u2028\u2029]")


def _mark(place: yaml.Event | yaml.Node) -> Any:
    return place.start_mark


class _Loader(yaml.SafeLoader):
    """Refuses structures that make a small document huge or slow: aliases, and very deep lists."""

    yaml_implicit_resolvers: dict[str, Any] = {}
    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            advice = "aliases (*) are not allowed; write out the value"
            raise yaml.MarkedYAMLError(problem=advice, problem_mark=_mark(event))
        if getattr(event, "tag", None) is not None:
            advice = "tags (!) are not allowed; write the value without one"
            raise yaml.MarkedYAMLError(problem=advice, problem_mark=_mark(event))
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooDeeplyNested
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def named_values(self, node: Any) -> dict[str, Any]:
        """A mapping whose keys are read as text, even if they look like numbers."""
        if not isinstance(node, yaml.MappingNode):
            raise yaml.MarkedYAMLError(problem="named values are expected", problem_mark=_mark(node))
        pairs = [(str(key.value), value) for key, value in node.value]
        if len({key for key, _ in pairs}) < len(pairs):
            raise yaml.MarkedYAMLError(problem="a key appears twice", problem_mark=_mark(node))
        return {key: self.construct_object(value, deep=True) for key, value in pairs}


class _Dumper(yaml.SafeDumper):
    """Writes repeated values without aliases, and long texts as they are."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 (PyYAML calls it so)
        return True

    def words(self, text: str) -> yaml.ScalarNode:
        """Quote a text with line breaks other than `\\n`, which would be read as spaces."""
        style = '"' if OTHER_BREAK.search(text) else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.words)
for _name, (_pattern, _first) in PLAIN.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(rf"^(?:{_pattern})$"), _first)
_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.named_values)


def read_document(data: bytes, *, name: str) -> Any:
    """Parse a document in UTF-8; JSON is YAML, so that both are read in one way.

    Raises
    ------
    InvalidContent
        `too_large`, `wrong_encoding`, `too_deeply_nested` or `damaged_document`, with the line.
    """
    if len(data) > MOST_BYTES:
        raise InvalidContent(
            message("%(name)s is larger than %(size)d kB.", name=name, size=MOST_BYTES >> 10),
            code="too_large",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InvalidContent(
            message("%(name)s is not UTF-8. Save it as UTF-8.", name=name), code="wrong_encoding"
        ) from problem
    try:
        if text.lstrip()[:1] == "{":
            return load_json(text, decoder=_DECODER)
        return yaml.load(text, Loader=_Loader)  # noqa: S506 (it is a SafeLoader)
    except TooDeeplyNested as problem:
        raise InvalidContent(
            message("%(name)s cannot be read: %(problem)s.", name=name, problem=problem.args[0]),
            code=problem.code,
        ) from problem
    except (yaml.YAMLError, ValueError, TypeError) as problem:
        raise InvalidContent(
            message("%(name)s cannot be read: %(problem)s.", name=name, problem=_why(problem)),
            code="damaged_document",
        ) from problem


def write_document(document: Any, *, file_format: str) -> str:
    """Write plain data as YAML or JSON, with its keys in order."""
    if file_format == "json":
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return str(yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100))


def unstorable(value: Any, path: str = "", depth: int = 0) -> dict[str, str]:
    """Path → sentence for values that neither a file nor the database can store."""
    if depth > DEEPEST:
        return {path: message("The value is nested too deeply.")}
    if isinstance(value, dict):
        parts = [(f"{path}.{key}" if path else str(key), one) for key, one in value.items()]
        found = {
            key: problem
            for inside, one in parts
            for key, problem in unstorable(one, inside, depth + 1).items()
        }
        if any(map(_is_no_text, value)):
            found[path or "document"] = message("A name contains an invalid character. Enter it again.")
        return found
    if isinstance(value, list):
        inner = [unstorable(one, f"{path}[{place}]", depth + 1) for place, one in enumerate(value)]
        return {key: problem for one in inner for key, problem in one.items()}
    if _is_no_text(value):
        return {
            path: message("The text contains an invalid character (NUL or half a character). Enter it again.")
        }
    if isinstance(value, float) and not math.isfinite(value):
        return {path: message("Enter a finite number.")}
    return (
        {}
        if value is None or isinstance(value, str | int | float)
        else {path: message("Enter plain text or a number.")}
    )


def _is_no_text(value: Any) -> bool:
    return isinstance(value, str) and NOT_TEXT.search(value) is not None


def _with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!a} appears twice")
        found[key] = value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_with_unique_keys)


def _why(problem: Exception) -> str:
    if isinstance(problem, yaml.MarkedYAMLError) and problem.problem_mark is not None:
        mark = problem.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {problem.problem or problem.context}"
    if isinstance(problem, json.JSONDecodeError):
        return f"line {problem.lineno}, column {problem.colno}: {problem.msg}"
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__
