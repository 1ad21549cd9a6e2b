"""Study templates as plain data: forms, criteria, rubrics, design and demo items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import DesignKind
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.kinds.kind import QuestionKind
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.seats.stages import StagePeople, StageRule

KEYS = "123456789"


@dataclass(frozen=True)
class Point:
    """One point of a scale, one option, or one part of a tuple.

    `keyboard` is its keyboard shortcut; None for the digit of its position.
    """

    value: str
    label: str = ""
    description: str = ""
    keyboard: str | None = None


def keyboard_of(point: Point, place: int) -> str:
    """The keyboard shortcut of a point: its own, or the digit of its position (`place` counts from 0)."""
    if point.keyboard is not None:
        return point.keyboard
    return KEYS[place] if place < len(KEYS) else ""


@dataclass(frozen=True)
class CriterionTemplate:
    """One question; a Likert scale runs from the first to the last of its points, or over its `bounds`.

    With `asked_after`, it is only asked if the answer to that earlier criterion meets `asked_when`.
    """

    key: str
    name: str
    question: str
    points: Sequence[Point] = ()
    kind: QuestionKind = LIKERT
    required: bool = True
    asked_after: str = ""
    asked_when: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    bounds: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float | None, float | None]:
        low, high = self.bounds or (None, None)
        return self.kind.ends(low, high, [point.value for point in self.points])

    def stored(self) -> dict[str, Any]:
        """The fields of a stored criterion."""
        minimum, maximum = self.ends
        return {
            "key": self.key,
            "name": self.name,
            "question": self.question,
            "kind": self.kind.key,
            "minimum": minimum,
            "maximum": maximum,
            "required": self.required,
            "asked_after": self.asked_after,
            "asked_when": self.asked_when,
            "settings": dict(self.settings),
        }

    def stored_points(self) -> list[dict[str, Any]]:
        """The fields of its stored points, in order."""
        return [
            {
                "value": point.value,
                "label": point.label,
                "description": point.description,
                "keyboard": keyboard_of(point, place),
                "position": place,
            }
            for place, point in enumerate(self.points)
        ]


def described_scale(key: str, question: str, *words: tuple[str, str]) -> CriterionTemplate:
    """A Likert scale from 1 whose points all have a label and a description."""
    points = [Point(str(value), *texts) for value, texts in enumerate(words, start=1)]
    return CriterionTemplate(key=key, name=key.capitalize(), question=question, points=tuple(points))


@dataclass(frozen=True)
class FeedTemplate:
    """Which items a form receives: those for which `rule` of the answers to an earlier form have a value.

    With `suggestions`, raters see the earlier answers; `matches` maps its criteria to the earlier criteria
    that prefill them, if their keys differ.
    """

    form: str
    criterion: str
    value: str
    rule: StageRule = StageRule.ALL
    people: StagePeople = StagePeople.OTHERS
    suggestions: bool = True
    matches: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PairingTemplate:
    """Adaptive pairs of a form: the question that compares them, comparisons in all, and per round."""

    criterion: str
    budget: int
    per_round: int


@dataclass(frozen=True)
class FormTemplate:
    """Criteria answered together; `blocks` lists the item texts shown above them.

    `overlap` is the number of ratings per item, if it differs from that of the study. `examples`,
    `practice` and `translations` are those of `FormVersion`.
    """

    key: str
    title: str
    criteria: Sequence[CriterionTemplate]
    blocks: Sequence[dict[str, Any]] = field(default_factory=list)
    question: str = ""
    cannot_rate: bool = True
    overlap: int | None = None
    fed_by: FeedTemplate | None = None
    pairing: PairingTemplate | None = None
    examples: Sequence[Mapping[str, Any]] = ()
    practice: Sequence[Mapping[str, str]] = ()
    translations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Serving:
    """How items are assigned: the fields of a study for its design."""

    design: DesignKind = DesignKind.POOL
    keep_groups: GroupPlacement = GroupPlacement.FREE
    batch_size: int | None = None
    batches_per_rater: int | None = None
    mixed: bool = False
    more_allowed: bool = False


@dataclass(frozen=True)
class DemoItem:
    """A demo item with the fields of an item of a study."""

    key: str
    fields: Mapping[str, str]
    group: str = ""
    system: str = ""
    components: Sequence[Mapping[str, Any]] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoCheck:
    """An attention check among demo items; with a `question`, its page only asks this question."""

    key: str
    kind: CheckKind
    texts: Mapping[str, str]
    settings: Mapping[str, Any]
    question: str = ""
    options: Sequence[str] = ()


@dataclass(frozen=True)
class Shape:
    """A filled shape of a drawn picture: `rectangle`, `ellipse` or `polygon`, with its points in pixels."""

    kind: str
    points: Sequence[int]
    colour: str


@dataclass(frozen=True)
class DemoPicture:
    """A picture that demo items name, drawn when they are added."""

    name: str
    alt: str
    ground: str
    shapes: Sequence[Shape]


@dataclass(frozen=True)
class Demo:
    """Items and checks with which a study can open right away; `per_rater` keeps sessions short."""

    items: Sequence[DemoItem]
    checks: Sequence[DemoCheck] = ()
    per_rater: int | None = None
    check_every: int | None = None
    check_jitter: int = 0
    pictures: Sequence[DemoPicture] = ()


@dataclass(frozen=True)
class StudyTemplate:
    """A kind of study; `texts` are the required item fields, `title` is translated on pages.

    The minimum page time is `least_seconds`, except for pages whose texts all have at most
    `exempt_characters`.
    """

    key: str
    title: str
    description: str
    consent: str
    instructions: str
    texts: Sequence[str]
    forms: Sequence[FormTemplate]
    demo: Demo
    overlap: int = 3
    serving: Serving = Serving()
    content_warning: str = ""
    least_seconds: int | None = None
    exempt_characters: int = 0

    @property
    def needed_columns(self) -> tuple[str, ...]:
        """The columns that an item file for such a study must have."""
        blocks = (block for form in self.forms for block in form.blocks if not block.get("optional"))
        grouped = [] if self.serving.keep_groups is GroupPlacement.FREE else ["group"]
        return tuple(dict.fromkeys([*(block["field"] for block in blocks), *grouped]))


# Texts of several templates.
CONSENT = """\
You are asked {task}. You may stop at any time, without giving a reason, by “Withdraw” on the page “Pause”. \
Your answers, their times, how often the page was left or pasted into, \
and a code are stored and may be published in this form."""
YES_NO = (Point("yes", "Yes"), Point("no", "No"))
DEMO_MARK = "Demo material: Groundwork’s own items for trying out the protocol."
