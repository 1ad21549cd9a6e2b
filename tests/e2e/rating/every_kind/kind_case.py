"""What the tests of every kind of question need to know of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import CriterionTemplate, StudyTemplate

SHORT = "The village lay there like a suitcase that had been packed."
Answers = Mapping[str, Any]


@dataclass(frozen=True)
class KindCase:
    """A study of one kind, and the keys that answer its questions; a text in brackets is typed.

    `answers` has what is stored after that, of the options in the order of the page, which `options` finds
    by a selector and a function. `case_keys` are those on the page of a case; empty where no case is made of
    the kind. `plain` is what is typed into the only field of a page without scripts.
    """

    template: Callable[[], StudyTemplate]
    keys: str
    answers: Callable[[list[str]], Answers]
    options: tuple[str, str] | None = None
    case_keys: str = ""
    plain: str = ""


def study_asking(key: str, *criteria: CriterionTemplate, **changes: Any) -> StudyTemplate:
    """The study template `key` with other criteria, and with other `blocks` and `texts` if given."""
    template = TEMPLATES[key]
    blocks = {name: changes.pop(name) for name in ("blocks",) if name in changes}
    form = replace(template.forms[0], criteria=criteria, **blocks)
    return replace(template, forms=(form,), **changes)


def asked_by(key: str) -> CriterionTemplate:
    """The first criterion of a study template."""
    return TEMPLATES[key].forms[0].criteria[0]
