"""Probing questions with the columns of He et al. (ACL 2022): options, the correct one, an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from annotation.domain.base.errors import FileProblem
from annotation.domain.base.messages import message
from annotation.io.base.cells import EMPTY_CELL, Row
from annotation.io.base.file_errors import Problems
from annotation.io.base.readers import read_rows

OPTIONS = ("option0", "option1", "option2", "option3")
PARTS = ("topic", "vehicle", "event")
ANSWER, KEY = "human_idx", "ans_idx"
COLUMNS = ("sentence", *PARTS, *OPTIONS, ANSWER, KEY)
REQUIRED_COLUMNS = ("sentence", *OPTIONS, KEY)


@dataclass(frozen=True)
class ProbingQuestion:
    """One row: `key` and `answer` are numbers of options; `answer` is None where there is none.

    `refused` is the content of the answer cell if it is not a valid answer.
    """

    sentence: str
    options: tuple[str, ...]
    key: int
    answer: int | None
    parts: dict[str, str]
    refused: str = ""


@dataclass(frozen=True)
class ProbingFile:
    """The questions of a file, and the answers in it that are refused."""

    name: str
    questions: list[ProbingQuestion]
    refused: list[FileProblem] = field(default_factory=list)


def read_probing(path: Path, *, name: str = "", file_format: str = "") -> ProbingFile:
    """Read probing questions: the columns `sentence`, `option0` to `option3` and `ans_idx`, and others.

    `topic`, `vehicle`, `event` and `human_idx` are optional. An answer that is no option is left out and
    listed in `refused`, with its row; its question stays.

    Raises
    ------
    FileRefused
        The file cannot be read, or a question lacks its sentence, an option or its key (`empty_cell`,
        `not_an_option`, `line_break`).
    """
    name = name or path.name
    problems = Problems(name)
    refused: list[FileProblem] = []
    questions = []
    for number, row in read_rows(path, needed=REQUIRED_COLUMNS, name=name, file_format=file_format):
        for column in ("sentence", *OPTIONS):
            _check_text(number, column, str(row.get(column, "")), problems)
        key = _option(row.get(KEY, ""))
        if key is None:
            problems.add(number, KEY, "not_an_option", _not_an_option(row.get(KEY, "")))
        answer = _option(row.get(ANSWER, ""))
        if answer is None and str(row.get(ANSWER, "")).strip():
            sentence = _not_an_option(row[ANSWER])
            refused.append(FileProblem(name, number, ANSWER, "not_an_option", sentence))
        questions.append(_question(row, key or 0, answer))
    problems.refuse_if_any()
    return ProbingFile(name, questions, refused)


def _question(row: Row, key: int, answer: int | None) -> ProbingQuestion:
    return ProbingQuestion(
        sentence=str(row.get("sentence", "")),
        options=tuple(str(row.get(option, "")) for option in OPTIONS),
        key=key,
        answer=answer,
        parts={part: str(row[part]) for part in PARTS if part in row},
        refused="" if answer is not None else str(row.get(ANSWER, "")).strip(),
    )


def _check_text(number: int, column: str, text: str, problems: Problems) -> None:
    if not text.strip():
        problems.add(number, column, "empty_cell", EMPTY_CELL)
    elif column in OPTIONS and len(text.splitlines()) > 1:
        problems.add(number, column, "line_break", message("an option must be on one line"))


def _option(cell: object) -> int | None:
    text = str(cell).strip().removesuffix(".0")
    return int(text) if text in {"0", "1", "2", "3"} else None


def _not_an_option(cell: object) -> str:
    return message(
        "%(value)s is not one of the options 0 to %(last)d", value=repr(str(cell)[:60]), last=len(OPTIONS) - 1
    )
