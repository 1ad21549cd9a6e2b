"""Texts that a spreadsheet would run as a formula: marked when a table is written, unmarked when read.

A rater may write `=HYPERLINK(…)` as a remark. An apostrophe before it makes every spreadsheet show
it as text. Marking and unmarking are inverse to each other, so what is exported comes back as it was.
"""

from __future__ import annotations

import re

# Full-width signs begin a formula in spreadsheets with a Chinese or Japanese interface.
SIGNS = r"[=+\-@\t\r\n＝＋－＠]"
# Most texts begin otherwise, and this test is faster than a regular expression.
FIRST = frozenset("'=+-@\t\r\n＝＋－＠")
FORMULA = re.compile(rf"'*{SIGNS}")
MARKED = re.compile(rf"'+{SIGNS}")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def as_plain_text(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would read it as a formula."""
    if text[:1] in FIRST and FORMULA.match(text) and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def as_written(text: str) -> str:
    """The text without the apostrophe that `as_plain_text` put before it."""
    return text[1:] if MARKED.match(text) else text
