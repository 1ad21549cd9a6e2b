"""The best and the worst of a few options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import Message, message
from annotation.domain.questions.kinds.kind import (
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    gettext_noop,
)
from annotation.domain.questions.kinds.orders.ordering import (
    PART,
    Groups,
    Ordering,
    groups_in,
    order_text,
    parts_in,
)
from annotation.domain.questions.kinds.settings_schema import settings_of

BEST, WORST = "best", "worst"
LONGEST_LABEL = 40
LABELS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "string", "maxLength": LONGEST_LABEL},
    "default": {},
}
SETTINGS_SCHEMA = settings_of(
    "best–worst scaling",
    {
        BEST: {"description": "Language → word on pages in place of “Best”, such as “Most novel”.", **LABELS},
        WORST: {"description": "Language → word on pages in place of “Worst”.", **LABELS},
    },
)
BOTH = message("Choose one option as the best and another one as the worst.")
MISSING = {
    BEST: message("The best is missing: choose one option as the best, and another one as the worst."),
    WORST: message("The worst is missing: choose one option as the worst, and another one as the best."),
}


class BestWorst(Ordering):
    """One option is the best, another one the worst; those between are tied."""

    key = "best_worst"
    title = gettext_noop("best–worst scaling")
    described = "best–worst scaling"
    missing_message = message("Choose the best and the worst, or select “Can’t rate”.")
    fewest_points = 3
    most_points = 6
    orders_ends = True
    settings_schema = SETTINGS_SCHEMA
    script = "js/rating/kinds/best-worst.js"
    style = "css/kinds/best-worst.css"

    def own_settings(self, settings: Document) -> dict[str, Any]:
        return {BEST: {}, WORST: {}, **settings.get(self.key, {})}

    def of_parts(self, question: Question, parts: Mapping[str, str]) -> Groups:
        for part, missing in MISSING.items():
            if set(parts) == {BEST, WORST} - {part}:
                raise ValueError(missing)
        if set(parts) != {BEST, WORST} or parts[BEST] == parts[WORST]:
            raise ValueError(BOTH)
        best, worst = parts[BEST], parts[WORST]
        return [[best], [one for one in question.options if one not in (best, worst)], [worst]]

    def refusal(self, question: Question, groups: Sequence[Sequence[str]]) -> Message | None:
        sizes = [len(group) for group in groups]
        return None if sizes == [1, len(question.options) - 2, 1] else BOTH

    def values(self, cell: str) -> list[str]:
        groups = groups_in(cell)
        return [f"{BEST}{PART}{groups[0][0]}", f"{WORST}{PART}{groups[-1][0]}"]

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        chosen = {part: labels.get(option) or option for part, option in parts_in(values).items()}
        return message(
            "best: %(best)s, worst: %(worst)s", best=chosen.get(BEST, "–"), worst=chosen.get(WORST, "–")
        )

    def in_row(self, question: Question, options: Sequence[str]) -> str:
        return order_text([options[:1], options[1:-1], options[-1:]])

    def count_possible(self, question: Question) -> int:
        return len(question.options) * (len(question.options) - 1)

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        best = person.option(question.options, truth)
        rest = [one for one in question.options if one != best]
        worst = person.option(rest, 1 - truth)
        return order_text([[best], [one for one in rest if one != worst], [worst]])

    def settings_problems(self, criterion: Document) -> Problems:
        yield from super().settings_problems(criterion)
        for part, labels in self.own_settings(criterion["settings"]).items():
            if any(len(label) > LONGEST_LABEL for label in labels.values()):
                sentence = message("Use at most %(most)d characters.", most=LONGEST_LABEL)
                yield f"settings.{self.key}.{part}", sentence
        first, second = self.own_settings(criterion["settings"]).values()
        if set(first) != set(second):
            sentence = message("Enter both words in each language, or none.")
            yield f"settings.{self.key}.{BEST}", sentence

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        """Read the fields, each named by a part and a language: `best_zh_hans`."""
        found: dict[str, dict[str, str]] = {BEST: {}, WORST: {}}
        for name, label in fields.items():
            part, _, language = name.partition("_")
            if part in found and language and label.strip():
                found[part][language.replace("_", "-")] = label.strip()
        return {self.key: found}

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        return {"css": f"criterion--{self.key}", "own_words": self.own_settings(settings)}


BEST_WORST = BestWorst()
