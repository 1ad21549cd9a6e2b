"""Study definitions from documents, checked against the schema and completed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import CURRENCY, LANGUAGE
from annotation.domain.base.messages import counted_message, joined, message
from annotation.domain.base.text_validation import refuse_name
from annotation.io.base.strict_documents import read_document, unstorable
from annotation.protocols.definition_forms import completed_form, form_problems
from annotation.protocols.definition_schema import AMOUNT, SCHEMA, Schema
from annotation.protocols.definition_stages import stage_problems

MOST_NAMED = 10
Document = dict[str, Any]
TYPES: dict[str, str] = {
    "string": message("a text"),
    "integer": message("a whole number"),
    "number": message("a number"),
    "boolean": message("true or false"),
    "array": message("a list"),
    "object": message("named values"),
    "null": message("nothing (null)"),
}
# The advice for a text that does not match the pattern; for a key, a valid one is suggested.
PATTERNS_IN_WORDS = {
    f"^{LANGUAGE}$": message("Enter a language code, such as en, zh, ja or pt-BR."),
    f"^({LANGUAGE})?$": message(
        "Enter a language code, such as en, zh, ja or pt-BR, or leave the value empty."
    ),
    f"^{CURRENCY}$": message("Enter three capital letters, such as EUR."),
    AMOUNT: message('Enter an amount without a sign, with at most four decimals, such as "0.25".'),
}


def refused(problems: Mapping[str, str]) -> InvalidContent:
    """The refusal of a definition; `fields` has a sentence for each path that is wrong."""
    sentences = list(problems.items())
    named = [message("%(path)s: %(problem)s", path=path, problem=one) for path, one in sentences[:MOST_NAMED]]
    if len(sentences) > MOST_NAMED:
        left = len(sentences) - MOST_NAMED
        named.append(counted_message("%(n)d more problem.", "%(n)d more problems.", n=left))
    sentence = joined([message("The definition cannot be used."), *named])
    return InvalidContent(sentence, code="invalid_definition", fields=problems)


def read_definition(data: bytes, *, name: str) -> Document:
    """A definition from a YAML or JSON document, with every setting written out.

    Raises
    ------
    InvalidContent
        As `checked_definition` or `read_document`.
    """
    return checked_definition(read_document(data, name=name))


def checked_definition(document: Any) -> Document:
    """A parsed definition of the schema's shape whose forms can be asked, with every setting written out.

    Raises
    ------
    InvalidContent
        `invalid_definition`; `fields` maps paths such as `forms[0].criteria[1].kind` to the problem and
        what to do.
    """
    problems = _shape_problems(document, SCHEMA)
    if problems:
        raise refused(problems)
    complete: Document = _filled(document, SCHEMA)
    complete["forms"] = [completed_form(form) for form in complete["forms"]]
    problems = _meaning(complete)
    if problems:
        raise refused(problems)
    return complete


def checked_form(form: Any) -> Document:
    """One form of a definition, checked and completed in the same way; paths begin within the form."""
    schema = SCHEMA["properties"]["forms"]["items"]
    problems = _shape_problems(form, schema)
    if not problems:
        complete = completed_form(_filled(form, schema))
        problems = dict(form_problems(complete))
    if problems:
        raise refused(problems)
    return complete


def _meaning(definition: Document) -> dict[str, str]:
    problems: dict[str, str] = {}
    keys = [form["key"] for form in definition["forms"]]
    for place, form in enumerate(definition["forms"]):
        path = f"forms[{place}]"
        problems |= {f"{path}.{inside}": sentence for inside, sentence in form_problems(form)}
        if form["key"] in keys[:place]:
            problems[f"{path}.key"] = message(
                "Another form has the key %(key)s. Rename one of them.", key=repr(form["key"])
            )
    return problems | dict(stage_problems(definition["forms"], definition["serving"]["design"]))


def _filled(value: Any, schema: Schema) -> Any:
    """Add the defaults of missing values, and convert values that are stored as text to text."""
    if value is None:
        return None
    if schema.get("type") == ["string", "integer"]:
        return str(value)
    if isinstance(value, dict) and "properties" in schema:
        return {
            name: _filled(value.get(name, part.get("default")), part)
            for name, part in schema["properties"].items()
        }
    if isinstance(value, dict):
        of_each = schema.get("additionalProperties")
        return {name: _filled(one, of_each) for name, one in value.items()} if of_each else dict(value)
    if isinstance(value, list):
        return [_filled(one, schema["items"]) for one in value]
    return value


def _shape_problems(document: Any, schema: Schema) -> dict[str, str]:
    """Path → sentence for values that cannot be stored, or do not match the schema."""
    if problems := unstorable(document):
        return problems
    errors = Draft202012Validator(schema).iter_errors(document)
    by_path = sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])
    return dict(map(_path_and_sentence, by_path))


def _path_and_sentence(error: ValidationError) -> tuple[str, str]:
    """The path of the error, and a sentence about what to do."""
    path = ""
    for part in error.absolute_path:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    names = _names(error)
    if names:
        path = f"{path}.{names[0]}" if path else names[0]
    return path or "document", _sentence(error, names)


def _names(error: ValidationError) -> list[str]:
    """The names that are missing or unknown."""
    if error.validator == "required":
        return [name for name in error.validator_value if name not in error.instance]
    if error.validator == "additionalProperties" and error.validator_value is False:
        return [str(name) for name in error.instance if name not in error.schema["properties"]]
    return []


def _sentence(error: ValidationError, names: list[str]) -> str:
    wanted, kind = error.validator_value, error.validator
    if kind == "required":
        return message("This setting is missing. Add it.")
    if names:
        return message(
            "Unknown setting. Known settings are: %(names)s.", names=", ".join(error.schema["properties"])
        )
    if kind == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return message("Enter %(type)s.", type=reduce(_either, [TYPES[one] for one in kinds]))
    if kind == "enum":
        return message("Choose one of: %(values)s.", values=", ".join(map(str, wanted)))
    if kind == "pattern":
        return PATTERNS_IN_WORDS.get(wanted) or refuse_name(error.instance, error.schema["maxLength"])
    sentences = {
        "const": message("The value must be %(wanted)s.", wanted=wanted),
        "maxLength": message("Enter at most %(wanted)s characters.", wanted=wanted),
        "minLength": message("Minimum length: %(wanted)s.", wanted=wanted)
        if error.instance
        else message("This is empty. Enter a text."),
        "minimum": message("Enter %(wanted)s or more.", wanted=wanted),
        "maximum": message("Enter %(wanted)s or less.", wanted=wanted),
        "minItems": message("Minimum number of entries: %(wanted)s.", wanted=wanted),
        "maxItems": message("Maximum number of entries: %(wanted)s.", wanted=wanted),
        "minProperties": message("Minimum number of entries: %(wanted)s.", wanted=wanted),
        "maxProperties": message("Maximum number of entries: %(wanted)s.", wanted=wanted),
    }
    return sentences.get(str(kind), str(error.message)[:200])


def _either(first: str, second: str) -> str:
    return message("%(first)s or %(second)s", first=first, second=second)
