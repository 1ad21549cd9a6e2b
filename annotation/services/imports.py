"""Ratings and items from files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from django.db import transaction
from django.utils.text import slugify

from annotation.domain.errors import FileProblem, FileRefused, NotAllowedNow
from annotation.domain.states import RaterState
from annotation.io.ratings_file import RatingRow, RatingsFile, read_ratings
from annotation.io.readers import read_rows
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
from annotation.services import audit
from annotation.services.items import NewItem, add_items
from annotation.services.responses_bulk import LoadedResponse, store_responses

DEFAULT_SCALE = (1, 5)
NOT_TEXTS = {"item", "group", "system"}
Versions = Mapping[tuple[str, int], FormVersion]


def import_items(*, study: Study, path: Path, name: str = "", actor: User | None = None) -> int:
    """Add the items of a file to a draft: `item`, `group`, `system`, texts, then `meta.*`.

    Raises
    ------
    FileRefused
        The file cannot be taken; nothing was stored.
    """
    rows = read_rows(path, needed=("item",), name=name)
    items = [
        NewItem(
            key=str(row["item"]),
            group=str(row.get("group", "")),
            system=str(row.get("system", "")),
            fields={key: str(value) for key, value in row.items() if _is_text(key)},
            metadata={
                key.removeprefix("meta."): value for key, value in row.items() if key.startswith("meta.")
            },
        )
        for _, row in rows
    ]
    empty = [number for (number, _), item in zip(rows, items, strict=True) if not any(item.fields.values())]
    if empty:
        raise FileRefused(
            [FileProblem(name or path.name, row, "", "no_text", "the item has no text") for row in empty[:20]]
        )
    with transaction.atomic():
        count = add_items(study=study, rows=items)
        audit.record(study=study, actor=actor, act="import_items", count=count)
    return count


def import_ratings(
    *,
    study: Study,
    path: Path,
    name: str = "",
    scale: tuple[int, int] | None = None,
    actor: User | None = None,
) -> int:
    """Load a ratings file in long form into a study without ratings; all of it or nothing.

    Items, forms and criteria that the study lacks are made. A criterion that is made has the
    scale given, or 1 to 5, wider where the values are.

    Parameters
    ----------
    study : Study
        Without raters and ratings.
    path : Path
        The file.
    name : str
        What messages call it.
    scale : (int, int) or None
        Ends of the scale.
    actor : User or None
        Who imports.

    Returns
    -------
    int
        How many ratings were stored.

    Raises
    ------
    FileRefused
        The file cannot be taken; nothing was stored.
    NotAllowedNow
        The study has raters already.
    """
    file = read_ratings(path, name=name, scale=scale)
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        if study.raters.exclude(kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow("Ratings are imported into a study without raters only.", code="not_empty")
        items = _items(study, file.rows)
        versions = _versions(study, file.rows, scale)
        _check_scales(name or path.name, file.rows, versions)
        raters = _raters(study, file)
        loaded = list(_responses(file.rows, items, raters, versions))
        responses = store_responses(loaded=[one for one, _ in loaded])
        rules = [rule for _, rule in loaded]
        Exclusion.objects.bulk_create(
            Exclusion(study=study, response=response, rule=rule, reason="imported", author=actor)
            for response, rule in zip(responses, rules, strict=True)
            if rule
        )
        study.identified = file.identified
        study.simulated = study.simulated or any(row.simulated for row in file.rows)
        study.save(update_fields=["identified", "simulated"])
        count = sum(row.value is not None for row in file.rows)
        audit.record(study=study, actor=actor, act="import_ratings", count=count)
    return count


def _is_text(column: str) -> bool:
    return column not in NOT_TEXTS and not column.startswith("meta.")


def _items(study: Study, rows: Sequence[RatingRow]) -> dict[str, Item]:
    known = set(study.items.values_list("key", flat=True))
    new = {row.item: row for row in reversed(rows) if row.item not in known}
    ordered = dict.fromkeys(row.item for row in rows if row.item in new)
    if ordered:
        first = study.items.count()
        Item.objects.bulk_create(
            [
                Item(
                    study=study, key=key, group=new[key].group, system=new[key].system, position=first + place
                )
                for place, key in enumerate(ordered)
            ],
            batch_size=2000,
        )
    return {item.key: item for item in study.items.all()}


def _versions(study: Study, rows: Sequence[RatingRow], scale: tuple[int, int] | None) -> Versions:
    wanted = dict.fromkeys((row.form, row.form_version) for row in rows)
    versions = {}
    for form_key, number in wanted:
        form, _ = Form.objects.get_or_create(
            study=study,
            key=slugify(form_key)[:60] or "ratings",
            defaults={"title": form_key, "position": study.forms.count()},
        )
        version, _ = FormVersion.objects.get_or_create(form=form, number=number)
        part = [row for row in rows if (row.form, row.form_version) == (form_key, number)]
        _add_criteria(version, part, scale)
        versions[form_key, number] = version
    return versions


def _add_criteria(version: FormVersion, rows: Sequence[RatingRow], scale: tuple[int, int] | None) -> None:
    known = set(version.criteria.values_list("key", flat=True))
    for key in dict.fromkeys(row.criterion for row in rows):
        if key in known:
            continue
        values = [row.value for row in rows if row.criterion == key and row.value is not None]
        low, high = scale or (min([DEFAULT_SCALE[0], *values]), max([DEFAULT_SCALE[1], *values]))
        criterion = Criterion.objects.create(
            version=version,
            key=key,
            name=key.replace("_", " ").capitalize(),
            minimum=low,
            maximum=high,
            position=version.criteria.count(),
        )
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, value=str(value), position=place)
            for place, value in enumerate(range(low, min(high, low + 10) + 1))
        )


def _check_scales(name: str, rows: Sequence[RatingRow], versions: Versions) -> None:
    ends = {
        (form, number, criterion.key): (criterion.minimum, criterion.maximum)
        for (form, number), version in versions.items()
        for criterion in version.criteria.all()
    }
    problems = []
    for row in rows:
        low, high = ends[row.form, row.form_version, row.criterion]
        if row.value is not None and (low is None or high is None or not low <= row.value <= high):
            message = f"{row.value} is outside the scale of {low} to {high}"
            problems.append(FileProblem(name, row.number, "value", "outside_scale", message))
    if problems:
        raise FileRefused(problems[:20])


def _raters(study: Study, file: RatingsFile) -> dict[str, Rater]:
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
        version = (first.form, first.form_version)
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
            ),
            first.exclusion_rule,
        )
