"""Reading of files in CMDAG's own JSON: a list of records, checked and complete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.domain.base.bounded_json import TooDeeplyNested, has_half_character, load_json
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import NOT_TEXT
from annotation.domain.questions.cmdag_records import PARTS
from annotation.domain.questions.tuple_fields import PARALLEL
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.base.reading_limits import content_read_from

LONGEST_ID = 100


def read_records(path: Path, *, name: str = "") -> list[dict[str, Any]]:
    """Read the records of a file: objects with `metaphor_id`, `context` and the parts of a tuple.

    At least one of `tenor`, `vehicle` and `ground` has text. `sub_id` and other keys stay as they are.

    Raises
    ------
    FileRefused
        `no_such_file`, `damaged_file`, `too_deeply_nested`, `empty_file`, `not_an_object`, `bad_metaphor_id`,
        `no_context`, `not_text`, `empty_tuple` or `unstorable_text`; records are counted from 1.
    """
    read: list[dict[str, Any]] | None = content_read_from(path)
    if read is not None:
        return read
    name = name or path.name
    if not path.is_file():
        raise refusal(name, "no_such_file", message("the file does not exist"))
    try:
        found = load_json(path.read_text(encoding="utf-8-sig"))
    except TooDeeplyNested as problem:
        raise refusal(name, problem.code, problem.args[0]) from problem
    except ValueError as problem:
        sentence = message("the file is not JSON in UTF-8: %(problem)s", problem=str(problem))
        raise refusal(name, "damaged_file", sentence) from problem
    if not isinstance(found, list):
        raise refusal(name, "damaged_file", message("a list of objects is expected"))
    if not found:
        raise refusal(name, "empty_file", message("the file has no records"))
    problems = Problems(name)
    for number, record in enumerate(found, start=1):
        _check(number, record, problems)
    problems.refuse_if_any()
    return found


def _check(number: int, record: object, problems: Problems) -> None:
    if not isinstance(record, dict):
        problems.add(
            number, "", "not_an_object", message("an object with metaphor_id and context is expected")
        )
        return
    if not _is_id(record.get("metaphor_id")):
        problem = message("a whole number or a name of at most %(n)d characters is expected", n=LONGEST_ID)
        problems.add(number, "metaphor_id", "bad_metaphor_id", problem)
    context = record.get("context")
    if not isinstance(context, str) or not context.strip():
        problems.add(number, "context", "no_context", message("the sentence is missing"))
    wrong = [part for part in PARTS if not isinstance(record.get(part, ""), str)]
    for part in wrong:
        problems.add(
            number, part, "not_text", message("a text is expected; leave the value empty if there is none")
        )
    if not wrong and not any(PARALLEL.sub("", str(record.get(part, ""))).strip() for part in PARTS):
        problems.add(number, "", "empty_tuple", message("tenor, vehicle and ground are all empty"))
    for key, value in record.items():
        if has_half_character([key, value]) or (isinstance(value, str) and NOT_TEXT.search(value)):
            shown = ascii(key) if has_half_character(key) else key
            problems.add(number, shown, "unstorable_text", message("the text contains an invalid character"))


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value.strip()) <= LONGEST_ID
    return type(value) is int
