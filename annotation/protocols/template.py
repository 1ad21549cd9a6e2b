"""What a study template says: forms, criteria and rubrics, design and demo material, as plain data."""

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

    `keyboard` is the key that chooses it; None for the digit of its place.
    """

    value: str
    label: str = ""
    description: str = ""
    keyboard: str | None = None


def keyboard_of(point: Point, place: int) -> str:
    """The key that chooses a point: its own, or the digit of its place, counted from 0."""
    if point.keyboard is not None:
        return point.keyboard
    return KEYS[place] if place < len(KEYS) else ""


@dataclass(frozen=True)
class CriterionTemplate:
    """One question; a Likert scale runs from the first to the last of its points, or over its `bounds`.

    With `asked_after` it is asked only where that earlier criterion has the answer `asked_when`.
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
    points = [Point(str(value), *said) for value, said in enumerate(words, start=1)]
    return CriterionTemplate(key=key, name=key.capitalize(), question=question, points=tuple(points))


@dataclass(frozen=True)
class FeedTemplate:
    """Which items a form is given: those of which `rule` of the answers to an earlier form have a value.

    With `suggestions` its raters see the earlier answers; `matches` maps its criteria to those that suggest
    an answer, where they have other keys.
    """

    form: str
    criterion: str
    value: str
    rule: StageRule = StageRule.ALL
    people: StagePeople = StagePeople.OTHERS
    suggestions: bool = True
    matches: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FormTemplate:
    """Criteria answered together; `blocks` says what of an item is shown above them.

    `overlap` is how many raters each item needs, where it is not that of the study. `examples`, `practice`
    and `translations` are those of `FormVersion`.
    """

    key: str
    title: str
    criteria: Sequence[CriterionTemplate]
    blocks: Sequence[dict[str, Any]] = field(default_factory=list)
    question: str = ""
    cannot_rate: bool = True
    overlap: int | None = None
    fed_by: FeedTemplate | None = None
    examples: Sequence[Mapping[str, Any]] = ()
    practice: Sequence[Mapping[str, str]] = ()
    translations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Serving:
    """How items are handed out: the fields of a study that say so."""

    design: DesignKind = DesignKind.POOL
    keep_groups: GroupPlacement = GroupPlacement.FREE
    batch_size: int | None = None
    batches_per_rater: int | None = None
    mixed: bool = False
    more_allowed: bool = False


@dataclass(frozen=True)
class DemoItem:
    """An item of the project's own; the same fields as an item of a study."""

    key: str
    fields: Mapping[str, str]
    group: str = ""
    system: str = ""
    components: Sequence[Mapping[str, Any]] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoCheck:
    """A check planted among demo items; with a `question` its page asks that and nothing else."""

    key: str
    kind: CheckKind
    texts: Mapping[str, str]
    settings: Mapping[str, Any]
    question: str = ""
    options: Sequence[str] = ()


@dataclass(frozen=True)
class Demo:
    """Material with which a study can be opened at once; `per_rater` makes a sitting short."""

    items: Sequence[DemoItem]
    checks: Sequence[DemoCheck] = ()
    per_rater: int | None = None
    check_every: int | None = None
    check_jitter: int = 0


@dataclass(frozen=True)
class StudyTemplate:
    """A kind of study; `texts` are the item fields that it needs.

    A page takes at least `least_seconds`, unless none of its texts has more than `exempt_characters`.
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
        """The columns of a file of items without which such a study could not open or keep its design."""
        blocks = (block for form in self.forms for block in form.blocks if not block.get("optional"))
        grouped = [] if self.serving.keep_groups is GroupPlacement.FREE else ["group"]
        return tuple(dict.fromkeys([*(block["field"] for block in blocks), *grouped]))


# What several templates ask and say.
CONSENT = """\
You are asked {task}. You may stop at any time, without giving a reason, by “Withdraw” on the page “Pause”. \
Your answers, their times, how often the page was left or pasted into, \
and a code are stored and may be published in this form."""
YES_NO = (Point("yes", "Yes"), Point("no", "No"))
