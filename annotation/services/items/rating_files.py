"""Ratings and items from files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.domain.items.rater_codes import TAKEN_CODE, explain_trial_code, is_trial_code
from annotation.domain.questions.wording.version_numbers import place_of
from annotation.io.base.cells import (
    EMPTY_CELL,
    NO_CONTROL,
    ROW_INDEX,
    has_control,
    refuse_unnamed_codes,
    too_many_characters,
)
from annotation.io.base.file_errors import Problems, refuse_missing_columns
from annotation.io.base.readers import AllRows, read_all_rows
from annotation.io.items.item_columns import NO_TEXT
from annotation.io.items.rating_cells import LONGEST_KEY, Questions, RatingRow
from annotation.io.items.ratings_file import NumberedRows, RatingsFile, read_ratings
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
from annotation.services.base import audit
from annotation.services.base.drafts import (
    ITEMS_IN_DRAFTS,
    lock_draft,
    refuse_if_it_takes_no_items,
    refuse_unless_draft,
)
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import (
    PLANTED_KEYS,
    GiveSlots,
    NewItem,
    add_items,
    items_without_text,
)
from annotation.services.questions.criteria import question_of

DEFAULT_SCALE = (1, 5)
NOT_TEXTS = {"item", "group", "system", ROW_INDEX}
VersionKey = tuple[str, int, int]
Versions = Mapping[VersionKey, FormVersion]


def import_items(
    *,
    study: Study,
    path: Path,
    name: str = "",
    file_format: str = "",
    read: AllRows | None = None,
    actor: User | None = None,
    give_slots: GiveSlots | None = None,
) -> int:
    """Add the items of a file to a draft: `item`, `group`, `system`, texts, then `meta.*`.

    Items that were imported with their ratings, without text, are given theirs.

    Parameters
    ----------
    study, actor
        A draft, and who imports.
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty.
    read : AllRows or None
        The rows of the file, if it was read before.
    give_slots : callable or None
        As of `add_items`: with it an open or paused study takes items too.

    Returns
    -------
    int
        How many were added or given their texts.

    Raises
    ------
    FileRefused
        The file cannot be taken; nothing was stored.
    NotAllowedNow
        The study is no draft, or takes no items any more.
    """
    if give_slots is None:
        refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    else:
        refuse_if_it_takes_no_items(study)
    name = name or path.name
    rows, unread = read or read_all_rows(path, name=name, file_format=file_format)
    if rows:
        refuse_missing_columns(name, rows, ["item"])
        refuse_unnamed_codes(name, rows)
    items = [_new_item(row) for _, row in rows]
    problems = Problems(name)
    for one in unread:
        problems.add(one.row, one.column, one.code, one.message)
    _check_items(study, [number for number, _ in rows], items, problems)
    with transaction.atomic():
        count = add_items(study=study, rows=items, give_slots=give_slots)
        audit.record(study=study, actor=actor, act="import_items", count=count)
    return count


def _new_item(row: Mapping[str, Any]) -> NewItem:
    return NewItem(
        key=str(row.get("item", "")),
        group=str(row.get("group", "")),
        system=str(row.get("system", "")),
        fields={key: str(value) for key, value in row.items() if _is_text(key)},
        metadata={key.removeprefix("meta."): value for key, value in row.items() if key.startswith("meta.")},
    )


def _check_items(study: Study, numbers: Sequence[int], items: Sequence[NewItem], problems: Problems) -> None:
    waiting = set(items_without_text(study=study).values_list("key", flat=True))
    stored = set(Item.everything.filter(study=study).values_list("key", flat=True)) - waiting
    first: dict[str, int] = {}
    for number, item in zip(numbers, items, strict=True):
        if not item.key.strip():
            problems.add(number, "item", "empty_cell", EMPTY_CELL)
        elif has_control(item.key):
            problems.add(number, "item", "control_character", NO_CONTROL)
        elif item.key in stored:
            problem = message("the study already has an item %(key)s", key=repr(item.key))
            problems.add(number, "item", "doubled_item", problem)
        elif item.key in first:
            problem = message("%(key)s is already in row %(row)d", key=repr(item.key), row=first[item.key])
            problems.add(number, "item", "doubled_item", problem)
        first.setdefault(item.key, number)
        for column, text in (("item", item.key), ("group", item.group), ("system", item.system)):
            if len(text) > LONGEST_KEY:
                problems.add(number, column, "too_long", too_many_characters(text, LONGEST_KEY))
        if not any(item.fields.values()):
            problems.add(number, "", "no_text", NO_TEXT)
    problems.refuse_if_any()


def import_ratings(
    *,
    study: Study,
    path: Path,
    name: str = "",
    scale: tuple[int, int] | None = None,
    file_format: str = "",
    rows: NumberedRows | None = None,
    actor: User | None = None,
) -> int:
    """Load a ratings file in long form into a study without ratings; all of it or nothing.

    Items, forms and criteria that the study lacks are created. A created criterion has the
    scale given, or 1 to 5, wider where the values are; values of those that exist keep to their
    kinds: numbers on the scale, keys of options, texts.

    Parameters
    ----------
    study, actor
        A draft without raters and ratings, and who imports.
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty.
    scale : (int, int) or None
        Ends of the scale.
    rows : sequence of (int, mapping) or None
        The rows with their numbers, if the file was read before.

    Returns
    -------
    int
        How many ratings were stored.

    Raises
    ------
    FileRefused
        The file cannot be taken; nothing was stored.
    NotAllowedNow
        The study is no draft, or has raters already.
    """
    name = name or path.name
    file = read_ratings(
        path,
        name=name,
        scale=scale,
        questions=_questions(study),
        texts=dict(study.items.values_list("key", "fields")),
        file_format=file_format,
        rows=rows,
    )
    with transaction.atomic():
        study = lock_draft(study.pk, message("You can only import ratings while the study is a draft."))
        if study.raters.exclude(kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                message("You can only import ratings into a study without raters."), code="not_empty"
            )
        items = _items(study, file.rows, name)
        versions = _versions(study, file.rows, scale)
        raters = _raters(study, file, name)
        _store_answers(study, list(_responses(file.rows, items, raters, versions)), actor)
        study.identified = file.identified
        study.simulated = study.simulated or any(row.simulated for row in file.rows)
        study.save(update_fields=["identified", "simulated"])
        count = sum(row.value is not None for row in file.rows)
        audit.record(study=study, actor=actor, act="import_ratings", count=count)
    return count


def _store_answers(study: Study, loaded: Sequence[tuple[LoadedResponse, str]], actor: User | None) -> None:
    """Answers, each with the rule that excludes it in the file, or none."""
    responses = store_responses(loaded=[one for one, _ in loaded])
    Exclusion.objects.bulk_create(
        Exclusion(study=study, response=response, rule=rule, reason="imported", author=actor)
        for response, (_, rule) in zip(responses, loaded, strict=True)
        if rule
    )


def _is_text(column: str) -> bool:
    return column not in NOT_TEXTS and not column.startswith("meta.")


def _questions(study: Study) -> Questions:
    criteria = Criterion.objects.filter(version__form__study=study).select_related("version__form")
    return {
        (one.version.form.key, one.version.number, one.key): question_of(one)
        for one in criteria.prefetch_related("points")
    }


def _items(study: Study, rows: Sequence[RatingRow], name: str) -> dict[str, Item]:
    """The study's items, with those that it lacked; what it has must not be contradicted."""
    known = {item.key: item for item in study.items.all()}
    firsts: dict[str, RatingRow] = {}
    for row in rows:
        firsts.setdefault(row.item, row)
    problems = Problems(name)
    for key in firsts.keys() & known.keys():
        _check_item(firsts[key], known[key], problems)
    planted = set(Item.everything.filter(study=study, planted=True).values_list("key", flat=True))
    for key, row in firsts.items():
        if key.startswith(PLANTED_KEYS):
            problem = message("item IDs such as %(key)s are reserved for check items", key=repr(key))
            problems.add(row.number, "item", "bad_item_key", problem)
        elif key in planted:
            problem = message("%(key)s is a check item, for which ratings cannot be imported", key=repr(key))
            problems.add(row.number, "item", "planted_item", problem)
    problems.refuse_if_any()
    new = [row for row in firsts.values() if row.item not in known]
    now = timezone.now()
    Item.objects.bulk_create(
        [
            Item(
                study=study,
                key=row.item,
                group=row.group,
                system=row.system,
                position=len(known) + number,
                added_at=now,
            )
            for number, row in enumerate(new)
        ],
        batch_size=2000,
    )
    return {item.key: item for item in study.items.all()}


def _check_item(row: RatingRow, item: Item, problems: Problems) -> None:
    for column, here, stored in (("group", row.group, item.group), ("system", row.system, item.system)):
        if here and here != stored:
            problem = message(
                "%(here)s here, but %(stored)s for item %(key)s of the study",
                here=repr(here),
                stored=repr(stored),
                key=repr(item.key),
            )
            problems.add(row.number, column, "item_differs", problem)


def _versions(study: Study, rows: Sequence[RatingRow], scale: tuple[int, int] | None) -> Versions:
    values: dict[VersionKey, dict[str, list[int]]] = {}
    for row in rows:
        found = values.setdefault(_version_key(row), {}).setdefault(row.criterion, [])
        if row.value is not None and not isinstance(row.value, str):
            found.append(int(row.value))
    versions = {}
    for key, by_criterion in values.items():
        form_key, number, correction = key
        form, _ = Form.objects.get_or_create(
            study=study, key=form_key, defaults={"title": _words(form_key), "position": study.forms.count()}
        )
        version, _ = FormVersion.objects.get_or_create(
            form=form, number=number, correction=correction, defaults={"pool": place_of(number, 0)}
        )
        _add_criteria(version, by_criterion, scale)
        versions[key] = version
    return versions


def _version_key(row: RatingRow) -> VersionKey:
    return row.form, row.form_version, row.form_correction


def _add_criteria(
    version: FormVersion, values: Mapping[str, Sequence[int]], scale: tuple[int, int] | None
) -> None:
    known = set(version.criteria.values_list("key", flat=True))
    for position, key in enumerate([key for key in values if key not in known], start=len(known)):
        low, high = scale or (min([DEFAULT_SCALE[0], *values[key]]), max([DEFAULT_SCALE[1], *values[key]]))
        criterion = Criterion.objects.create(
            version=version, key=key, name=_words(key), minimum=low, maximum=high, position=position
        )
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, value=str(value), position=number)
            for number, value in enumerate(range(low, min(high, low + 10) + 1))
        )


def _words(key: str) -> str:
    return key.replace("_", " ").replace("-", " ").capitalize()


def _raters(study: Study, file: RatingsFile, name: str) -> dict[str, Rater]:
    problems = Problems(name)
    for row in file.rows:
        if is_trial_code(row.rater):
            column = "rater" if file.identified else "slot"
            problems.add(row.number, column, TAKEN_CODE, explain_trial_code(row.rater))
    problems.refuse_if_any()
    simulated = {row.rater for row in file.rows if row.simulated}
    kind = RaterKind.PERSON if file.identified else RaterKind.SLOT
    Rater.objects.bulk_create(
        Rater(study=study, code=code, kind=kind, state=RaterState.FINISHED, simulated=code in simulated)
        for code in sorted({row.rater for row in file.rows})
    )
    return {rater.code: rater for rater in study.raters.exclude(kind=RaterKind.TRIAL)}


def _responses(
    rows: Iterable[RatingRow],
    items: Mapping[str, Item],
    raters: Mapping[str, Rater],
    versions: Versions,
) -> Iterable[tuple[LoadedResponse, str]]:
    """Rows of one (item, rater, form, revision) are one response; the rule is that of its exclusion."""
    criteria = {
        key: {criterion.key: criterion for criterion in version.criteria.all()}
        for key, version in versions.items()
    }
    order = {item.key: item.position for item in items.values()}

    def key(row: RatingRow) -> tuple[int, str, str, int]:
        return (order[row.item], row.rater, row.form, row.revision)

    for _, part in groupby(sorted(rows, key=key), key=key):
        answers = list(part)
        first = answers[0]
        version = _version_key(first)
        yield (
            LoadedResponse(
                item=items[first.item],
                rater=raters[first.rater],
                version=versions[version],
                values={
                    criteria[version][row.criterion]: row.value for row in answers if row.value is not None
                },
                revision=first.revision,
                current=first.current,
                late=first.late,
                cannot_rate=first.reason,
                remark=first.remark,
                submitted_at=first.submitted_at,
                seconds=first.seconds,
                suggestions={row.criterion: row.suggestion for row in answers if row.suggestion},
                first_values={
                    row.criterion: row.first_value for row in answers if row.first_value is not None
                },
                heard=first.heard,
                interface_language=first.interface_language,
                text_language=first.text_language,
            ),
            first.exclusion_rule,
        )
