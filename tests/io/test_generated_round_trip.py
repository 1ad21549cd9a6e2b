"""Whatever a study holds, its ratings come out of every format as they went in."""

from __future__ import annotations

import string
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from annotation.domain.base.states import RaterState
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import QuestionKind
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.multiple import MULTIPLE
from annotation.domain.questions.kinds.text import TEXT
from annotation.io.base.writers import WRITERS, write_rows
from annotation.models import (
    Criterion,
    Exclusion,
    Form,
    FormVersion,
    Item,
    Rater,
    RaterKind,
    ScalePoint,
    Study,
    User,
)
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.exports import items_table, ratings_table
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.studies.lifecycle import create_study

# A workbook cannot hold control characters; tests/io/test_formats.py says what becomes of them.
EXACT = [name for name in WRITERS if name != "xlsx"]

pytestmark = pytest.mark.django_db

OPTIONS = ("simile", "metaphor", "no figure")
STORED = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
WORDS = st.text(STORED, min_size=1, max_size=10).filter(str.strip)
KEYS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=10).filter(
    str.strip
)
TEXTS = st.text(STORED, max_size=30)
SLUGS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=6)
TIMES = st.datetimes(min_value=datetime(1990, 1, 1), timezones=st.just(UTC))
SECONDS = st.floats(0, 1e6, allow_nan=False)
KINDS = (LIKERT, CHOICE, MULTIPLE, TEXT)


@dataclass(frozen=True)
class Scale:
    key: str
    kind: QuestionKind
    low: int
    high: int


@dataclass(frozen=True)
class Revision:
    """The answers of one rater to one item at one time; `picks` chooses among what each criterion allows."""

    version: int
    picks: list[int]
    text: str
    reason: str
    remark: str
    late: bool
    submitted_at: datetime | None
    seconds: float | None
    excluded: bool


@dataclass(frozen=True)
class Plan:
    """A study to be made."""

    identified: bool
    scales: list[Scale]
    items: list[tuple[str, str, str, str]]
    raters: list[tuple[str, bool]]
    answers: dict[tuple[int, int], list[Revision]] = field(default_factory=dict)


REVISIONS = st.builds(
    Revision,
    version=st.integers(1, 2),
    picks=st.lists(st.integers(-1, 1000), min_size=3, max_size=3),
    text=WORDS,
    reason=st.sampled_from(["", "", "lacks_context", "other"]),
    remark=TEXTS,
    late=st.booleans(),
    submitted_at=st.none() | TIMES,
    seconds=st.none() | SECONDS,
    excluded=st.booleans(),
)
SCALES = st.builds(
    Scale,
    key=SLUGS,
    kind=st.sampled_from(KINDS),
    low=st.integers(-3, 1),
    high=st.integers(2, 9),
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    scales = draw(st.lists(SCALES, min_size=1, max_size=3, unique_by=lambda scale: scale.key))
    items = draw(st.lists(st.tuples(KEYS, TEXTS, TEXTS, WORDS), min_size=1, max_size=3, unique_by=first))
    raters = draw(st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=3, unique_by=first))
    pairs = st.tuples(st.integers(0, len(items) - 1), st.integers(0, len(raters) - 1))
    answers = draw(st.dictionaries(pairs, st.lists(REVISIONS, min_size=1, max_size=3), min_size=1))
    return Plan(draw(st.booleans()), scales, items, raters, answers)


def first(cells: tuple[Any, ...]) -> Any:
    return cells[0]


def empty_study(plan: Plan, slug: str) -> Study:
    """A study with two versions of one form, without items."""
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Generated", owner=owner, identified=plan.identified)
    form = Form.objects.create(study=study, key="figures", title="Figures")
    for number in (1, 2):
        version = FormVersion.objects.create(form=form, number=number)
        for position, scale in enumerate(plan.scales):
            add_criterion(version, scale, position)
    return study


def add_criterion(version: FormVersion, scale: Scale, position: int) -> None:
    likert = scale.kind is LIKERT
    criterion = Criterion.objects.create(
        version=version,
        key=scale.key,
        kind=scale.kind.key,
        position=position,
        minimum=scale.low if likert else None,
        maximum=scale.high if likert else None,
    )
    values = range(scale.low, scale.high + 1) if likert else OPTIONS
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=criterion, value=str(value), position=place)
        for place, value in enumerate(values)
    )


def made(plan: Plan) -> Study:
    study = empty_study(plan, "original")
    items = [
        Item.objects.create(
            study=study, key=key, group=group, system=system, fields={"simile": text}, position=place
        )
        for place, (key, group, system, text) in enumerate(plan.items)
    ]
    kind = RaterKind.PERSON if plan.identified else RaterKind.SLOT
    raters = [
        Rater.objects.create(
            study=study, code=code, kind=kind, simulated=simulated, state=RaterState.FINISHED
        )
        for code, simulated in plan.raters
    ]
    versions = {version.number: version for version in FormVersion.objects.filter(form__study=study)}
    loaded, excluded = [], []
    for (item, rater), revisions in plan.answers.items():
        for number, revision in enumerate(revisions, start=1):
            version, current = versions[revision.version], number == len(revisions)
            loaded.append(answer(items[item], raters[rater], version, revision, number, current=current))
            excluded.append(revision.excluded)
    for response, out in zip(store_responses(loaded=loaded), excluded, strict=True):
        if out:
            Exclusion.objects.create(study=study, response=response, rule="by_hand", reason="asked")
    return study


def answer(
    item: Item, rater: Rater, version: FormVersion, revision: Revision, number: int, *, current: bool
) -> LoadedResponse:
    values = {}
    for criterion, pick in zip(version.criteria.all(), revision.picks, strict=False):
        if pick >= 0:
            values[criterion] = value_of(criterion, pick, revision.text)
    reason = revision.reason or ("" if values else "lacks_context")
    return LoadedResponse(
        item=item,
        rater=rater,
        version=version,
        values=values,
        revision=number,
        current=current,
        late=revision.late,
        cannot_rate=reason,
        remark=revision.remark,
        submitted_at=revision.submitted_at,
        seconds=revision.seconds,
    )


def value_of(criterion: Criterion, pick: int, text: str) -> float | str:
    if criterion.minimum is not None and criterion.maximum is not None:
        return criterion.minimum + pick % (criterion.maximum - criterion.minimum + 1)
    if criterion.kind == CHOICE.key:
        return OPTIONS[pick % len(OPTIONS)]
    if criterion.kind == MULTIPLE.key:
        return "|".join(OPTIONS[: 1 + pick % len(OPTIONS)])
    return text


def rows_of(study: Study) -> list[dict[str, Any]]:
    return [row | {"study": ""} for row in long_ratings(study, all_revisions=True)]


def written(table: tuple[Any, Any], folder: Path, file_format: str) -> Path:
    path = folder / f"{uuid.uuid4().hex}.{file_format}"
    columns, rows = table
    path.write_bytes(b"".join(write_rows(rows, columns, file_format)))
    return path


@settings(
    max_examples=60,
    deadline=None,
    # Shrinking would take minutes: each example makes five studies.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(plan=plans())
def test_ratings_and_items_of_any_study_survive_every_format(tmp_path: Path, plan: Plan) -> None:
    with transaction.atomic():
        original = made(plan)
        wanted, items = (
            rows_of(original),
            list(original.items.values_list("key", "group", "system", "fields")),
        )
        for file_format in EXACT:
            copy = empty_study(plan, f"copy-{file_format}")
            import_items(study=copy, path=written(items_table(original), tmp_path, file_format))
            assert list(copy.items.values_list("key", "group", "system", "fields")) == items
            table = ratings_table(original, all_revisions=True)
            import_ratings(study=copy, path=written(table, tmp_path, file_format))
            copy.refresh_from_db()
            assert rows_of(copy) == wanted, file_format
            assert copy.identified == plan.identified
        transaction.set_rollback(True)
