"""Codes of raters that no file may use."""

from __future__ import annotations

import re

from annotation.domain.base.messages import message

_OF_MEMBERS = re.compile(r"T-[0-9]+(-trial)?")
TAKEN_CODE = "code_taken"


def trial_codes(member: int) -> tuple[str, str]:
    """The codes for a member’s preview; the second if an imported rater has the first."""
    return f"T-{member}", f"T-{member}-trial"


def is_trial_code(code: str) -> bool:
    """Return whether a code has the form of the codes for previews by members."""
    return _OF_MEMBERS.fullmatch(code) is not None


def explain_trial_code(code: str) -> str:
    """The reason why a file cannot use a code, and what to do."""
    return message(
        "%(code)s is reserved for previews (T- and a number); choose another code", code=repr(code)
    )
